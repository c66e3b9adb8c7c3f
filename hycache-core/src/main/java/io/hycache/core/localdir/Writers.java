package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a file is open for writing, and notices who opens it so during the few steps in
 * which that matters.
 *
 * <p>Where the kernel gives a read lease on the file, it answers both: no lease is given on a file
 * with a writer, and an open for writing breaks it. Everywhere else {@link ProcWriters} is asked
 * before and after. Thread-safe.
 */
final class Writers {
  /** A scan of {@code /proc} answers for so long, where a wrong answer costs only a copy. */
  private static final long FRESH_NANOS = 200_000_000;

  /** Holds while nobody came to write. */
  interface Watch extends AutoCloseable {
    /** True if nobody has, or had since the watch began, the file open for writing. */
    boolean undisturbed() throws IOException;

    @Override
    void close();
  }

  private final Path proc;
  private final @Nullable LinuxCalls calls;
  private final LongSupplier nanos;
  private @Nullable Set<Long> lastScan;
  private long lastScanNanos;

  /**
   * @param calls null: only {@code /proc} is asked
   */
  Writers(Path proc, @Nullable LinuxCalls calls, LongSupplier nanos) {
    this.proc = proc;
    this.calls = calls;
    this.nanos = nanos;
  }

  /** Whether it is worth to begin with a file; may be a moment old. */
  boolean probablyWritten(Path path, FileMark mark) throws IOException {
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
    Set<Long> scan = lastScan;
    if (scan == null || now - lastScanNanos > FRESH_NANOS) {
      scan = ProcWriters.scan(proc);
      lastScan = scan;
      lastScanNanos = now;
    }
    return scan;
  }

  /** Begins to watch a file; null if somebody has it open for writing. */
  @Nullable Watch watch(Path path, FileMark mark) throws IOException {
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
    if (ProcWriters.scan(proc).contains(mark.ino)) {
      return null;
    }
    return new Watch() {
      @Override
      public boolean undisturbed() throws IOException {
        return !ProcWriters.scan(proc).contains(mark.ino);
      }

      @Override
      public void close() {}
    };
  }
}
