package io.hycache.hdfs.dataset;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds clients that close their connection right after they were sent data.
 *
 * <p>A client that finds a wrong checksum closes the connection when it has come that far, which
 * may be after all was sent. A client that is content keeps the connection for its next request,
 * for some seconds. So a connection that is closed within {@link #SOON_NANOS} after the stream is a
 * reason to verify what was sent. It is no proof: a client that has read enough closes it too. What
 * does not fit into the queue is forgotten.
 *
 * <p>{@link #closed} is for all threads and never waits; the rest is for one.
 */
final class RecentReaders {
  /** HDFS's client keeps an idle connection for 3 seconds, its server for 4. */
  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private static final int MOST = 4096;

  /** Is notified of a client that closed its connection. */
  interface Sink {
    void hungUp(CleanCopies.Copy copy, long fromBytes, long toBytes);
  }

  private static final class Reader {
    final CleanCopies.Copy copy;
    final long fromBytes;
    final long toBytes;
    final BooleanSupplier gone;
    final long closedNanos;

    Reader(
        CleanCopies.Copy copy,
        long fromBytes,
        long toBytes,
        BooleanSupplier gone,
        long closedNanos) {
      this.copy = copy;
      this.fromBytes = fromBytes;
      this.toBytes = toBytes;
      this.gone = gone;
      this.closedNanos = closedNanos;
    }
  }

  private final ArrayBlockingQueue<Reader> fresh = new ArrayBlockingQueue<>(MOST);
  private final Deque<Reader> watched = new ArrayDeque<>();

  /**
   * A stream was closed after a part of a block was sent that has a copy.
   *
   * @param gone whether its client has closed the connection; null: it can't be seen
   */
  void closed(
      CleanCopies.Copy copy,
      long fromBytes,
      long toBytes,
      @Nullable BooleanSupplier gone,
      long nowNanos) {
    if (gone != null) {
      boolean unused = fresh.offer(new Reader(copy, fromBytes, toBytes, gone, nowNanos));
    }
  }

  /** Notifies of each client that has gone. Each is looked at once at least. */
  void look(long nowNanos, Sink sink) {
    fresh.drainTo(watched, MOST - watched.size());
    for (Iterator<Reader> all = watched.iterator(); all.hasNext(); ) {
      Reader reader = all.next();
      if (reader.gone.getAsBoolean()) {
        all.remove();
        sink.hungUp(reader.copy, reader.fromBytes, reader.toBytes);
      } else if (nowNanos - reader.closedNanos > SOON_NANOS) {
        all.remove();
      }
    }
  }
}
