// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.stats.RecentMove;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The promotions and demotions that have not ended, at most {@value #MOST_RUNNING}, and the last
 * {@value #MOST_ENDED} that have. Copies of checksum files are left out: there are too many of
 * them. O(1) for each state of a move; about 200 bytes for each move. Thread-safe.
 */
public final class MoveLog implements MoveListener {
  static final int MOST_RUNNING = 256;
  static final int MOST_ENDED = 64;

  private static final class Entry {
    final MoveKind kind;
    final Replica replica;
    final long begunNanos;
    MoveState state = MoveState.PLANNED;
    long endedNanos;

    Entry(MoveKind kind, Replica replica, long begunNanos) {
      this.kind = kind;
      this.replica = replica;
      this.begunNanos = begunNanos;
    }
  }

  private final LongSupplier nanoTime;

  /** By replica, which is in one move at a time; the oldest first. */
  private final Map<Replica, Entry> running = new LinkedHashMap<>();

  /** The last first. */
  private final Deque<Entry> ended = new ArrayDeque<>();

  private volatile MoveListener next = MoveListener.NONE;

  /**
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public MoveLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Sets a listener that is notified of all moves after this one, in place of an earlier one. */
  public void passOnTo(MoveListener listener) {
    next = listener;
  }

  @Override
  public void onMove(MoveKind kind, Replica replica, MoveState state) {
    if (kind != MoveKind.PROMOTE_CHECKSUMS) {
      keep(kind, replica, state);
    }
    next.onMove(kind, replica, state);
  }

  private synchronized void keep(MoveKind kind, Replica replica, MoveState state) {
    Entry entry = running.get(replica);
    if (entry == null || state == MoveState.PLANNED) {
      entry = new Entry(kind, replica, nanoTime.getAsLong());
    }
    entry.state = state;
    if (!isLast(kind, state)) {
      running.put(replica, entry);
      dropFirst(running.values().iterator(), running.size() - MOST_RUNNING);
      return;
    }
    running.remove(replica);
    entry.endedNanos = nanoTime.getAsLong();
    ended.addFirst(entry);
    dropFirst(ended.descendingIterator(), ended.size() - MOST_ENDED);
  }

  private static void dropFirst(Iterator<Entry> entries, int most) {
    for (int i = 0; i < most; i++) {
      entries.next();
      entries.remove();
    }
  }

  private static boolean isLast(MoveKind kind, MoveState state) {
    return state == MoveState.ROLLED_BACK
        || state == MoveState.SOURCE_REMOVED
        || (state == MoveState.COMMITTED && kind != MoveKind.DEMOTE);
  }

  /** The moves that have not ended, the oldest first, and then those that have, the last first. */
  public synchronized List<RecentMove> moves() {
    long now = nanoTime.getAsLong();
    List<RecentMove> out = new ArrayList<>();
    running.values().forEach(entry -> out.add(move(entry, now, RecentMove.NOT_ENDED)));
    ended.forEach(entry -> out.add(move(entry, now, millis(now - entry.endedNanos))));
    return out;
  }

  private static RecentMove move(Entry entry, long now, long endedAgoMillis) {
    return new RecentMove(
        entry.kind,
        entry.replica.block(),
        entry.replica.lengthBytes(),
        entry.state,
        millis(now - entry.begunNanos),
        endedAgoMillis);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos));
  }
}
