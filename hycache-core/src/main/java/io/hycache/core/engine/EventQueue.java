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
 * What waits for the planner, first in, first out. Bounded: a block's event that finds it full is
 * dropped and counted, and the block is remembered as doubtful; when there are too many of these,
 * all are. Outcomes of moves are never dropped: there are no more of them than moves under way.
 * Thread-safe; nothing waits.
 */
final class EventQueue {
  /** Events that wait at most, and doubtful blocks: some 10 MB each. */
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

  /** An event that counts towards the bound. */
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

  /** Adds what must not be lost, and of which there are few. */
  void add(Runnable event) {
    if (!closed) {
      queue.add(event);
    }
  }

  /** Returns false if it is full: the event is not taken. */
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

  /** Adds an event about a block; if it is full, the block is looked at again later. */
  void offer(BlockKey about, Runnable event) {
    if (offer(event) || closed) {
      return;
    }
    counters.increment(Counter.EVENTS_DROPPED);
    doubt(about);
  }

  /** What is known of a block may be wrong: it is looked at again later. */
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

  /** More than half full: who can wait should. */
  boolean crowded() {
    return waiting.get() > MAX_EVENTS / 2;
  }

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

  /** Blocks remembered as doubtful. */
  int doubtful() {
    return doubts.get();
  }

  /** True if all blocks are to be looked at again; from now on they are not. One thread only. */
  boolean takeAllDoubtful() {
    if (!allDoubtful) {
      return false;
    }
    takeDoubtful(Integer.MAX_VALUE);
    // From here on a drop is remembered by its block again, so none falls between.
    allDoubtful = false;
    return true;
  }

  /** Takes some of the blocks that are to be looked at again. One thread only. */
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

  /** Some block, or all, are to be looked at again. */
  boolean isDoubtful() {
    return allDoubtful || doubts.get() > 0;
  }

  /** Nobody can say which blocks are known right: all are to be looked at again. */
  void doubtAll() {
    allDoubtful = true;
  }

  /** Nobody takes anything any more: lets go of what waits, and takes nothing. */
  void close() {
    closed = true;
    queue.clear();
    doubtful.clear();
  }
}
