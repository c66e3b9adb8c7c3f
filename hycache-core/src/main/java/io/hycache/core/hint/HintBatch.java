package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Objects;

/**
 * The part of a manifest that concerns one DataNode: its blocks in expected order of use.
 * Immutable.
 */
public final class HintBatch {
  /** One step of the reference sequence: a block and its access pattern. */
  public static final class Step {
    private final BlockKey block;
    private final long lengthBytes;
    private final boolean random;

    public Step(BlockKey block, long lengthBytes, boolean random) {
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
  private final List<Step> steps;

  /**
   * @param workflow name of the workflow; replaces an earlier batch of the same user and name
   * @param ttlMillis lifetime of the hints, &gt; 0
   * @param steps the reference sequence; a block occurs once for each expected read
   */
  public HintBatch(String workflow, long ttlMillis, List<Step> steps) {
    this.workflow = Objects.requireNonNull(workflow);
    this.ttlMillis = ttlMillis;
    this.steps = List.copyOf(steps);
  }

  public String workflow() {
    return workflow;
  }

  public long ttlMillis() {
    return ttlMillis;
  }

  public List<Step> steps() {
    return steps;
  }
}
