// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
 * <p>A client closes its connection when it finds a wrong checksum, possibly after all data was
 * sent. A client without errors keeps the connection for its next request for some seconds. So a
 * connection that is closed within {@link #HANG_UP_NANOS} after the stream is a reason to verify
 * the bytes sent. It is no proof: a client that has read enough closes the connection, too. Readers
 * beyond the capacity of the queue are dropped.
 *
 * <p>Thread-safe; {@link #closed} never blocks.
 */
final class RecentReaders {
  /** HDFS's client keeps an idle connection for 3 seconds, its server for 4. */
  private static final long HANG_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private static final int MAX_READERS = 4096;

  /** Notified of clients that closed their connection. */
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

  private final ArrayBlockingQueue<Reader> fresh = new ArrayBlockingQueue<>(MAX_READERS);
  private final Deque<Reader> watched = new ArrayDeque<>();
  private final Runnable lookSoon;

  /**
   * @param lookSoon has {@link #look} called; called when there is a reader to look at. Never waits
   */
  RecentReaders(Runnable lookSoon) {
    this.lookSoon = lookSoon;
  }

  /**
   * Called when a stream of a block with a clean copy is closed.
   *
   * @param gone returns whether the client has closed the connection; null if unknown
   */
  void closed(
      CleanCopies.Copy copy,
      long fromBytes,
      long toBytes,
      @Nullable BooleanSupplier gone,
      long nowNanos) {
    if (gone != null) {
      boolean unused = fresh.offer(new Reader(copy, fromBytes, toBytes, gone, nowNanos));
      lookSoon.run();
    }
  }

  /** Reports all clients that closed their connection. Each client is checked at least once. */
  synchronized void look(long nowNanos, Sink sink) {
    watchFresh();
    for (Iterator<Reader> all = watched.iterator(); all.hasNext(); ) {
      Reader reader = all.next();
      if (reader.gone.getAsBoolean()) {
        all.remove();
        sink.hungUp(reader.copy, reader.fromBytes, reader.toBytes);
      } else if (nowNanos - reader.closedNanos > HANG_UP_NANOS) {
        all.remove();
      }
    }
    if (!watched.isEmpty() || !fresh.isEmpty()) {
      lookSoon.run();
    }
  }

  /**
   * Removes the readers of a copy, and reports them as if they had closed their connection. O(n)
   * for n readers.
   */
  synchronized void take(CleanCopies.Copy copy, Sink sink) {
    watchFresh();
    for (Iterator<Reader> all = watched.iterator(); all.hasNext(); ) {
      Reader reader = all.next();
      if (reader.copy.hasFileOf(copy)) {
        all.remove();
        sink.hungUp(reader.copy, reader.fromBytes, reader.toBytes);
      }
    }
  }

  private void watchFresh() {
    fresh.drainTo(watched, MAX_READERS - watched.size());
  }
}
