// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import org.jspecify.annotations.Nullable;

/** A snapshot of a workflow, active or ended a while ago. An immutable value with public fields. */
public final class WorkflowStatus {
  /** What was accepted of it. */
  public final HintReceipt receipt;

  /**
   * References that are not used up, 0 to {@link HintReceipt#accepted()}; at least 1 of an active
   * one.
   */
  public final int left;

  /** Time since its submission, &gt;= 0. */
  public final long ageMillis;

  /** Time until its hints expire, &gt;= 0. */
  public final long expiresInMillis;

  /** Blocks with references left that cache directives pin, and that are on SSD here. */
  public final int pinnedBlocks;

  /** What became of the hints; null if the DataNode does not say. */
  public final @Nullable WorkflowProgress progress;

  public WorkflowStatus(HintReceipt receipt, int left, long ageMillis, long expiresInMillis) {
    this(receipt, left, ageMillis, expiresInMillis, 0, null);
  }

  private WorkflowStatus(
      HintReceipt receipt,
      int left,
      long ageMillis,
      long expiresInMillis,
      int pinnedBlocks,
      @Nullable WorkflowProgress progress) {
    this.receipt = receipt;
    this.left = left;
    this.ageMillis = ageMillis;
    this.expiresInMillis = expiresInMillis;
    this.pinnedBlocks = pinnedBlocks;
    this.progress = progress;
  }

  /** This status of a workflow of which so many blocks are pinned. */
  public WorkflowStatus withPinned(int blocks) {
    return new WorkflowStatus(receipt, left, ageMillis, expiresInMillis, blocks, progress);
  }

  /** This status with what became of the hints. */
  public WorkflowStatus with(@Nullable WorkflowProgress known) {
    return new WorkflowStatus(receipt, left, ageMillis, expiresInMillis, pinnedBlocks, known);
  }

  /** Returns true if it was read as often as expected, withdrawn, or its TTL is over. */
  public boolean isOver() {
    return progress != null && progress.overAgoMillis >= 0;
  }

  public WorkflowId id() {
    return receipt.workflow();
  }
}
