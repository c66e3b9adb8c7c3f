package io.hycache.hdfs.rpc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * DataNodes without the plugin, which log a stack trace for each call: one is called again after a
 * second, for it may just be starting, then after twice as long each time, up to an hour, or when
 * it calls itself. Thread-safe.
 */
public final class Rests {
  static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long MOST_NANOS = TimeUnit.HOURS.toNanos(1);

  private final LongSupplier nanoTime;

  /** By address. */
  private final Map<String, Rest> resting = new ConcurrentHashMap<>();

  /** Immutable. */
  private static final class Rest {
    final String id;
    final long nanos;
    final long untilNanos;
    final NotActiveException cause;

    Rest(String id, long nanos, long untilNanos, NotActiveException cause) {
      this.id = id;
      this.nanos = nanos;
      this.untilNanos = untilNanos;
      this.cause = cause;
    }
  }

  /**
   * @param nanoTime a clock that only goes forward
   */
  public Rests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Throws what a DataNode answered last, if it is to be left alone.
   *
   * @param address host:port
   */
  public void check(String address) throws NotActiveException {
    Rest rest = resting.get(address);
    if (rest != null && nanoTime.getAsLong() - rest.untilNanos < 0) {
      throw new NotActiveException(rest.cause);
    }
  }

  /** Notes that a DataNode has the plugin. */
  public void answered(String address) {
    resting.remove(address);
  }

  /**
   * Notes that a DataNode has no plugin.
   *
   * @param id of the member of the directory; empty if it is not known
   */
  public void notActive(String address, String id, NotActiveException cause) {
    Rest unused = resting.compute(address, (at, before) -> next(id, before, cause));
  }

  private Rest next(String id, @Nullable Rest before, NotActiveException cause) {
    long now = nanoTime.getAsLong();
    if (before != null && now - before.untilNanos < 0) {
      return before; // of a call that was under way together with this one
    }
    long nanos = before == null ? LEAST_NANOS : Math.min(2 * before.nanos, MOST_NANOS);
    return new Rest(id, nanos, now + nanos, cause);
  }

  /** Notes that a member of the directory called: its rest ends. */
  void heard(String id) {
    resting.values().removeIf(rest -> rest.id.equals(id));
  }
}
