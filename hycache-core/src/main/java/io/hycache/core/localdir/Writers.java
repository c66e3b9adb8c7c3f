// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a file is open for writing, and whether it is opened for writing during the few
 * steps in which that matters.
 *
 * <p>A read lease answers both, where the kernel grants one: it grants none on a file with a
 * writer, and an open for writing breaks it. Otherwise {@link ProcWriters} is scanned before and
 * after. What neither can answer fails, instead of counting as a file without a writer.
 * Thread-safe.
 */
final class Writers {
  /** Time for which a scan of {@code /proc} is reused where a wrong answer only costs a copy. */
  private static final long SCAN_REUSE_NANOS = 200_000_000;

  /** Detects writers from its creation on. */
  interface Watch extends AutoCloseable {
    /**
     * True if the file has no writer, and had none since the watch began.
     *
     * @throws IOException if it can't be determined
     */
    boolean undisturbed() throws IOException;

    @Override
    void close();
  }

  private final Path proc;
  private final Caller caller;
  private final LongSupplier nanos;
  private @Nullable Set<Long> lastScan;
  private @Nullable IOException lastFailure;
  private long lastScanNanos;

  /**
   * @param caller without system calls: only {@code /proc} is used
   */
  Writers(Path proc, Caller caller, LongSupplier nanos) {
    this.proc = proc;
    this.caller = caller;
    this.nanos = nanos;
  }

  /**
   * Whether a file probably has a writer, so that a move is not worth starting; may be slightly
   * outdated.
   *
   * @throws IOException if it can't be determined
   */
  boolean probablyWritten(Path path, FileMark mark) throws IOException {
    LinuxCalls calls = caller.calls;
    if (calls != null) {
      ReadLeases.Asked asked = calls.leases.ask(path);
      if (asked.lease != null) {
        asked.lease.close();
        return false;
      }
      if (asked.writer) {
        return true;
      }
    }
    return recent().contains(mark.ino);
  }

  private synchronized Set<Long> recent() throws IOException {
    long now = nanos.getAsLong();
    if ((lastScan == null && lastFailure == null) || now - lastScanNanos > SCAN_REUSE_NANOS) {
      lastScanNanos = now;
      lastScan = null;
      lastFailure = null;
      try {
        lastScan = ProcWriters.scan(proc, caller);
      } catch (IOException e) {
        lastFailure = e;
      }
    }
    Set<Long> scan = lastScan;
    if (scan == null) {
      throw new IOException("it is unknown which files are written", lastFailure);
    }
    return scan;
  }

  /**
   * Begins to watch a file; null if it is open for writing.
   *
   * @throws IOException if it can't be determined
   */
  @Nullable Watch watch(Path path, FileMark mark) throws IOException {
    LinuxCalls calls = caller.calls;
    if (calls != null) {
      ReadLeases.Asked asked = calls.leases.ask(path);
      if (asked.writer) {
        return null;
      }
      ReadLeases.Lease lease = asked.lease;
      if (lease != null) {
        return new Watch() {
          @Override
          public boolean undisturbed() {
            return lease.holds();
          }

          @Override
          public void close() {
            lease.close();
          }
        };
      }
    }
    if (ProcWriters.scan(proc, caller).contains(mark.ino)) {
      return null;
    }
    return new Watch() {
      @Override
      public boolean undisturbed() throws IOException {
        return !ProcWriters.scan(proc, caller).contains(mark.ino);
      }

      @Override
      public void close() {}
    };
  }
}
