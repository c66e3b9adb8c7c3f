// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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
 * <p>The speed is the median of a few measurements. It rises to what the device was seen to read or
 * write for seconds, falls while the device is overloaded, that is, busy all the time with requests
 * that wait, or completes none, and recovers while it is not.
 *
 * <p>A write goes to the page cache first, and its stream has often ended when the device begins to
 * write it. So the bytes that streams of writes hand over are pending until the device has written
 * as many: one more write takes them and what the open streams have still to write, by the speed.
 * Bytes that open streams still have to write count twice, because a new stream also delays them.
 * So several writers are spread over several devices. What else a device writes, such as a move,
 * looks the same, so that fewer may seem to be pending than are. More seem to be if a file is
 * deleted before it is written: a device that could write and does not is taken to have written
 * what it could.
 *
 * <p>Thread-safe. All but {@link #measured} and {@link #sample} is for the paths of readers and
 * writers: no lock, O(1). {@link #sample} is for one thread.
 *
 * <p>Source: ours. That clean copies are mirrors, of which a read may use either, is the idea of K.
 * Wu et al., "The storage hierarchy is not a hierarchy: Optimizing caching on modern storage
 * devices with Orthus" (FAST'21); Orthus searches for the best ratio of requests by trial, here it
 * follows from speeds and streams.
 */
public final class DeviceLoad {
  /** The part of its speed from which on a device has nothing left for one more stream. */
  private static final double SATURATED = 0.7;

  /** A device on which one more stream takes less than so many times as long has little to do. */
  private static final double CERTAIN_SLOWDOWN = 2;

  /** The part of its speed from which on streams may wait for a device. */
  private static final double MUCH_USE = 0.5;

  /**
   * Length of the intervals in which streams are fresh: they count for one to two seconds, in which
   * the use, a mean of the last samples, comes to contain what they take.
   */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * What a device transfers for less time is not its speed: its own cache takes short bursts, and a
   * kernel that limits a device lets it catch up after a pause.
   */
  private static final long MIN_SUSTAINED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Mean time of a request above which a fast device has more requests than it can serve. */
  private static final double LONG_WAIT_MILLIS = 20;

  /** The part of its speed below which a device does not write what is pending. */
  private static final double IDLE = 0.1;

  /** Time after which an idle device is taken to write what is pending, at its speed. */
  private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

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
    private final long inFlight;

    /**
     * @param requests completed
     * @param waitedMillis sum over all requests of the time until each was completed
     * @param busyMillis time with at least one request
     */
    public Work(
        long bytesRead, long bytesWritten, long requests, long waitedMillis, long busyMillis) {
      this(bytesRead, bytesWritten, requests, waitedMillis, busyMillis, 0);
    }

    private Work(
        long bytesRead,
        long bytesWritten,
        long requests,
        long waitedMillis,
        long busyMillis,
        long inFlight) {
      this.bytesRead = bytesRead;
      this.bytesWritten = bytesWritten;
      this.requests = requests;
      this.waitedMillis = waitedMillis;
      this.busyMillis = busyMillis;
      this.inFlight = inFlight;
    }

    /** Returns the same with so many requests that are not completed. */
    public Work withInFlight(long count) {
      return new Work(bytesRead, bytesWritten, requests, waitedMillis, busyMillis, count);
    }

    /**
     * Returns whether requests were under way all the time since an earlier time and none was
     * completed. Some kernels count a device as busy only up to its last completed request, so that
     * one that hangs would seem idle.
     */
    private boolean hangsSince(Work before) {
      return before.inFlight > 0 && inFlight > 0 && requests == before.requests;
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

  /** Streams that began in the present interval. */
  private final AtomicInteger fresh = new AtomicInteger();

  /** Streams that began in the interval before. */
  private volatile int freshBefore;

  /** Streams that began since the last sample. */
  private final AtomicInteger begun = new AtomicInteger();

  /** Whether there were streams between the last two samples. */
  private volatile boolean hadStreams;

  /** Bytes that the kernel was given and that the device has not written yet. */
  private final AtomicLong pending = new AtomicLong();

  /** Bytes that the kernel was given by streams that have not ended. */
  private final AtomicLong unfinished = new AtomicLong();

  /** Whether requests were under way at the last two samples, and none was completed. */
  private volatile boolean hangs;

  private volatile double bytesPerSecond;
  private volatile double use;

  /** Whether most of what the device transferred before the last sample was pending. */
  private volatile boolean drains;

  // Of the sampling thread.
  private double fullBytesPerSecond;

  /** The highest rate that the device sustained. */
  private double sustainedBytesPerSecond;

  /** Speeds that were measured, in order of size. */
  private final List<Double> measured = new ArrayList<>();

  private Work last = new Work(0, 0, 0, 0, 0);
  private long sampledNanos;

  /** Begin of the interval in which streams are fresh. */
  private long freshSinceNanos;

  /** Begin of the interval whose rate counts as sustained. */
  private Work since = last;

  private long sinceNanos;

  /** The last sample at which the device was writing, or was hanging. */
  private long wroteNanos;

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

  /**
   * Takes over a speed that was measured. The median of all counts, of two the higher, as a busy
   * machine makes a device seem slow; a higher speed that the device was seen to sustain counts in
   * its place.
   *
   * @param speed in bytes a second, &gt; 0
   */
  public synchronized void measured(double speed) {
    measured.add(speed);
    Collections.sort(measured);
    fullBytesPerSecond = Math.max(sustainedBytesPerSecond, measured.get(measured.size() / 2));
    bytesPerSecond = fullBytesPerSecond;
  }

  /** A stream begins; {@link #ended} must follow. */
  public void begun() {
    streams.incrementAndGet();
    fresh.incrementAndGet();
    begun.incrementAndGet();
  }

  public void ended() {
    streams.decrementAndGet();
  }

  /**
   * A stream has written bytes, to the page cache or to the device; {@link #ended(long)} must
   * follow.
   */
  public void wrote(long bytes) {
    pending.addAndGet(bytes);
    unfinished.addAndGet(bytes);
  }

  /**
   * A stream ended, well or not.
   *
   * @param writtenBytes all bytes that were given to {@link #wrote} for it
   */
  public void ended(long writtenBytes) {
    unfinished.addAndGet(-writtenBytes);
    ended();
  }

  /** Streams that have not ended. */
  public int streams() {
    return streams.get();
  }

  /** Bytes that streams have written and the device has not, 0 or more. */
  public long pendingBytes() {
    return pending.get();
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
      freshSinceNanos = nowNanos;
      since = now;
      sinceNanos = nowNanos;
      wroteNanos = nowNanos;
      return;
    }
    long nanos = nowNanos - sampledNanos;
    if (nanos < MIN_INTERVAL_NANOS) {
      return;
    }
    double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
    double rate = Math.max(0, now.bytes() - last.bytes()) / seconds;
    boolean hanging = now.hangsSince(last);
    hangs = hanging;
    double busy = hanging ? 1 : Math.min(1, (now.busyMillis - last.busyMillis) / (1000 * seconds));
    long requests = Math.max(1, now.requests - last.requests);
    double wait = (now.waitedMillis - last.waitedMillis) / (double) requests;
    boolean overloaded = hanging || (busy >= BUSY && (oneHead || wait >= LONG_WAIT_MILLIS));
    double speed = bytesPerSecond;
    double sustained = sustained(now, nowNanos);
    if (sustained >= speed) {
      speed = sustained;
      sustainedBytesPerSecond = Math.max(sustainedBytesPerSecond, sustained);
      fullBytesPerSecond = Math.max(fullBytesPerSecond, sustained);
    } else if (overloaded) {
      speed += (rate - speed) * Math.min(1, seconds / SECONDS_TO_FALL);
    } else {
      speed += (fullBytesPerSecond - speed) * Math.min(1, seconds / SECONDS_TO_RECOVER);
    }
    bytesPerSecond = Math.max(1, speed);
    double used = Math.min(1, rate / bytesPerSecond);
    use = (use + Math.max(used, oneHead || overloaded ? busy : 0)) / 2;
    hadStreams = streams.get() > 0 || begun.getAndSet(0) > 0;
    if (nowNanos - freshSinceNanos >= FRESH_NANOS) {
      freshBefore = fresh.getAndSet(0);
      freshSinceNanos = nowNanos;
    }
    drain(now, nowNanos, hanging);
    last = now;
    sampledNanos = nowNanos;
  }

  /** Takes from what is pending what the device has written since the last sample. */
  private void drain(Work now, long nowNanos, boolean hanging) {
    long written = Math.max(0, now.bytesWritten - last.bytesWritten);
    double could =
        bytesPerSecond * (nowNanos - sampledNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    if (written >= IDLE * could || hanging) {
      wroteNanos = nowNanos;
    }
    boolean idle = nowNanos - wroteNanos >= MAX_IDLE_NANOS;
    long drained = idle ? Math.max(written, (long) could) : written;
    long before = pending.getAndUpdate(bytes -> Math.max(0, bytes - drained));
    long transferred = now.bytes() - last.bytes();
    drains = written > 0 && 2 * Math.min(before, written) >= transferred;
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
    return slowdown(0);
  }

  private double slowdown(int counted) {
    double used = use;
    boolean writes = drains || pending.get() > 0;
    if (hadStreams && streams.get() <= counted && !writes && !hangs) {
      return 1; // The use that comes from streams ends with them.
    }
    // What saturates a device without a stream is something else, such as a move.
    return (others(used, 1, counted) + 1) / free(used);
  }

  /**
   * Returns the number of streams that share the device with one more.
   *
   * @param atLeast their least number on a saturated device
   * @param counted how often the one more is counted already
   */
  private int others(double used, int atLeast, int counted) {
    int all = Math.max(0, streams.get() - counted);
    return used >= SATURATED ? Math.max(atLeast, all) : Math.min(all, fresh.get() + freshBefore);
  }

  /** Returns the part of the speed that the streams share which {@link #others} counts. */
  private static double free(double used) {
    return used >= SATURATED ? 1 : 1 - used;
  }

  /** Seconds until one more stream of so many bytes would have been served. */
  public double secondsFor(long bytes) {
    return slowdown() * bytes / bytesPerSecond;
  }

  /** As {@link #secondsFor}, for the last so many bytes of a stream that has {@link #begun}. */
  public double secondsForRest(long bytes) {
    return slowdown(1) * bytes / bytesPerSecond;
  }

  /** Returns whether the device seemed to hang at the last sample. */
  public boolean hangs() {
    return hangs;
  }

  /**
   * Returns whether {@link #secondsFor} is sure: the device is saturated, so that all its streams
   * count, or has little to do. Between the two, older streams may be about to saturate it.
   */
  public boolean isCertain() {
    return use >= SATURATED || slowdown() < CERTAIN_SLOWDOWN;
  }

  /**
   * Returns whether so much of the device's speed is used that its streams may wait for it. Less
   * than what makes it saturated: a device that seemed faster than it is when it was measured never
   * seems to be used fully.
   */
  public boolean isBusy() {
    return use >= MUCH_USE;
  }

  /**
   * Seconds until the device would have written one more stream of so many bytes and what is before
   * it in the page cache, and for which it would have kept its open streams waiting.
   */
  public double secondsToWrite(long bytes) {
    return secondsToWrite(bytes, false);
  }

  /**
   * As {@link #secondsToWrite(long)}.
   *
   * @param counted whether the stream has {@link #begun} already, and has written nothing
   */
  public double secondsToWrite(long bytes, boolean counted) {
    double used = use;
    boolean ours = drains;
    int own = counted ? 1 : 0;
    double some = toWrite(bytes, others(used, ours ? 0 : 1, own), 0) / free(used);
    // The use that comes from streams ends with them.
    double all = ours ? toWrite(bytes, Math.max(0, streams.get() - own), unfinished.get()) : some;
    return (used >= SATURATED ? all : Math.min(some, all)) / bytesPerSecond;
  }

  /**
   * @param others streams beside the one of so many bytes
   * @param writtenBytes what they have written, which is pending, or on the device
   */
  private double toWrite(long bytes, int others, long writtenBytes) {
    return pending.get() + 2 * Math.max(0, (double) bytes * others - writtenBytes) + bytes;
  }
}
