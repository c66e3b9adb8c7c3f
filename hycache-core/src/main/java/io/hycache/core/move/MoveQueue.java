package io.hycache.core.move;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs moves first come, first served on a few daemon threads. A full queue refuses; nothing waits
 * to get in. Thread-safe.
 */
public final class MoveQueue implements AutoCloseable {
  private static final int IDLE_SECONDS = 60;

  private final ThreadPoolExecutor executor;
  private final AtomicInteger unfinished = new AtomicInteger();

  /**
   * @param name prefix of the threads' names
   * @param threads most at a time, &gt;= 1; idle ones end
   * @param length moves that may wait, &gt;= 1
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
   * Queues a move.
   *
   * @return false if the queue is full or closed; the move will then not run
   */
  public boolean offer(Runnable move) {
    unfinished.incrementAndGet();
    try {
      executor.execute(
          () -> {
            try {
              move.run();
            } finally {
              unfinished.decrementAndGet();
            }
          });
      return true;
    } catch (RejectedExecutionException e) {
      unfinished.decrementAndGet();
      return false;
    }
  }

  /** Moves waiting or running. */
  public int unfinished() {
    return unfinished.get();
  }

  /** Interrupts running moves, drops waiting ones, and waits briefly for the threads to end. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
