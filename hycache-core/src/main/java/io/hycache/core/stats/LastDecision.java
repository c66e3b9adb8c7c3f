package io.hycache.core.stats;

import io.hycache.core.model.Weighing;
import org.jspecify.annotations.Nullable;

/** What was decided about a block last, by which rule, and on what figures. Immutable. */
public final class LastDecision {
  /** Value of {@code hycache.policy} then. */
  public final String policy;

  /** Milliseconds ago. */
  public final long agoMillis;

  /** What asked for it: a read that missed, a hint, or another block that needed the room. */
  public final String trigger;

  /** Name of a {@link io.hycache.core.model.Reason}. */
  public final String outcome;

  /** Size of the block that was to be fetched. */
  public final long wantedBytes;

  public final long freeBytes;

  /** Blocks that went, or would have had to go. */
  public final int victims;

  /** Known references to the block that was to be fetched, after the fetch. */
  public final long references;

  /** Null if the rule compares nothing. */
  public final @Nullable Weighing weighing;

  public LastDecision(
      String policy,
      long agoMillis,
      String trigger,
      String outcome,
      long wantedBytes,
      long freeBytes,
      int victims,
      long references,
      @Nullable Weighing weighing) {
    this.policy = policy;
    this.agoMillis = agoMillis;
    this.trigger = trigger;
    this.outcome = outcome;
    this.wantedBytes = wantedBytes;
    this.freeBytes = freeBytes;
    this.victims = victims;
    this.references = references;
    this.weighing = weighing;
  }
}
