// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

/** A snapshot of an active workflow. An immutable value with public fields. */
public final class WorkflowStatus {
  /** What was accepted of it. */
  public final HintReceipt receipt;

  /** References that are not used up, 1 to {@link HintReceipt#accepted()}. */
  public final int left;

  /** Time since its submission, &gt;= 0. */
  public final long ageMillis;

  /** Time until its hints expire, &gt;= 0. */
  public final long expiresInMillis;

  /** Blocks with references left that cache directives pin, and that are on SSD here. */
  public final int pinnedBlocks;

  public WorkflowStatus(HintReceipt receipt, int left, long ageMillis, long expiresInMillis) {
    this(receipt, left, ageMillis, expiresInMillis, 0);
  }

  private WorkflowStatus(
      HintReceipt receipt, int left, long ageMillis, long expiresInMillis, int pinnedBlocks) {
    this.receipt = receipt;
    this.left = left;
    this.ageMillis = ageMillis;
    this.expiresInMillis = expiresInMillis;
    this.pinnedBlocks = pinnedBlocks;
  }

  /** This status of a workflow of which so many blocks are pinned. */
  public WorkflowStatus withPinned(int blocks) {
    return new WorkflowStatus(receipt, left, ageMillis, expiresInMillis, blocks);
  }

  public WorkflowId id() {
    return receipt.workflow();
  }
}
