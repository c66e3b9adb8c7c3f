package io.hycache.core.model;

import java.util.Objects;

/** A block that is not on the fast tier and might be fetched. Immutable. */
public final class Candidate {
  /** Why the candidate is considered. */
  public enum Trigger {
    /** A read was just served from the slow tier. */
    READ_MISS,
    /** It is the next non-resident block of a hinted reference sequence. */
    HINT
  }

  private final BlockKey block;
  private final long sizeBytes;
  private final Trigger trigger;
  private final long referencesAfterFetch;

  /**
   * @param sizeBytes &gt;= 0
   * @param referencesAfterFetch hinted references to the block after the one it is fetched for,
   *     &gt;= 0; 0 if none is hinted
   */
  public Candidate(BlockKey block, long sizeBytes, Trigger trigger, long referencesAfterFetch) {
    this.block = Objects.requireNonNull(block);
    this.sizeBytes = sizeBytes;
    this.trigger = Objects.requireNonNull(trigger);
    this.referencesAfterFetch = referencesAfterFetch;
  }

  public BlockKey block() {
    return block;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  public Trigger trigger() {
    return trigger;
  }

  public long referencesAfterFetch() {
    return referencesAfterFetch;
  }

  @Override
  public String toString() {
    return block
        + " sizeBytes="
        + sizeBytes
        + " trigger="
        + trigger
        + " referencesAfterFetch="
        + referencesAfterFetch;
  }
}
