package io.hycache.core.hint;

/** A workflow that is not used up, as it is at a moment. An immutable value with public fields. */
public final class WorkflowStatus {
  /** What was taken of it, and why not all. */
  public final HintReceipt receipt;

  /** Steps that are not used up, 1 to {@link HintReceipt#accepted()}. */
  public final int left;

  /** Time since it was submitted, &gt;= 0. */
  public final long ageMillis;

  /** Time until its hints are forgotten; 0 if they are about to be. */
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
