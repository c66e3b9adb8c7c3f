// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.InputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens block streams for HDFS's dataset from clean copies, and counts the reads of plain HDFS's
 * streams. Thread-safe; never blocks.
 */
public final class ReadPath {
  private final CleanReads reads;
  private final CleanCopies copies;
  private final Activity activity;
  private final Guard guard;
  private final Counters counters;

  ReadPath(
      CleanReads reads, CleanCopies copies, Activity activity, Guard guard, Counters counters) {
    this.reads = reads;
    this.copies = copies;
    this.activity = activity;
    this.guard = guard;
    this.counters = counters;
  }

  /**
   * Opens the checksum file of a clean copy; returns null if plain HDFS must serve it.
   *
   * @param generationStamp that was asked for; see {@link #openCleanData}
   */
  public @Nullable LengthInputStream openCleanChecksums(BlockKey block, long generationStamp) {
    if (activity.off()) {
      return null;
    }
    try {
      return reads.checksums(block, generationStamp);
    } catch (Throwable e) { // after other exceptions HDFS would leak the read's open streams
      guard.failed("open the checksums of a clean copy", e);
      return null;
    }
  }

  /**
   * Opens the data of a clean copy at an offset; returns null if plain HDFS must serve it.
   *
   * @param generationStamp that was asked for: a copy of another state is not served, because the
   *     reader expects another length, and HDFS refuses to open such a replica
   */
  public @Nullable InputStream openCleanData(BlockKey block, long generationStamp, long offset) {
    if (activity.off()) {
      return null;
    }
    try {
      return reads.data(block, generationStamp, offset);
    } catch (Throwable e) { // see above
      guard.failed("open a clean copy", e);
      return null;
    }
  }

  /** Wraps a stream that plain HDFS opened so that its reads are counted. */
  public InputStream observe(InputStream plain, BlockKey block, long generationStamp, long offset) {
    if (activity.off()) {
      return plain;
    }
    return guard.call(
        "observe", plain, () -> reads.observed(plain, block, generationStamp, offset));
  }

  /**
   * Called when plain HDFS could not open the data after {@link #openCleanData} left it to it: the
   * volume that was chosen has no stream more.
   */
  public void notOpened() {
    guard.run("not opened", reads::notOpened);
  }

  /** Returns true if the block has a clean copy, complete or of its checksum file alone. */
  public boolean hasCopy(BlockKey block) {
    return copies.get(block) != null;
  }

  /**
   * Counts a look-up that was repeated because the replica had moved before its file was opened.
   */
  public void lookedAgain() {
    counters.increment(Counter.LOOKS_REPEATED);
  }

  /** Counts a replica that HDFS took for missing although its files exist. */
  public void notMissing() {
    counters.increment(Counter.NOT_MISSING);
  }
}
