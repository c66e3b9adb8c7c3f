// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How soon a device would have served one more stream: a read or a write of a large part of a
 * block.
 *
 * <p>Idea: the streams of a device share its speed equally. So one more stream takes its bytes
 * times the number of streams, by the speed. While the device is not saturated, only streams count
 * that have just begun: what the others take is known as the device's use, and they may be slow for
 * their clients' sake. A device of which nothing is known is taken to be idle, and as fast as is
 * usual.
 *
 * <p>The speed is that of a measurement at the start. It rises to what the device was seen to read
 * or write for seconds, falls while the device is overloaded, that is, busy all the time with
 * requests that wait, and recovers while it is not.
 *
 * <p>Thread-safe. {@link #begun}, {@link #ended}, {@link #slowdown} and {@link #secondsFor} are for
 * the paths of readers and writers: no lock, O(1). {@link #sample} is for one thread.
 *
 * <p>Source: ours. That clean copies are mirrors, of which a read may use either, is the idea of K.
 * Wu et al., "The storage hierarchy is not a hierarchy: Optimizing caching on modern storage
 * devices with Orthus" (FAST'21); Orthus searches for the best ratio of requests by trial, here it
 * follows from speeds and streams.
 */
public final class DeviceLoad {
  /** The part of its speed from which on a device has nothing left for one more stream. */
  private static final double SATURATED = 0.7;

  private static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * What a device transfers for less time is not its speed: its own cache takes short bursts, and a
   * kernel that limits a device lets it catch up after a pause.
   */
  private static final long MIN_SUSTAINED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Mean time of a request above which a fast device has more requests than it can serve. */
  private static final double LONG_WAIT_MILLIS = 20;

  private static final double BUSY = 0.95;
  private static final double SECONDS_TO_FALL = 5;
  private static final double SECONDS_TO_RECOVER = 20;

  /** What a device has done since the machine started. Immutable. */
  public static final class Work {
    private final long bytesRead;
    private final long bytesWritten;
    private final long requests;
    private final long waitedMillis;
    private final long busyMillis;

    /**
     * @param requests completed
     * @param waitedMillis sum over all requests of the time until each was completed
     * @param busyMillis time with at least one request
     */
    public Work(
        long bytesRead, long bytesWritten, long requests, long waitedMillis, long busyMillis) {
      this.bytesRead = bytesRead;
      this.bytesWritten = bytesWritten;
      this.requests = requests;
      this.waitedMillis = waitedMillis;
      this.busyMillis = busyMillis;
    }

    /** Bytes read and written. */
    public long bytes() {
      return bytesRead + bytesWritten;
    }

    /**
     * Returns the bytes read or those written since an earlier time, whichever are more: a device
     * that reads and writes at a time may transfer more than one that does one of both.
     */
    public long bytesOneWay(Work before) {
      return Math.max(
          0, Math.max(bytesRead - before.bytesRead, bytesWritten - before.bytesWritten));
    }
  }

  private final boolean oneHead;
  private final AtomicInteger streams = new AtomicInteger();

  /** Streams that began since the last sample. */
  private final AtomicInteger fresh = new AtomicInteger();

  /** Streams that began in the interval before the last sample. */
  private volatile int freshBefore;

  private volatile double bytesPerSecond;
  private volatile double use;

  // Of the sampling thread.
  private double fullBytesPerSecond;
  private Work last = new Work(0, 0, 0, 0, 0);
  private long sampledNanos;

  /** Begin of the interval whose rate counts as sustained. */
  private Work since = last;

  private long sinceNanos;
  private boolean sampled;

  /**
   * @param bytesPerSecond usual speed of such a device, until it is measured; &gt; 0
   * @param oneHead whether it serves one request at a time, so that it is used fully when it is
   *     busy all the time, as an HDD
   */
  public DeviceLoad(double bytesPerSecond, boolean oneHead) {
    this.bytesPerSecond = bytesPerSecond;
    this.fullBytesPerSecond = bytesPerSecond;
    this.oneHead = oneHead;
  }

  /** Sets the speed that was measured, in bytes a second, &gt; 0. */
  public synchronized void measured(double speed) {
    fullBytesPerSecond = speed;
    bytesPerSecond = speed;
  }

  /** A stream begins; {@link #ended} must follow. */
  public void begun() {
    streams.incrementAndGet();
    fresh.incrementAndGet();
  }

  public void ended() {
    streams.decrementAndGet();
  }

  /** Streams that have not ended. */
  public int streams() {
    return streams.get();
  }

  /** The speed of one stream alone, in bytes a second. */
  public double bytesPerSecond() {
    return bytesPerSecond;
  }

  /** The part of its speed that is used, 0 to 1. */
  public double use() {
    return use;
  }

  /** Takes over what the device has done up to now; ignored if the last sample is too recent. */
  public synchronized void sample(Work now, long nowNanos) {
    if (!sampled) {
      sampled = true;
      last = now;
      sampledNanos = nowNanos;
      since = now;
      sinceNanos = nowNanos;
      return;
    }
    long nanos = nowNanos - sampledNanos;
    if (nanos < MIN_INTERVAL_NANOS) {
      return;
    }
    double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
    double rate = Math.max(0, now.bytes() - last.bytes()) / seconds;
    double busy = Math.min(1, (now.busyMillis - last.busyMillis) / (1000 * seconds));
    long requests = Math.max(1, now.requests - last.requests);
    double wait = (now.waitedMillis - last.waitedMillis) / (double) requests;
    boolean overloaded = busy >= BUSY && (oneHead || wait >= LONG_WAIT_MILLIS);
    double speed = bytesPerSecond;
    double sustained = sustained(now, nowNanos);
    if (sustained >= speed) {
      speed = sustained;
      fullBytesPerSecond = Math.max(fullBytesPerSecond, sustained);
    } else if (overloaded) {
      speed += (rate - speed) * Math.min(1, seconds / SECONDS_TO_FALL);
    } else {
      speed += (fullBytesPerSecond - speed) * Math.min(1, seconds / SECONDS_TO_RECOVER);
    }
    bytesPerSecond = Math.max(1, speed);
    double used = Math.min(1, rate / bytesPerSecond);
    use = (use + Math.max(used, oneHead || overloaded ? busy : 0)) / 2;
    freshBefore = fresh.getAndSet(0);
    last = now;
    sampledNanos = nowNanos;
  }

  /** Returns the rate of the interval that ends with this sample; 0 if none ends. */
  private double sustained(Work now, long nowNanos) {
    long nanos = nowNanos - sinceNanos;
    if (nanos < MIN_SUSTAINED_NANOS) {
      return 0;
    }
    double rate = now.bytesOneWay(since) * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    since = now;
    sinceNanos = nowNanos;
    return rate;
  }

  /** How many times as long one more stream takes as on the idle device, 1 or more. */
  public double slowdown() {
    double used = use;
    boolean saturated = used >= SATURATED;
    int all = Math.max(0, streams.get());
    // What saturates a device without a stream is something else, such as a move.
    int others = saturated ? Math.max(1, all) : Math.min(all, fresh.get() + freshBefore);
    return (others + 1) / (saturated ? 1 : 1 - used);
  }

  /** Seconds until one more stream of so many bytes would have been served. */
  public double secondsFor(long bytes) {
    return slowdown() * bytes / bytesPerSecond;
  }

  /** Whether another device would have served one more stream sooner. */
  public boolean isSlowerThan(DeviceLoad other, long bytes) {
    return secondsFor(bytes) > other.secondsFor(bytes);
  }
}
