// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;

/** What became of a workflow's hints for one block on one DataNode. Immutable. */
public final class HintedBlock {
  /** Instead of an age: it never was. */
  public static final long NEVER = -1;

  public final BlockKey block;

  /** Length of the replica; 0 if it is not known here. */
  public final long lengthBytes;

  /** Reads that the workflow expected, &gt; 0. */
  public final int expected;

  /** Expected reads that took place here while the block was on SSD. */
  public final int fromSsd;

  /** Expected reads that took place here while the block was on DISK alone. */
  public final int fromDisk;

  /** Expected reads that other DataNodes reported. */
  public final int elsewhere;

  /** Whether the block was on SSD when the hints arrived. */
  public final boolean wasOnSsd;

  /** Milliseconds since the block was first fetched for these hints; {@link #NEVER}. */
  public final long fetchedAgoMillis;

  /** Milliseconds since the last expected read; {@link #NEVER}. */
  public final long readAgoMillis;

  /** Why the block is, or is not, on SSD now. */
  public final Reason reason;

  public HintedBlock(
      BlockKey block,
      long lengthBytes,
      int expected,
      int fromSsd,
      int fromDisk,
      int elsewhere,
      boolean wasOnSsd,
      long fetchedAgoMillis,
      long readAgoMillis,
      Reason reason) {
    this.block = block;
    this.lengthBytes = lengthBytes;
    this.expected = expected;
    this.fromSsd = fromSsd;
    this.fromDisk = fromDisk;
    this.elsewhere = elsewhere;
    this.wasOnSsd = wasOnSsd;
    this.fetchedAgoMillis = fetchedAgoMillis;
    this.readAgoMillis = readAgoMillis;
    this.reason = reason;
  }

  /** Expected reads that took place, wherever. */
  public int reads() {
    return fromSsd + fromDisk + elsewhere;
  }
}
