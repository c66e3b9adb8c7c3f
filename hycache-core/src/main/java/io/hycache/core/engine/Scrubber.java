package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.move.WriteBackPace;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes dirty replicas to DISK ahead of need (the scrubber of Hystor's write-back area, ICS'11),
 * one at a time to each slow device, and sets the pace of every move from or to one, so that they
 * step back for its users.
 *
 * <p>A round is O(slow devices), and when something is due O(blocks of the eviction order up to the
 * victims). Owned by the planner's thread.
 */
final class Scrubber {
  /** A replica that was begun longer ago is a file held open, and keeps no disk busy. */
  private static final long SLOW_WRITE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final BlockTable table;
  private final Departures departures;
  private final FastSpace space;
  private final WriteSpace writeSpace;
  private final Movers movers;
  private final Counters counters;
  private final BiConsumer<BlockEntry, Boolean> demoted;
  private final BiConsumer<BlockEntry, Throwable> failed;
  private final SlowDeviceUse use = new SlowDeviceUse();
  private final Set<String> writtenTo = new HashSet<>();
  private HyCacheConfig config;
  private WriteBackPace pace;
  private List<SlowDevice> devices = List.of();
  private long leavingBytes;

  /**
   * @param demoted told of a replica that is on DISK now, and whether its SSD bytes stayed as a
   *     clean copy
   * @param failed told of a replica that stays where it was
   */
  Scrubber(
      HyCacheConfig config,
      BlockTable table,
      Departures departures,
      FastSpace space,
      WriteSpace writeSpace,
      Movers movers,
      Counters counters,
      BiConsumer<BlockEntry, Boolean> demoted,
      BiConsumer<BlockEntry, Throwable> failed) {
    this.config = config;
    this.pace = pace(config);
    this.table = table;
    this.departures = departures;
    this.space = space;
    this.writeSpace = writeSpace;
    this.movers = movers;
    this.counters = counters;
    this.demoted = demoted;
    this.failed = failed;
  }

  private static WriteBackPace pace(HyCacheConfig config) {
    return new WriteBackPace(config.demoteBytesPerSec(), config.demoteBusyBytesPerSec());
  }

  void reconfigure(HyCacheConfig next) {
    config = next;
    pace = pace(next);
  }

  /** The slow devices that can be written to. */
  void update(List<SlowDevice> found) {
    devices = found;
  }

  /** Dirty bytes are on their way to DISK by another hand; less than 0: no longer. */
  void leaves(long bytes) {
    leavingBytes += bytes;
  }

  /** Users wait for the head of a slow device. */
  boolean usersWait() {
    return use.anyWaitedFor();
  }

  /**
   * The device with most room among those that nothing of ours is being written to, for victims
   * that have to make way; null if none has enough. Who writes there calls {@link #begins}.
   */
  @Nullable String roomiestIdle(List<BlockEntry> victims) {
    return devices.stream()
        .filter(device -> !writtenTo.contains(device.id()) && fits(device, victims))
        .max(Comparator.comparingLong(SlowDevice::availableBytes))
        .map(SlowDevice::id)
        .orElse(null);
  }

  /** Some device would have the room for them, if nothing were being written there. */
  boolean anyFits(List<BlockEntry> victims) {
    return devices.stream().anyMatch(device -> fits(device, victims));
  }

  private static boolean fits(SlowDevice device, List<BlockEntry> victims) {
    return device.availableBytes() > victims.stream().mapToLong(BlockEntry::sizeBytes).sum();
  }

  /** Something of ours is written to this device by another hand, until {@link #ends}. */
  void begins(String slowDevice) {
    writtenTo.add(slowDevice);
  }

  void ends(String slowDevice) {
    writtenTo.remove(slowDevice);
  }

  /** Sets the paces, and begins what is due. */
  void maintain(long now) {
    use.update(devices, writeSpace.devicesWritten(now, SLOW_WRITE_NANOS), now);
    long low = (long) (space.replicaCapacityBytes() * config.demoteLow());
    long high = (long) (space.replicaCapacityBytes() * config.demoteHigh());
    long dirty = table.use(space.ids()).dirtyBytes() - leavingBytes;
    double fill = WriteBackPace.fill(dirty, low, high);
    Deque<SlowDevice> ready = new ArrayDeque<>();
    for (SlowDevice device : devices) {
      movers.setReadRate(device.id(), promoteBytesPerSec(device));
      boolean inUse = use.inUse(device, now);
      movers.setDemoteRate(device.id(), pace.bytesPerSec(fill, inUse));
      if (pace.begins(fill, inUse) && !writtenTo.contains(device.id())) {
        ready.add(device);
      }
    }
    for (BlockEntry victim :
        departures.first(Departures.Kind.DIRTY, dirty - low, ready.size(), now)) {
      SlowDevice device = ready.remove();
      if (device.availableBytes() > victim.sizeBytes()) {
        demote(victim, device.id());
      }
    }
  }

  private long promoteBytesPerSec(SlowDevice device) {
    return use.isWaitedFor(device.id())
        ? Math.min(config.promoteBusyBytesPerSec(), config.promoteBytesPerSec())
        : config.promoteBytesPerSec();
  }

  private void demote(BlockEntry victim, String slowDevice) {
    long bytes = victim.sizeBytes();
    victim.setMoving(Moving.DEMOTING);
    writtenTo.add(slowDevice);
    leavingBytes += bytes;
    Runnable ended =
        () -> {
          writtenTo.remove(slowDevice);
          leavingBytes -= bytes;
        };
    boolean queued = false;
    try {
      queued =
          movers.demote(
              victim.replica(),
              slowDevice,
              kept -> {
                ended.run();
                demoted.accept(victim, kept);
              },
              why -> {
                ended.run();
                failed.accept(victim, why);
              });
    } finally {
      if (!queued) {
        ended.run();
        victim.setMoving(Moving.NOTHING);
        counters.increment(Counter.MOVES_REJECTED);
      }
    }
  }
}
