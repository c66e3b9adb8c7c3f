// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

/** How many references cursors may still pass, over all workflows. Single-threaded. */
public final class StepLimit {
  private long left;

  /**
   * @param most references, &gt;= 0
   */
  public StepLimit(long most) {
    left = most;
  }

  /** Takes one reference; false if the limit is reached. */
  boolean take() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  /** True if no reference is left: cursors may not be at the end. */
  public boolean isReached() {
    return left == 0;
  }
}
