// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.hycache.core.directory.Change;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.stats.QuietLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * A node writes its journal under a record's lock, on threads that the DataNode needs for calls of its
 * own. So that a device that hangs does not hold them, changes wait in a bounded queue, and one thread
 * writes them in order. If the device is only slow, a full queue holds up its callers, but not for longer
 * than MAX_CALLER_WAIT after it filled up: one call can bring thousands of changes. It counts as full
 * until half of it is written.
 *
 *   KEEPING --(the queue stays full, or a write throws)--> LOST --(the journal is cleared)--> KEEPING
 *
 * Once a change is lost, later ones must not be written on top of what the journal has: an appended
 * entry would stand behind entries that were replaced, and a removed record would come back. So in LOST
 * all changes are dropped, and the journal is cleared before it takes others. Each record is in it again
 * from its next whole change on, such as a DataNode's publishing its blocks again. Until the device
 * answers, the journal is as it was when it began to hang.
 */
/**
 * Keeps a journal's device from holding up the directory. One daemon thread, which ends when there
 * is nothing to write. Thread-safe.
 */
final class QueuedJournal implements RecordJournal {
  private static final Logger LOG = LoggerFactory.getLogger(QueuedJournal.class);
  private static final int MAX_WAITING_CHANGES = 100_000;
  private static final long MAX_WAITING_BYTES = 64L << 20;

  /** Changes that the thread takes at a time. */
  private static final int MAX_TAKEN_CHANGES = 256;

  private static final Duration MAX_CALLER_WAIT = Duration.ofMillis(250);
  private static final Duration MAX_CLOSE_WAIT = Duration.ofSeconds(5);
  private static final int THREAD_IDLE_SECONDS = 10;
  private static final long ENTRY_OVERHEAD_BYTES = 48;

  private final RecordJournal journal;
  private final int maxWaiting;
  private final Duration callerWait;
  private final Duration closeWait;
  private final LongSupplier nanoTime;
  private final QuietLog lostLog = new QuietLog(LOG);
  private final ThreadPoolExecutor writer;

  @GuardedBy("this")
  private final Queue<Step> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private long waitingBytes;

  /** The queue filled up, and has not been half empty since. */
  @GuardedBy("this")
  private boolean full;

  /** When it filled up. */
  @GuardedBy("this")
  private long filledNanos;

  /** The thread runs, or is about to. */
  @GuardedBy("this")
  private boolean writing;

  @GuardedBy("this")
  private boolean lost;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private long dropped;

  /** A change, or the end of a record. Immutable. */
  private static final class Step {
    final String key;
    final @Nullable Change change;

    Step(String key, @Nullable Change change) {
      this.key = key;
      this.change = change;
    }

    void writeTo(RecordJournal to) {
      if (change == null) {
        to.drop(key);
      } else {
        to.write(change);
      }
    }

    long bytes() {
      long sum = ENTRY_OVERHEAD_BYTES + key.length();
      if (change != null) {
        for (byte[] entry : change.entries()) {
          sum += entry.length;
        }
      }
      return sum;
    }
  }

  /**
   * @param journal closed with this
   */
  QueuedJournal(RecordJournal journal) {
    this(journal, MAX_WAITING_CHANGES, MAX_CALLER_WAIT, MAX_CLOSE_WAIT);
  }

  /**
   * @param maxWaiting changes that wait
   * @param callerWait for how long the queue may be full before changes are lost
   * @param closeWait for how long {@link #close} waits until all is written
   */
  QueuedJournal(RecordJournal journal, int maxWaiting, Duration callerWait, Duration closeWait) {
    this(journal, maxWaiting, callerWait, closeWait, System::nanoTime);
  }

  /**
   * As above.
   *
   * @param nanoTime a monotonic clock in nanoseconds
   */
  QueuedJournal(
      RecordJournal journal,
      int maxWaiting,
      Duration callerWait,
      Duration closeWait,
      LongSupplier nanoTime) {
    this.journal = journal;
    this.nanoTime = nanoTime;
    this.maxWaiting = maxWaiting;
    this.callerWait = callerWait;
    this.closeWait = closeWait;
    this.writer =
        new ThreadPoolExecutor(
            0,
            1,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // one waits at most, see writing
            task -> {
              Thread thread = new Thread(task, "HyCacheDirectoryJournal");
              thread.setDaemon(true);
              return thread;
            });
  }

  // ---- the callers' side ------------------------------------------------------------------------

  @Override
  public void write(Change change) {
    add(new Step(change.key(), change));
  }

  @Override
  public void drop(String key) {
    add(new Step(key, null));
  }

  @Override
  public void clear() {
    boolean start;
    synchronized (this) {
      lose();
      start = begins();
    }
    if (start) {
      start();
    }
  }

  @Override
  public void load(Consumer<Change> to) {
    journal.load(to);
  }

  /** Changes that were not kept, since the device hung or was too slow. */
  synchronized long dropped() {
    return dropped;
  }

  private void add(Step step) {
    boolean overflows = false;
    boolean start;
    long lostChanges;
    synchronized (this) {
      boolean unused = await(this::leftNanos, step);
      if (closed) {
        return;
      }
      if (lost) {
        dropped++;
      } else if (hasRoom(step)) {
        waiting.add(step);
        waitingBytes += step.bytes();
      } else {
        overflows = true;
        dropped++;
        lose();
      }
      start = begins();
      lostChanges = dropped;
    }
    if (start) {
      start();
    }
    if (overflows) {
      lostLog.warn(
          null,
          "The directory's journal hangs or is too slow. It is cleared when its device answers; the"
              + " directory goes on in memory: dropped={}",
          lostChanges);
    }
  }

  @GuardedBy("this")
  private boolean hasRoom(Step step) {
    return waiting.isEmpty()
        || (waiting.size() < maxWaiting && waitingBytes + step.bytes() <= MAX_WAITING_BYTES);
  }

  /** What waits is of no use any more, and what the journal has neither. */
  @GuardedBy("this")
  private void lose() {
    lost = true;
    dropped += waiting.size();
    waiting.clear();
    waitingBytes = 0;
    full = false;
    notifyAll();
  }

  /** How long callers may still wait for room: the queue is full. */
  private synchronized long leftNanos() {
    long now = nanoTime.getAsLong();
    if (!full) {
      full = true;
      filledNanos = now;
    }
    return callerWait.toNanos() - (now - filledNanos);
  }

  /**
   * Waits for room for a step, or if there is none, until all is written. Returns false if late.
   *
   * @param leftNanos for how long it may still wait; asked before each wait
   */
  private synchronized boolean await(LongSupplier leftNanos, @Nullable Step step) {
    while (step == null ? writing : !closed && !lost && !hasRoom(step)) {
      long millis = TimeUnit.NANOSECONDS.toMillis(leftNanos.getAsLong());
      if (millis <= 0) {
        return false;
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** Waits until all is written. Returns false if it took longer. */
  boolean awaitWritten(Duration most) {
    long end = nanoTime.getAsLong() + most.toNanos();
    return await(() -> end - nanoTime.getAsLong(), null);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    if (!awaitWritten(closeWait)) {
      LOG.warn(
          "The last changes of the directory are not in its journal: expected all to be written"
              + " within {} s",
          closeWait.toSeconds());
    }
    synchronized (this) {
      waiting.clear();
    }
    writer.shutdown();
    journal.close();
  }

  // ---- the writer -------------------------------------------------------------------------------

  /** Returns true if there is something to do and the thread must be started. */
  @GuardedBy("this")
  private boolean begins() {
    boolean begins = !writing && (lost || !waiting.isEmpty());
    writing |= begins;
    return begins;
  }

  private void start() {
    try {
      writer.execute(this::writeAll);
    } catch (RuntimeException | Error e) {
      failed(e); // the next change tries again
    }
  }

  private void writeAll() {
    try {
      List<Step> taken = new ArrayList<>();
      while (take(taken)) {
        if (taken.isEmpty()) {
          journal.clear();
          synchronized (this) {
            lost = false;
          }
        }
        taken.forEach(step -> step.writeTo(journal));
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /**
   * Takes the next changes; none if the journal is to be cleared.
   *
   * @return false if there is nothing to do: the thread ends
   */
  private synchronized boolean take(List<Step> taken) {
    taken.clear();
    while (!waiting.isEmpty() && taken.size() < MAX_TAKEN_CHANGES) {
      Step next = waiting.remove();
      waitingBytes -= next.bytes();
      taken.add(next);
    }
    full &= waiting.size() > maxWaiting / 2 || waitingBytes > MAX_WAITING_BYTES / 2;
    writing = lost || !taken.isEmpty();
    notifyAll();
    return writing;
  }

  private void failed(Throwable why) {
    synchronized (this) {
      writing = false;
      lose();
    }
    lostLog.warn(why, "The directory's journal failed; it is cleared with the next change");
  }
}
