package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.InputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.jspecify.annotations.Nullable;

/** The reads of HDFS's dataset: a clean copy's stream, or none and plain HDFS's. Thread-safe. */
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

  /** The clean copy's checksum file, or null: ask plain HDFS. */
  public @Nullable LengthInputStream openCleanChecksums(BlockKey block) {
    if (activity.off()) {
      return null;
    }
    try {
      return reads.checksums(block);
    } catch (Throwable e) { // HDFS closes what it has open for the read after IOExceptions only
      guard.failed("open the checksums of a clean copy", e);
      return null;
    }
  }

  /** The clean copy's data from an offset on, or null: ask plain HDFS. */
  public @Nullable InputStream openCleanData(BlockKey block, long offset) {
    if (activity.off()) {
      return null;
    }
    try {
      return reads.data(block, offset);
    } catch (Throwable e) { // as above
      guard.failed("open a clean copy", e);
      return null;
    }
  }

  /** Counts what is read from a stream that plain HDFS opened. */
  public InputStream observe(InputStream plain, BlockKey block, long offset) {
    if (activity.off()) {
      return plain;
    }
    return guard.call("observe", plain, () -> reads.observed(plain, block, offset));
  }

  /** True if some part of a clean copy of the block is known. */
  public boolean hasCopy(BlockKey block) {
    return copies.get(block) != null;
  }

  /** A replica had moved between its look-up and the opening of its file. */
  public void lookedAgain() {
    counters.increment(Counter.LOOKS_REPEATED);
  }

  /** HDFS was about to give up a replica whose files are there. */
  public void notMissing() {
    counters.increment(Counter.NOT_MISSING);
  }
}
