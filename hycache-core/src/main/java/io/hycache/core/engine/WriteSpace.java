package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.model.BlockKey;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says on the write path whether a new replica has room on SSD. Reads one volatile snapshot that
 * the planner renews and one counter of bytes in flight: no lock, no I/O, O(1). Also knows the
 * replicas that are being written to DISK instead. Thread-safe.
 */
final class WriteSpace {
  /** The planner's view at one moment. Immutable. */
  private static final class View {
    final long limitBytes;
    final long dirtyBytes;
    final long availableBytes;
    final long inFlightAtProbe;

    View(long limitBytes, long dirtyBytes, long availableBytes, long inFlightAtProbe) {
      this.limitBytes = limitBytes;
      this.dirtyBytes = dirtyBytes;
      this.availableBytes = availableBytes;
      this.inFlightAtProbe = inFlightAtProbe;
    }
  }

  /** A replica that is being written to DISK. Immutable. */
  private static final class SlowWrite {
    final String device;
    final long sinceNanos;

    SlowWrite(String device, long sinceNanos) {
      this.device = device;
      this.sinceNanos = sinceNanos;
    }
  }

  private volatile View view = new View(0, 0, 0, 0);
  private final Map<BlockKey, Long> inFlight = new ConcurrentHashMap<>();
  private final AtomicLong inFlightBytes = new AtomicLong();
  private final Map<BlockKey, SlowWrite> slowWrites = new ConcurrentHashMap<>();
  private final AtomicLong wantedBytes = new AtomicLong();

  /**
   * Renews the view.
   *
   * @param limitBytes what dirty replicas and writes in flight may take
   * @param availableBytes free on the devices, writes in flight already taken off
   */
  void update(long limitBytes, long dirtyBytes, long availableBytes, long inFlightAtProbe) {
    view = new View(limitBytes, dirtyBytes, availableBytes, inFlightAtProbe);
  }

  /** May a block of this size go to SSD now? A no for lack of free space asks for room. */
  boolean admits(long sizeBytes) {
    View v = view;
    long flying = inFlightBytes.get();
    if (v.dirtyBytes + flying + sizeBytes > v.limitBytes) {
      return false;
    }
    long placedSince = Math.max(0, flying - v.inFlightAtProbe);
    if (v.availableBytes - placedSince < sizeBytes) {
      wantedBytes.addAndGet(sizeBytes);
      return false;
    }
    return true;
  }

  void started(BlockKey block, long sizeBytes) {
    Long before = inFlight.put(block, sizeBytes);
    inFlightBytes.addAndGet(sizeBytes - (before == null ? 0 : before));
  }

  /** A replica is being written to a slow device from now on. */
  void startedSlow(BlockKey block, String device, long nowNanos) {
    slowWrites.put(block, new SlowWrite(device, nowNanos));
  }

  /**
   * The slow devices to which a replica is being written that was begun within this time. Older
   * ones are files held open, such as logs: they don't keep a disk busy. O(writes to DISK in
   * flight).
   */
  Set<String> devicesWritten(long nowNanos, long withinNanos) {
    Set<String> devices = new HashSet<>();
    for (SlowWrite write : slowWrites.values()) {
      if (nowNanos - write.sinceNanos < withinNanos) {
        devices.add(write.device);
      }
    }
    return devices;
  }

  /** The write ended, well or not. Returns true if it was one of ours. */
  boolean ended(BlockKey block) {
    slowWrites.remove(block);
    Long bytes = inFlight.remove(block);
    if (bytes == null) {
      return false;
    }
    inFlightBytes.addAndGet(-bytes);
    return true;
  }

  /** Writes that have not ended, to SSD and to DISK. */
  Iterable<BlockKey> blocks() {
    return Iterables.concat(inFlight.keySet(), slowWrites.keySet());
  }

  long inFlightBytes() {
    return inFlightBytes.get();
  }

  /** Bytes that writes missed since the last call. */
  long takeWanted() {
    return wantedBytes.getAndSet(0);
  }
}
