// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Objects;

/** What one DataNode gets of a manifest: blocks in the expected order of their reads. Immutable. */
public final class Hints {
  /** Maximum length of {@link #by}. */
  public static final int MAX_BY_CHARS = 32;

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

  /** A block whose hints other DataNodes have: they are notified of reads of it here. Immutable. */
  public static final class Watched {
    private final BlockKey block;
    private final int reads;
    private final List<String> hinted;

    /**
     * @param reads expected reads of the block, &gt; 0; no more are reported
     * @param hinted ids of the DataNodes that have the hints, not empty
     */
    public Watched(BlockKey block, int reads, List<String> hinted) {
      this.block = Objects.requireNonNull(block);
      this.reads = reads;
      this.hinted = List.copyOf(hinted);
    }

    public BlockKey block() {
      return block;
    }

    public int reads() {
      return reads;
    }

    public List<String> hinted() {
      return hinted;
    }
  }

  private final String workflow;
  private final long ttlMillis;
  private final List<Reference> references;
  private final List<Watched> watched;
  private final String by;
  private final boolean oneJobOnly;

  /** As the other constructor, with nothing watched. */
  public Hints(String workflow, long ttlMillis, List<Reference> references) {
    this(workflow, ttlMillis, references, List.of());
  }

  /**
   * @param workflow name of the workflow; replaces earlier hints of the same user and name
   * @param ttlMillis lifetime of the hints, &gt; 0
   * @param references in the expected order of the reads; a block occurs once for each expected
   *     read
   * @param watched the blocks here whose hints other DataNodes have, each once
   */
  public Hints(String workflow, long ttlMillis, List<Reference> references, List<Watched> watched) {
    this(workflow, ttlMillis, references, watched, "", false);
  }

  private Hints(
      String workflow,
      long ttlMillis,
      List<Reference> references,
      List<Watched> watched,
      String by,
      boolean oneJobOnly) {
    this.workflow = Objects.requireNonNull(workflow);
    this.ttlMillis = ttlMillis;
    this.references = List.copyOf(references);
    this.watched = List.copyOf(watched);
    this.by = by;
    this.oneJobOnly = oneJobOnly;
  }

  /**
   * These hints with what submits them.
   *
   * @param name at most {@link #MAX_BY_CHARS} characters
   */
  public Hints by(String name) {
    return new Hints(workflow, ttlMillis, references, watched, name, oneJobOnly);
  }

  /** These hints, known to be what one job reads, whatever is read after it. */
  public Hints ofOneJob() {
    return new Hints(workflow, ttlMillis, references, watched, by, true);
  }

  /**
   * Whether they say nothing about later jobs: they were collected from one job as it began. Those
   * of a manifest name all reads that its author expects.
   */
  public boolean isOneJobOnly() {
    return oneJobOnly;
  }

  /** What submitted them, such as {@code run}; empty if it did not say. */
  public String by() {
    return by;
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

  public List<Watched> watched() {
    return watched;
  }
}
