// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.Sighting;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the fast devices of a DataNode would hold if each decision were carried out: the host and
 * the mover of the engine that mode {@code observe} runs beside the DataNode's own ({@link
 * Observation}). It has no access to a file. Moves end as soon as their bandwidth limits permit.
 *
 * <p>A fast device has the space that it really has, and that of the guests and clean copies that
 * an earlier process in mode {@code active} left there, less what it holds in the model. What was
 * left is in the model from the start.
 *
 * <p>About 150 bytes for each block that the devices would hold, and for each that they do. O(1),
 * or where it is said O(devices), under a lock that is never held during a call to the host.
 * Thread-safe.
 */
final class ModelStore implements Host, BlockMover {
  /** Bytes between two looks at whether a copy may go on. */
  private static final int CHUNK_BYTES = 1 << 20;

  /** Age at which a write that HDFS does not know is forgotten. */
  private static final long MAX_UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Bytes on a fast device: of a replica that is being written, or really there. Immutable. */
  private static final class Taken {
    final String device;
    final long bytes;
    final long sinceNanos;

    /** The replica was on the device before, and is being appended to. */
    final boolean again;

    Taken(String device, long bytes, long sinceNanos, boolean again) {
      this.device = device;
      this.bytes = bytes;
      this.sinceNanos = sinceNanos;
      this.again = again;
    }
  }

  private final Host host;
  private final Counters counters;
  private final LongSupplier clock;

  // Guarded by this.
  private final Map<BlockKey, ModelBlock> held = new HashMap<>();
  private final Map<BlockKey, Taken> writes = new HashMap<>();

  /** Guests and clean copies that really are on fast devices. */
  private final Map<BlockKey, Taken> left = new HashMap<>();

  private final ModelSpace space = new ModelSpace();

  /**
   * @param host what the DataNode really has
   * @param counters where what would be done is counted
   */
  ModelStore(Host host, Counters counters, LongSupplier clock) {
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  // ---- devices ----------------------------------------------------------------------------------

  /** The devices as they really are now. */
  synchronized void looked(List<FastDevice> fast, List<SlowDevice> slow) {
    space.looked(fast, slow);
  }

  @Override
  public synchronized List<FastDevice> devices() {
    return space.fast();
  }

  private long resize(ModelBlock changed) {
    return changed.resize(space.unitBytes(changed.device));
  }

  /** A block has other parts than before; it is forgotten if it has none. */
  private void settle(ModelBlock changed) {
    space.take(changed.device, resize(changed));
    if (changed.takenBytes() == 0) {
      held.remove(changed.replica.block());
    }
  }

  @Override
  public List<String> devicesOutOfUse() {
    return host.devicesOutOfUse();
  }

  @Override
  public synchronized List<SlowDevice> slowDevices() {
    return space.slow();
  }

  @Override
  public @Nullable String slowDevice(BlockKey block) {
    String real = host.slowDevice(block);
    if (real != null) {
      return real;
    }
    synchronized (this) { // a guest that was left, and that would be on DISK by now
      return left.containsKey(block) && !space.slow().isEmpty() ? space.slow().get(0).id() : null;
    }
  }

  // ---- replicas ---------------------------------------------------------------------------------

  /**
   * A new replica would be written to a tier: takes its bytes on the device with most room there.
   *
   * @return false if no device has the room
   */
  synchronized boolean write(BlockKey block, int tier, long bytes) {
    String device = space.roomiest(tier, bytes);
    if (device == null) {
      return false;
    }
    Taken unused = endWrite(block);
    begin(block, device, bytes, false);
    return true;
  }

  /** A write takes bytes until it ends. */
  private void begin(BlockKey block, String device, long bytes, boolean again) {
    writes.put(block, new Taken(device, bytes, clock.getAsLong(), again));
    space.take(device, bytes);
  }

  /** True if a replica of the block is being written that would be written to a fast device. */
  synchronized boolean isWriting(BlockKey block) {
    return writes.containsKey(block);
  }

  private @Nullable Taken endWrite(BlockKey block) {
    Taken write = writes.remove(block);
    if (write != null) {
      space.take(write.device, -write.bytes);
    }
    return write;
  }

  /** Forgets writes of which HDFS has known nothing for a while. O(writes). */
  void sweep() {
    long now = clock.getAsLong();
    Set<BlockKey> old = new HashSet<>();
    synchronized (this) {
      writes.forEach(
          (block, write) -> {
            if (now - write.sinceNanos > MAX_UNKNOWN_NANOS) {
              old.add(block);
            }
          });
    }
    old.removeIf(host::exists);
    synchronized (this) {
      for (BlockKey block : old) {
        Taken unused = endWrite(block);
      }
    }
  }

  /**
   * A finalized replica really is at a place.
   *
   * @return the fast device that would hold it; null if it would be on DISK
   */
  synchronized @Nullable String replica(Replica replica, Home home, @Nullable String device) {
    BlockKey block = replica.block();
    Taken write = endWrite(block);
    ModelBlock before = held.get(block);
    if (before != null && (home == Home.SSD_OWNER || !before.replica.equals(replica))) {
      release(block);
    }
    if (home == Home.SSD_OWNER) {
      return device;
    }
    if (home == Home.SSD_GUEST && device != null && !left.containsKey(block)) {
      ModelBlock guest = hold(replica, device);
      guest.guest = true;
      left.put(block, new Taken(device, resize(guest), guest.sinceNanos, false));
    } else if (write != null) {
      ModelBlock guest = hold(replica, write.device);
      guest.guest = true;
      settle(guest);
      if (!write.again) {
        counters.increment(Counter.OBSERVED_DECISIONS);
        counters.increment(Counter.OBSERVED_BLOCKS_PLACED);
        counters.add(Counter.OBSERVED_BYTES_PLACED, replica.lengthBytes());
      }
    }
    ModelBlock now = held.get(block);
    return now != null && now.guest ? now.device : null;
  }

  /** A block that takes nothing yet, in place of what there is of it. */
  private ModelBlock hold(Replica replica, String device) {
    release(replica.block());
    ModelBlock now = new ModelBlock(replica, device, clock.getAsLong());
    held.put(replica.block(), now);
    return now;
  }

  /** The replica is gone, or is being written again. */
  void gone(BlockKey block) {
    boolean exists = host.exists(block);
    synchronized (this) {
      ModelBlock before = held.get(block);
      release(block);
      Taken real = left.remove(block);
      if (real != null) {
        space.take(real.device, real.bytes);
      }
      if (!exists) {
        Taken unused = endWrite(block);
      } else if (before != null && before.guest && !writes.containsKey(block)) {
        begin(block, before.device, before.takenBytes(), true);
      }
    }
  }

  /** The block is on no fast device any more. */
  private void release(BlockKey block) {
    ModelBlock before = held.remove(block);
    if (before != null) {
      space.take(before.device, -before.takenBytes());
    }
  }

  /**
   * A clean copy really is on a device. Returns false if the model has decided otherwise since it
   * was found first.
   */
  synchronized boolean cleanFound(Replica replica, Part part, String device) {
    BlockKey block = replica.block();
    ModelBlock now = held.get(block);
    Taken before = left.get(block);
    if (before == null && now == null) {
      now = hold(replica, device);
    }
    if (now == null || now.guest || !now.device.equals(device)) {
      return false;
    }
    if (now.has(part)) {
      return true;
    }
    now.set(part);
    long bytes = (before == null ? 0 : before.bytes) + resize(now);
    left.put(block, new Taken(device, bytes, now.sinceNanos, false));
    return true;
  }

  /**
   * What really was copied of a block is gone; so is what the model has of it. Returns false if
   * nothing was known to be there.
   */
  synchronized boolean cleanDropped(BlockKey block) {
    Taken real = left.remove(block);
    if (real != null) {
      release(block);
      space.take(real.device, real.bytes);
    }
    return real != null;
  }

  /** What a look at a block would find. */
  Sighting seen(Sighting real) {
    BlockKey block = real.replica.block();
    synchronized (this) {
      ModelBlock now = held.get(block);
      if (now != null && now.replica.equals(real.replica)) {
        Home home = now.guest ? Home.SSD_GUEST : Home.DISK;
        return new Sighting(
            real.replica,
            () -> home,
            now.guest ? now.device : null,
            now.data ? now.device : null,
            now.checksums ? now.device : null,
            Replica.estimatedChecksumBytes(real.replica.lengthBytes()));
      }
      if (real.device == null || left.containsKey(block)) {
        return new Sighting(real.replica, () -> Home.DISK, null, null, null, 0);
      }
    }
    return real;
  }

  // ---- answers ----------------------------------------------------------------------------------

  /** True if the block's data would be on a fast device. */
  synchronized boolean isFast(BlockKey block) {
    ModelBlock now = held.get(block);
    return now != null && now.isFast();
  }

  /** Since when it would be, on the store's clock; the present if it would not. */
  synchronized long sinceNanos(BlockKey block) {
    ModelBlock now = held.get(block);
    return now != null && now.isFast() ? now.sinceNanos : clock.getAsLong();
  }

  @Override
  public @Nullable Replica finalized(BlockKey block) {
    return host.finalized(block);
  }

  @Override
  public boolean exists(BlockKey block) {
    return host.exists(block);
  }

  @Override
  public boolean servesClean(BlockKey block) {
    return host.servesClean(block);
  }

  @Override
  public synchronized boolean hasClean(BlockKey block, Part part) {
    ModelBlock now = held.get(block);
    return now != null && now.has(part);
  }

  // ---- moves ------------------------------------------------------------------------------------

  @Override
  public long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    String from = slowDevice(replica.block());
    if (from == null) {
      throw new IOException("replica is not on DISK: replica=" + replica);
    }
    long length = replica.lengthBytes();
    long sums = Replica.estimatedChecksumBytes(length);
    copy(part == Part.DATA ? length : sums, pace.from(from));
    if (!Objects.equals(replica, host.finalized(replica.block()))) {
      throw new IOException("replica has changed: replica=" + replica);
    }
    synchronized (this) {
      ModelBlock now = held.get(replica.block());
      if (now == null) {
        now = hold(replica, device);
      } else if (now.guest || !now.replica.equals(replica)) {
        throw new IOException("replica has changed: replica=" + replica);
      }
      boolean copies = part == Part.DATA && !now.data;
      long written = (copies ? length : 0) + (now.checksums ? 0 : sums);
      if (copies) {
        now = hold(replica, device); // since now, and with its checksum file
        now.data = true;
        counters.increment(Counter.OBSERVED_DECISIONS);
        counters.increment(Counter.OBSERVED_BLOCKS_PROMOTED);
        counters.add(Counter.OBSERVED_BYTES_PROMOTED, length);
      }
      now.checksums = true;
      settle(now);
      commit(progress);
      return written;
    }
  }

  @Override
  public boolean demote(
      Replica replica, String target, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    copy(replica.lengthBytes(), throttle);
    synchronized (this) {
      ModelBlock now = held.get(replica.block());
      if (now == null || !now.guest || !now.replica.equals(replica)) {
        throw new IOException("replica has changed: replica=" + replica);
      }
      counters.increment(Counter.OBSERVED_DECISIONS);
      if (space.isFast(target)) {
        space.take(now.device, -now.takenBytes());
        now.moveTo(target);
      } else {
        counters.increment(Counter.OBSERVED_BLOCKS_DEMOTED);
        counters.add(Counter.OBSERVED_BYTES_DEMOTED, replica.lengthBytes());
        now.guest = false;
        now.data = keepClean;
        now.checksums = keepClean;
      }
      settle(now);
    }
    commit(progress);
    progress.reached(MoveState.SOURCE_REMOVED);
    return keepClean;
  }

  private static void copy(long bytes, Throttle throttle) throws InterruptedException {
    long left = bytes;
    while (left > 0) {
      long chunk = Math.min(left, throttle.chunkBytes(CHUNK_BYTES));
      throttle.take(chunk);
      left -= chunk;
    }
  }

  private static void commit(Progress progress) {
    progress.reached(MoveState.COPIED);
    progress.reached(MoveState.VERIFIED);
    progress.reached(MoveState.SYNCED);
    progress.reached(MoveState.COMMITTED);
  }

  @Override
  public synchronized void evict(BlockKey block, Part part) {
    ModelBlock now = held.get(block);
    if (now == null || now.guest) {
      return;
    }
    if (now.data && part == Part.DATA) {
      counters.increment(Counter.OBSERVED_DECISIONS);
      counters.increment(Counter.OBSERVED_BLOCKS_EVICTED);
      counters.add(Counter.OBSERVED_BYTES_EVICTED, now.replica.lengthBytes());
    }
    now.data = false;
    now.checksums &= part == Part.DATA;
    settle(now);
  }

  @Override
  public synchronized void discard(Replica copied) {
    ModelBlock now = held.get(copied.block());
    if (now != null && now.replica.equals(copied)) {
      evict(copied.block(), Part.CHECKSUM);
    }
  }
}
