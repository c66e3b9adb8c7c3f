package io.hycache.core.move;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the threads of the house: what one of them throws, an {@link Error} included, is
 * caught, counted ({@code Failures}), logged once for a cause and at most once in {@value
 * #LOG_EVERY_SECONDS} seconds, and the thread goes on after a rest that doubles with each failure
 * in a row. After {@link #MOST_IN_A_ROW} of them it gives up, for all parts at once and for good:
 * the host steps aside.
 *
 * <p>Nothing here throws or needs memory that it can do without: it has to work when there is none.
 * Thread-safe.
 */
public final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final int LOG_EVERY_SECONDS = 10;

  /** Failures in a row after which a part gives up. */
  public static final int MOST_IN_A_ROW = 10;

  private static final long FIRST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Counters counters;
  private final Consumer<Throwable> onFailure;
  private final Consumer<String> onGivenUp;
  private final AtomicBoolean givenUp = new AtomicBoolean();

  /**
   * @param onFailure gets each failure, on the thread that failed
   * @param onGivenUp called once, with the part and its last failure
   */
  public Supervisor(Counters counters, Consumer<Throwable> onFailure, Consumer<String> onGivenUp) {
    this.counters = counters;
    this.onFailure = onFailure;
    this.onGivenUp = onGivenUp;
  }

  /** True once a part gave up. */
  public boolean givenUp() {
    return givenUp.get();
  }

  /** Work that a supervised thread does until it is done. */
  public interface Work {
    /**
     * Does a step of it.
     *
     * @return false when there is nothing left to do: the thread ends
     */
    boolean step() throws Exception;
  }

  /** A part of the house: its failures in a row are its own. */
  public Part part(String name) {
    return new Part(name);
  }

  /** See {@link #part}. Thread-safe. */
  public final class Part {
    private final String name;
    private final AtomicInteger inARow = new AtomicInteger();
    private volatile @Nullable Class<?> loggedCause;
    private volatile long loggedNanos;

    private Part(String name) {
      this.name = name;
    }

    /** It did its work: failures before this one are not in a row with those to come. */
    public void succeeded() {
      if (inARow.get() != 0) {
        inARow.set(0);
      }
    }

    /**
     * It failed. Counts, logs, and gives up if it is one too many. Never throws.
     *
     * @return how long it should rest before it goes on, in nanoseconds
     */
    public long failed(Throwable why) {
      note(why);
      return strike(why);
    }

    /** Something failed that it lived through. Counts and logs. Never throws. */
    public void note(Throwable why) {
      try {
        counters.increment(Counter.FAILURES);
        log(why);
        onFailure.accept(why);
      } catch (Throwable again) {
        // There is no memory to log with, or the listener fails: the count stands.
      }
    }

    /**
     * One more failure in a row, noted already. Gives up if it is one too many. Never throws.
     *
     * @return how long it should rest before it goes on, in nanoseconds
     */
    public long strike(Throwable why) {
      int failures = inARow.incrementAndGet();
      if (failures >= MOST_IN_A_ROW) {
        giveUp(why);
      }
      return Math.min(LONGEST_REST_NANOS, FIRST_REST_NANOS << Math.min(failures - 1, 20));
    }

    private void log(Throwable why) {
      long now = System.nanoTime();
      if (why.getClass() != loggedCause
          || now - loggedNanos >= TimeUnit.SECONDS.toNanos(LOG_EVERY_SECONDS)) {
        loggedCause = why.getClass();
        loggedNanos = now;
        LOG.warn("failed, and goes on after a rest: part={} inARow={}", name, inARow.get(), why);
      }
    }

    private void giveUp(Throwable why) {
      if (!givenUp.compareAndSet(false, true)) {
        return;
      }
      for (int attempt = 0; attempt < MOST_IN_A_ROW; attempt++) {
        try {
          onGivenUp.accept("part=" + name + " failuresInARow=" + MOST_IN_A_ROW + " last=" + why);
          return;
        } catch (Throwable again) {
          LockSupport.parkNanos(FIRST_REST_NANOS);
        }
      }
    }

    /** The same task, for an executor that drops a task which throws. */
    public Runnable guarding(Runnable task) {
      return () -> {
        try {
          task.run();
          succeeded();
        } catch (Throwable e) {
          failed(e);
        }
      };
    }

    /**
     * A daemon thread, not started, that does the work step by step. It ends when the work is done
     * or the part has given up, and by nothing else.
     */
    public Thread thread(String threadName, Work work) {
      Thread thread = new Thread(() -> keepAtIt(work), threadName);
      thread.setDaemon(true);
      return thread;
    }

    private void keepAtIt(Work work) {
      boolean more = true;
      while (more && !givenUp()) {
        try {
          more = work.step();
        } catch (Throwable e) {
          LockSupport.parkNanos(failed(e));
        }
      }
    }
  }
}
