// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

/** What became of a workflow's hints on one DataNode. An immutable value with public fields. */
public final class WorkflowProgress {
  /** {@link #overAgoMillis} of a workflow that is active. */
  public static final long ACTIVE = -1;

  /** What submitted them, see {@link Hints#by}. */
  public final String by;

  /** Reads that used up a reference and found the block on SSD. */
  public final int fromSsd;

  /** Reads that used up a reference and came before the block was on SSD, or after it had left. */
  public final int fromDisk;

  /** References that reads on other DataNodes used up. */
  public final int elsewhere;

  /** Blocks with references left that are on SSD. */
  public final int onSsd;

  /** Time since the workflow ended, &gt;= 0; {@link #ACTIVE} if it has not. */
  public final long overAgoMillis;

  public WorkflowProgress(
      String by, int fromSsd, int fromDisk, int elsewhere, int onSsd, long overAgoMillis) {
    this.by = by;
    this.fromSsd = fromSsd;
    this.fromDisk = fromDisk;
    this.elsewhere = elsewhere;
    this.onSsd = onSsd;
    this.overAgoMillis = overAgoMillis;
  }

  /** Returns the references that reads used up. */
  public int read() {
    return fromSsd + fromDisk + elsewhere;
  }
}
