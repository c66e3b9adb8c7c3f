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
 * Runs moves first come, first served on a few daemon threads. A full queue refuses; nothing waits
 * to get in. Thread-safe.
 */
public final class MoveQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveQueue.class);
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

  /** A move that runs once or never: one that was refused does not, whatever the executor did. */
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
        // A move reports its own failures; this thread is needed for the next one.
        logUnreported(e);
      } finally {
        unfinished.decrementAndGet();
      }
    }
  }

  private static void logUnreported(Throwable e) {
    try {
      LOG.warn("a move ended without a word", e);
    } catch (Throwable noMemory) {
      // Not worth the thread.
    }
  }

  /**
   * Queues a move.
   *
   * @return false if the queue is full or closed, or there is no thread for it; the move will then
   *     not run
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
      // No memory, or no thread: it is refused unless it has begun already.
      if (!task.take()) {
        return true;
      }
      unfinished.decrementAndGet();
      logUnreported(e);
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
