// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for the planner, first in, first out. Bounded: an event about a block that
 * finds the queue full is dropped and counted, and the block is remembered as doubtful; when too
 * many blocks are doubtful, all are. Outcomes of moves are never dropped: there are no more of them
 * than moves under way. Thread-safe; no method waits.
 */
final class EventQueue {
  /** Most events that wait, and most doubtful blocks that are remembered: about 10 MB each. */
  static final int MAX_EVENTS = 1 << 16;

  private final Counters counters;
  private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<BlockKey> doubtful = ConcurrentHashMap.newKeySet();
  private final AtomicInteger doubts = new AtomicInteger();
  private volatile boolean allDoubtful;
  private volatile boolean closed;

  EventQueue(Counters counters) {
    this.counters = counters;
  }

  /** An event that counts towards {@link #MAX_EVENTS}. */
  private final class Bounded implements Runnable {
    final Runnable event;

    Bounded(Runnable event) {
      this.event = event;
    }

    @Override
    public void run() {
      waiting.decrementAndGet();
      event.run();
    }
  }

  /** Adds an event that must not be lost. There must be few of its kind. */
  void add(Runnable event) {
    if (!closed) {
      queue.add(event);
    }
  }

  /** Adds an event; returns false if the queue is full or closed. */
  boolean offer(Runnable event) {
    if (closed) {
      return false;
    }
    if (waiting.incrementAndGet() > MAX_EVENTS) {
      waiting.decrementAndGet();
      return false;
    }
    boolean added = false;
    try {
      queue.add(new Bounded(event));
      added = true;
    } finally {
      if (!added) {
        waiting.decrementAndGet();
      }
    }
    return true;
  }

  /** Adds an event about a block; if the queue is full, the block becomes doubtful. */
  void offer(BlockKey about, Runnable event) {
    if (offer(event) || closed) {
      return;
    }
    counters.increment(Counter.EVENTS_DROPPED);
    doubt(about);
  }

  /** Marks a block as doubtful: what the planner recorded of it may be wrong. */
  void doubt(BlockKey about) {
    if (closed) {
      return;
    }
    if (allDoubtful || !doubtful.add(about)) {
      return;
    }
    if (doubts.incrementAndGet() > MAX_EVENTS) {
      allDoubtful = true;
    }
  }

  /** True if the queue is more than half full: callers that can wait should. */
  boolean crowded() {
    return waiting.get() > MAX_EVENTS / 2;
  }

  /** Removes the next event; null if none waits. */
  @Nullable Runnable poll() {
    return queue.poll();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Events that wait and count towards the bound. */
  int waiting() {
    return waiting.get();
  }

  /** Number of blocks that are remembered as doubtful. */
  int doubtful() {
    return doubts.get();
  }

  /** Returns whether all blocks are doubtful, and clears that. One thread only. */
  boolean takeAllDoubtful() {
    if (!allDoubtful) {
      return false;
    }
    takeDoubtful(Integer.MAX_VALUE);
    // From here on a dropped event marks its own block again, so none is missed.
    allDoubtful = false;
    return true;
  }

  /** Removes and returns some doubtful blocks. One thread only. */
  List<BlockKey> takeDoubtful(int most) {
    List<BlockKey> taken = new ArrayList<>();
    Iterator<BlockKey> keys = doubtful.iterator();
    while (keys.hasNext() && taken.size() < most) {
      taken.add(keys.next());
      keys.remove();
      doubts.decrementAndGet();
    }
    return taken;
  }

  /** True if some block is doubtful, or all are. */
  boolean isDoubtful() {
    return allDoubtful || doubts.get() > 0;
  }

  /** Marks all blocks as doubtful. */
  void doubtAll() {
    allDoubtful = true;
  }

  /** Drops all events and takes no more: the planner has ended. */
  void close() {
    closed = true;
    queue.clear();
    doubtful.clear();
  }
}
