// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.FastDevice;
import org.jspecify.annotations.Nullable;

/** Residency of one block on one DataNode, and the reason for it. Immutable. */
public final class BlockStatus {
  public final BlockKey block;

  /**
   * Storage of the replica itself: the storage type of a fast tier, such as {@code SSD}; {@code
   * DISK}, or {@code NONE}.
   */
  public final String storage;

  /** Whether the DataNode's only copy is on SSD, placed there by HyCache. */
  public final boolean dirty;

  /** Whether a clean copy of the data is on SSD. */
  public final boolean cleanData;

  /** Storage type of the tier with the clean copy of the data; {@code SSD} if there is none. */
  public final String copyType;

  /** Whether a copy of the checksum file is on SSD. */
  public final boolean cleanChecksums;

  /** Expected reads that running workflows have left. */
  public final long referencesLeft;

  /**
   * Accesses, see {@link io.hycache.core.table.BlockEntry#heat}: since the DataNode's start, and of
   * a block on SSD those of earlier processes, too.
   */
  public final long reads;

  public final Reason reason;

  /** The latest decision about the block; null if there was none, or if it is too long ago. */
  public final @Nullable LastDecision decision;

  /** Where it would be in mode active; null unless the mode is observe. */
  public final @Nullable ObservedPlace observed;

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
    this(
        block,
        storage,
        dirty,
        cleanData,
        FastDevice.SSD,
        cleanChecksums,
        referencesLeft,
        reads,
        reason,
        decision,
        null);
  }

  private BlockStatus(
      BlockKey block,
      String storage,
      boolean dirty,
      boolean cleanData,
      String copyType,
      boolean cleanChecksums,
      long referencesLeft,
      long reads,
      Reason reason,
      @Nullable LastDecision decision,
      @Nullable ObservedPlace observed) {
    this.block = block;
    this.storage = storage;
    this.dirty = dirty;
    this.cleanData = cleanData;
    this.copyType = copyType;
    this.cleanChecksums = cleanChecksums;
    this.referencesLeft = referencesLeft;
    this.reads = reads;
    this.reason = reason;
    this.decision = decision;
    this.observed = observed;
  }

  /** This status for users who are no administrators: without the decision. */
  public BlockStatus withoutDecision() {
    return with(copyType, null, observed);
  }

  /** This status of a block whose clean copy is on a tier of this storage type. */
  public BlockStatus withCopyOn(String storageType) {
    return with(storageType, decision, observed);
  }

  /**
   * This status of a block on a DataNode in mode observe.
   *
   * @param last the latest decision of the model; null if there is none
   */
  public BlockStatus withObserved(ObservedPlace place, @Nullable LastDecision last) {
    return with(copyType, last, place);
  }

  private BlockStatus with(
      String storageType, @Nullable LastDecision last, @Nullable ObservedPlace place) {
    return new BlockStatus(
        block,
        storage,
        dirty,
        cleanData,
        storageType,
        cleanChecksums,
        referencesLeft,
        reads,
        reason,
        last,
        place);
  }
}
