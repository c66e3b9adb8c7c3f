// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Finds clients that close their connection right after they were sent data.
 *
 * <p>A client closes its connection when it finds a wrong checksum, possibly after all data was
 * sent. A client without errors keeps the connection for its next request for some seconds. So a
 * connection that is closed within {@link #HANG_UP_NANOS} after the stream is a reason to verify
 * the bytes sent. It is no proof: a client that has read enough closes the connection, too. A
 * client verifies all bytes of a stream before it uses the connection again, so only the last
 * stream of each connection counts. Connections beyond a maximum are ignored.
 *
 * <p>Thread-safe; {@link #closed} never blocks, O(1).
 */
final class RecentReaders {
  /** HDFS's client keeps an idle connection for 3 seconds, its server for 4. */
  private static final long HANG_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  /** Default of {@code dfs.datanode.max.transfer.threads}: each connection has a thread. */
  private static final int MAX_CONNECTIONS = 4096;

  /** Notified of clients that closed their connection. */
  interface Sink {
    void hungUp(CleanCopies.Copy copy, SentBytes bytes);
  }

  private static final class Reader {
    final CleanCopies.Copy copy;
    final SentBytes bytes;
    final BooleanSupplier gone;
    final long closedNanos;

    Reader(CleanCopies.Copy copy, SentBytes bytes, BooleanSupplier gone, long closedNanos) {
      this.copy = copy;
      this.bytes = bytes;
      this.gone = gone;
      this.closedNanos = closedNanos;
    }
  }

  /** The last stream of each connection. */
  private final Map<Object, Reader> last = new ConcurrentHashMap<>();

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
   * @param bytes of the stream
   * @param connection identifies the client's connection
   * @param gone returns whether the client has closed the connection
   */
  void closed(
      CleanCopies.Copy copy,
      SentBytes bytes,
      Object connection,
      BooleanSupplier gone,
      long nowNanos) {
    if (last.size() < MAX_CONNECTIONS || last.containsKey(connection)) {
      last.put(connection, new Reader(copy, bytes, gone, nowNanos));
      lookSoon.run();
    }
  }

  /** Reports all clients that closed their connection. Each client is checked at least once. */
  void look(long nowNanos, Sink sink) {
    last.forEach(
        (connection, reader) -> {
          if (reader.gone.getAsBoolean()) {
            report(connection, reader, sink);
          } else if (nowNanos - reader.closedNanos > HANG_UP_NANOS) {
            last.remove(connection, reader);
          }
        });
    if (!last.isEmpty()) {
      lookSoon.run();
    }
  }

  /**
   * Removes the readers of a copy, and reports them as if they had closed their connection. O(n)
   * for n connections.
   */
  void take(CleanCopies.Copy copy, Sink sink) {
    last.forEach(
        (connection, reader) -> {
          if (reader.copy.hasFileOf(copy)) {
            report(connection, reader, sink);
          }
        });
  }

  /** Reports a reader, unless the other of the two methods above does. */
  private void report(Object connection, Reader reader, Sink sink) {
    if (last.remove(connection, reader)) {
      sink.hungUp(reader.copy, reader.bytes);
    }
  }
}
