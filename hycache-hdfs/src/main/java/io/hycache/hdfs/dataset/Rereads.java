package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Finds clients that read again what they were sent a moment ago.
 *
 * <p>A DataNode is not notified of a checksum error: the client closes the connection, reports the
 * block to the NameNode, and opens the block once more at or behind the place where the error was.
 * So an open within a range that the same client has read from within the last seconds is a reason
 * to verify a copy. It is no proof: programs read things twice, too.
 *
 * <p>One slot for each hash of client and block; a collision forgets the older. O(1), no
 * allocation, no lock: what two threads write to one slot at once may be mixed up, and then a
 * reason is missed or one is given for nothing. Thread-safe.
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

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS * WORDS);
  private final LongSupplier nanoTime;

  Rereads(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * A client opens a block.
   *
   * @param threadName of the DataXceiver, which names the client
   * @return true if it has read from there within the last seconds
   */
  boolean opened(BlockKey block, String threadName, long offset) {
    long who = who(block, threadName);
    int at = slot(who);
    long now = nanoTime.getAsLong();
    boolean again =
        slots.get(at + WHO) == who
            && now - slots.get(at + WHEN) < RECENT_NANOS
            && offset >= slots.get(at + FROM)
            && offset < slots.get(at + TO);
    slots.set(at + WHO, who);
    slots.set(at + FROM, offset);
    slots.set(at + TO, Long.MAX_VALUE);
    slots.set(at + WHEN, now);
    return again;
  }

  /** The client that {@link #opened} the block at an offset took so many bytes. */
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

  /** "DataXceiver for client NAME at ADDRESS [...]": the name, and the block. */
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
