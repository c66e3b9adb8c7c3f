package io.hycache.core.stats;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import org.jspecify.annotations.Nullable;

/** Where one block is on one DataNode, and why. Immutable. */
public final class BlockStatus {
  public final BlockKey block;

  /** Storage of the replica itself: {@code SSD}, {@code DISK}, or {@code NONE}. */
  public final String storage;

  public final boolean dirty;
  public final boolean cleanData;
  public final boolean cleanChecksums;
  public final long referencesLeft;
  public final long reads;
  public final Reason reason;

  /** Null if it is too long ago, or nothing was ever decided. */
  public final @Nullable LastDecision decision;

  public BlockStatus(
      BlockKey block,
      String storage,
      boolean dirty,
      boolean cleanData,
      boolean cleanChecksums,
      long referencesLeft,
      long reads,
      Reason reason,
      @Nullable LastDecision decision) {
    this.block = block;
    this.storage = storage;
    this.dirty = dirty;
    this.cleanData = cleanData;
    this.cleanChecksums = cleanChecksums;
    this.referencesLeft = referencesLeft;
    this.reads = reads;
    this.reason = reason;
    this.decision = decision;
  }

  /** This status for a user that is no administrator: not how the policy decided. */
  public BlockStatus withoutDecision() {
    return new BlockStatus(
        block, storage, dirty, cleanData, cleanChecksums, referencesLeft, reads, reason, null);
  }
}
