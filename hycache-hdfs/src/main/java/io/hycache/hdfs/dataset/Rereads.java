// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Finds clients that read the same data again within seconds.
 *
 * <p>A DataNode is not notified of a checksum error: the client closes the connection, reports the
 * block to the NameNode, and opens the block again at or after the position of the error. So an
 * open within a range that the same client has read within the last seconds is a reason to verify a
 * copy. It is no proof: programs read data twice for other reasons. While the earlier stream is
 * open, how far the client has read is not known, and many clients read a block by several threads:
 * then only an open at the same offset counts. {@link RecentReaders} find the others.
 *
 * <p>One slot per hash of client and block; a collision evicts the older entry. O(1), no
 * allocation, no lock: concurrent writes to a slot may mix, which leads to a missed or a needless
 * verification. Thread-safe.
 */
final class Rereads {
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String CLIENT = " client ";
  private static final int SLOTS = 1 << 12;
  private static final int WORDS = 4;
  private static final int WHO = 0;
  private static final int FROM = 1;
  private static final int TO = 2;
  private static final int WHEN = 3;

  /** In place of the end of the range, while the stream is open. */
  private static final long OPEN = Long.MAX_VALUE;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS * WORDS);
  private final LongSupplier nanoTime;

  Rereads(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Called when a client opens a block.
   *
   * @param threadName name of the DataXceiver thread, which contains the client's name
   * @return true if it has read this range within the last seconds
   */
  boolean opened(BlockKey block, String threadName, long offset) {
    long who = who(block, threadName);
    int at = slot(who);
    long now = nanoTime.getAsLong();
    long from = slots.get(at + FROM);
    long to = slots.get(at + TO);
    boolean again =
        slots.get(at + WHO) == who
            && now - slots.get(at + WHEN) < RECENT_NANOS
            && (to == OPEN ? offset == from : offset >= from && offset < to);
    slots.set(at + WHO, who);
    slots.set(at + FROM, offset);
    slots.set(at + TO, OPEN);
    slots.set(at + WHEN, now);
    return again;
  }

  /** Records the bytes that a client has read after it {@link #opened} the block at an offset. */
  void closed(BlockKey block, String threadName, long offset, long bytes) {
    long who = who(block, threadName);
    int at = slot(who);
    if (slots.get(at + WHO) == who && slots.get(at + FROM) == offset) {
      slots.set(at + TO, offset + bytes);
    }
  }

  private static int slot(long who) {
    return (int) ((who ^ (who >>> 32)) & (SLOTS - 1)) * WORDS;
  }

  /** Returns a hash of the block and of NAME in "DataXceiver for client NAME at ADDRESS [...]". */
  private static long who(BlockKey block, String threadName) {
    long hash = block.hashCode() * 0x9E3779B97F4A7C15L + 1;
    int from = threadName.indexOf(CLIENT);
    int to = from < 0 ? 0 : threadName.indexOf(' ', from + CLIENT.length());
    for (int i = Math.max(0, from); i < to; i++) {
      hash = hash * 31 + threadName.charAt(i);
    }
    return hash * 0x9E3779B97F4A7C15L;
  }
}
