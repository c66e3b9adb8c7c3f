package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.Supervisor;
import io.hycache.core.stats.Counters;
import java.io.File;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the parts of the scrubber have in common. Immutable. */
final class ScrubContext {
  final ReplicaStore store;
  final CleanCopies copies;

  /** What users do on the DISK volume with a root. */
  final Function<File, DiskUse> useOf;

  final Counters counters;

  /** Takes a copy out of the index and removes its files. */
  final Consumer<BlockKey> drop;

  /** Counts what fails. */
  final Supervisor.Part part;

  /** Read from each SSD at most. */
  final long bytesPerSec;

  /** Each copy is verified once in it; 0: only suspects and what was found. */
  final long periodNanos;

  ScrubContext(
      ReplicaStore store,
      CleanCopies copies,
      Function<File, DiskUse> useOf,
      Counters counters,
      Consumer<BlockKey> drop,
      Supervisor.Part part,
      long bytesPerSec,
      long periodNanos) {
    this.store = store;
    this.copies = copies;
    this.useOf = useOf;
    this.counters = counters;
    this.drop = drop;
    this.part = part;
    this.bytesPerSec = bytesPerSec;
    this.periodNanos = periodNanos;
  }

  /** True once {@link System#nanoTime} is at this or beyond it. */
  static boolean isPast(long nanos) {
    return System.nanoTime() - nanos >= 0;
  }
}
