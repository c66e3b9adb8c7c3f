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

  public WorkflowStatus(HintReceipt receipt, int left, long ageMillis, long expiresInMillis) {
    this.receipt = receipt;
    this.left = left;
    this.ageMillis = ageMillis;
    this.expiresInMillis = expiresInMillis;
  }

  public WorkflowId id() {
    return receipt.workflow();
  }
}
