// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs moves in FIFO order on a few daemon threads. A full queue rejects moves; no call blocks.
 * Thread-safe.
 */
public final class MoveQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveQueue.class);
  private static final int IDLE_SECONDS = 60;

  private final ThreadPoolExecutor executor;
  private final AtomicInteger unfinished = new AtomicInteger();

  /**
   * @param name prefix of the thread names
   * @param threads maximum number of threads, &gt;= 1; idle threads end
   * @param length maximum number of waiting moves, &gt;= 1
   */
  public MoveQueue(String name, int threads, int length) {
    AtomicInteger number = new AtomicInteger();
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(length),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * A move that runs at most once, and never after {@link #offer} returned false, whatever the
   * executor does.
   */
  private final class Task implements Runnable {
    private final Runnable move;
    private final AtomicBoolean taken = new AtomicBoolean();

    Task(Runnable move) {
      this.move = move;
    }

    boolean take() {
      return taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
      if (!take()) {
        return;
      }
      try {
        move.run();
      } catch (Throwable e) {
        // Moves report their own failures; the thread must survive for the next move.
        logUnreported(e);
      } finally {
        unfinished.decrementAndGet();
      }
    }
  }

  private static void logUnreported(Throwable e) {
    try {
      LOG.warn("a move ended with an unreported failure", e);
    } catch (Throwable noMemory) {
      // A failure to log must not end the thread.
    }
  }

  /**
   * Queues a move.
   *
   * @return false if the queue is full or closed, or no thread could be started; the move then
   *     never runs
   */
  public boolean offer(Runnable move) {
    Task task = new Task(move);
    unfinished.incrementAndGet();
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      unfinished.decrementAndGet();
      return false;
    } catch (Throwable e) {
      // Out of memory or threads: reject the move unless it has already started.
      if (!task.take()) {
        return true;
      }
      unfinished.decrementAndGet();
      logUnreported(e);
      return false;
    }
  }

  /** Number of moves waiting or running. */
  public int unfinished() {
    return unfinished.get();
  }

  /** Interrupts running moves, discards waiting ones, and waits briefly for the threads to end. */
  @Override
  public void close() {
    stop();
    awaitEnd(TimeUnit.SECONDS.toNanos(5));
  }

  /** Interrupts running moves and discards waiting ones. Does not wait. */
  public void stop() {
    executor.shutdownNow();
  }

  /**
   * Waits for the threads to end after {@link #stop}.
   *
   * @param nanos longest wait, &gt;= 0
   */
  public void awaitEnd(long nanos) {
    try {
      boolean unused = executor.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
