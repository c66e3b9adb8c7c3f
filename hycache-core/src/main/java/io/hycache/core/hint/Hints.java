// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Objects;

/** What one DataNode gets of a manifest: blocks in the expected order of their reads. Immutable. */
public final class Hints {
  /** One expected read of one block, and its access pattern. */
  public static final class Reference {
    private final BlockKey block;
    private final long lengthBytes;
    private final boolean random;

    public Reference(BlockKey block, long lengthBytes, boolean random) {
      this.block = Objects.requireNonNull(block);
      this.lengthBytes = lengthBytes;
      this.random = random;
    }

    public BlockKey block() {
      return block;
    }

    public long lengthBytes() {
      return lengthBytes;
    }

    /** True if the manifest says {@code "access": "random"}. */
    public boolean random() {
      return random;
    }
  }

  private final String workflow;
  private final long ttlMillis;
  private final List<Reference> references;

  /**
   * @param workflow name of the workflow; replaces earlier hints of the same user and name
   * @param ttlMillis lifetime of the hints, &gt; 0
   * @param references in the expected order of the reads; a block occurs once for each expected
   *     read
   */
  public Hints(String workflow, long ttlMillis, List<Reference> references) {
    this.workflow = Objects.requireNonNull(workflow);
    this.ttlMillis = ttlMillis;
    this.references = List.copyOf(references);
  }

  public String workflow() {
    return workflow;
  }

  public long ttlMillis() {
    return ttlMillis;
  }

  public List<Reference> references() {
    return references;
  }
}
