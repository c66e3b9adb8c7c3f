// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.WriteFallback;
import io.hycache.hdfs.conf.StorageTiers;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the storage type of a new replica: the first fast tier that has room, unless a slower one
 * is faster because it is less busy, and falls back to the next. Where the NameNode asked for SSD,
 * or an append needs space there, clean copies are evicted. Only in mode active does a replica go
 * to another type than the NameNode asked for. Runs on the writer's thread. HyCache's own steps are
 * guarded; exceptions of HDFS go to the caller. Thread-safe.
 */
public final class WritePlacement {
  /** Creates a replica through HDFS. */
  public interface Create {
    ReplicaHandler on(StorageType type) throws IOException;
  }

  private final ReplicaStore store;
  private final StorageTiers tiers;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final HyCacheEngine engine;
  private final ScheduledElsewhere scheduled;
  private final AppendRoom appendRoom;
  private final Activity activity;
  private final Guard guard;
  private final Counters counters;
  private final Predicate<File> avoid;
  private final DeviceLoads loads;
  private final LoadBalance balance;
  private final RoomOnSsd room;
  private final RefusalLog refusals = new RefusalLog(System::nanoTime);

  /**
   * @param avoid true for the root of an SSD that must not receive new replicas
   */
  WritePlacement(
      ReplicaStore store,
      Map<String, CleanArea> areas,
      Guests guests,
      HyCacheEngine engine,
      ScheduledElsewhere scheduled,
      AppendRoom appendRoom,
      RoomOnSsd.Copies copies,
      Activity activity,
      Guard guard,
      Counters counters,
      DeviceLoads loads,
      LoadBalance balance,
      Predicate<File> avoid) {
    this.store = store;
    this.tiers = store.tiers();
    this.areas = areas;
    this.guests = guests;
    this.engine = engine;
    this.scheduled = scheduled;
    this.appendRoom = appendRoom;
    this.activity = activity;
    this.guard = guard;
    this.counters = counters;
    this.avoid = avoid;
    this.loads = loads;
    this.balance = balance;
    this.room = new RoomOnSsd(copies);
  }

  /** Returns the tiers of this DataNode. */
  public StorageTiers tiers() {
    return tiers;
  }

  // ---- new replicas -----------------------------------------------------------------------------

  /**
   * Creates a replica for a client's write: on SSD as a guest if it is admitted there, otherwise,
   * or if that fails, on the storage type that the NameNode asked for.
   *
   * @param sizeBytes expected size of the block
   * @param lazyPersist the client asked for lazy persist
   */
  public ReplicaHandler createRbw(
      BlockKey block, StorageType asked, long sizeBytes, boolean lazyPersist, Create create)
      throws IOException {
    try {
      return create(block, asked, sizeBytes, lazyPersist, create);
    } finally {
      balance.opened();
    }
  }

  private ReplicaHandler create(
      BlockKey block, StorageType asked, long sizeBytes, boolean lazyPersist, Create create)
      throws IOException {
    IOException failed = null;
    for (int tier : tiersFor(block, asked, sizeBytes, lazyPersist)) {
      ReplicaHandler handler;
      try {
        handler = create.on(tiers.fast().get(tier));
      } catch (ReplicaAlreadyExistsException | RuntimeException | Error e) {
        notPlaced(sizeBytes);
        throw e;
      } catch (IOException e) {
        if (failed != null) {
          e.addSuppressed(failed);
        }
        failed = e;
        continue;
      }
      placed(block, sizeBytes, tier, handler.getReplica());
      return handler;
    }
    if (failed != null) {
      notPlaced(sizeBytes);
      placementFailed(block, sizeBytes, failed);
    }
    return asAsked(block, asked, sizeBytes, create);
  }

  private ReplicaHandler asAsked(BlockKey block, StorageType asked, long sizeBytes, Create create)
      throws IOException {
    ReplicaHandler handler;
    try {
      handler = createWithRoom(asked, sizeBytes, create);
    } catch (DiskOutOfSpaceException e) {
      if (!tiers.isFast(asked) || !activity.active()) {
        throw e;
      }
      placementFailed(block, sizeBytes, e);
      handler = create.on(tiers.slow());
      created(block, handler.getReplica());
      placedOnDisk(block, asked);
      return handler;
    }
    created(block, handler.getReplica());
    return handler;
  }

  /**
   * Creates a replica on a storage type. The NameNode counts clean copies as free space, so if an
   * SSD is full of them, some are evicted and the creation is tried again.
   */
  public ReplicaHandler createWithRoom(StorageType asked, long sizeBytes, Create create)
      throws IOException {
    try {
      return create.on(asked);
    } catch (DiskOutOfSpaceException e) {
      if (!tiers.isFast(asked) || !makeRoomOn(asked, sizeBytes)) {
        throw e;
      }
      try {
        return create.on(asked);
      } finally {
        room.ended();
      }
    }
  }

  /**
   * Returns the fast tiers to try for a new replica for which the NameNode asked for the slow tier;
   * none if it goes there. Otherwise {@link #placed} or {@link #notPlaced} must follow.
   */
  private List<Integer> tiersFor(
      BlockKey block, StorageType asked, long sizeBytes, boolean lazyPersist) {
    if (asked != tiers.slow() || lazyPersist || activity.off()) {
      return List.of();
    }
    return guard.call("place", List.<Integer>of(), () -> tiersFor(block, sizeBytes));
  }

  private List<Integer> tiersFor(BlockKey block, long sizeBytes) {
    WriteFallback why;
    List<Integer> order = List.of();
    if (!engine.isMeantForFast(sizeBytes)) {
      why = engine.admit(block, sizeBytes);
    } else if (scheduled.holdsBack(block.pool(), sizeBytes)) {
      why = WriteFallback.SCHEDULED_ON_DISK;
      why.count(counters);
    } else {
      List<Integer> withRoom = engine.tiersFor(sizeBytes);
      if (!withRoom.isEmpty()) {
        int soonest = balance.soonestToWrite(sizeBytes, withRoom);
        order = withRoom.subList(soonest, withRoom.size());
      }
      if (order.isEmpty() && !withRoom.isEmpty()) {
        why = WriteFallback.SSD_BUSY;
        why.count(counters);
      } else {
        why = admit(sizeBytes, order.isEmpty());
      }
    }
    if (why != null && why != WriteFallback.NOT_MEANT) {
      engine.onWrittenToDisk(block, sizeBytes, why);
    }
    return why == null ? order : List.of();
  }

  /**
   * As {@link HyCacheEngine#admit}.
   *
   * @param nowhere whether no tier has the room, though all together may
   */
  private @Nullable WriteFallback admit(long sizeBytes, boolean nowhere) {
    WriteFallback why = engine.admit(sizeBytes);
    if (why == null && nowhere) {
      notPlaced(sizeBytes);
      why = WriteFallback.NO_ROOM;
      why.count(counters);
    }
    return why;
  }

  /** Called when a guest was created on a fast tier. */
  private void placed(BlockKey block, long sizeBytes, int tier, ReplicaInPipeline created) {
    guard.run(
        "placed",
        () -> {
          engine.onPlaced(block, sizeBytes, tier);
          loads.writeBegun(block, volume(created), created::getBytesOnDisk);
          guests.placed(block, new File(created.getReplicaInfo().getBlockURI()));
          scheduled.begun(block, tiers.slow());
        });
  }

  /** Called when a replica that the NameNode asked for on a fast tier was created on DISK. */
  private void placedOnDisk(BlockKey block, StorageType asked) {
    guard.run("placed on DISK", () -> scheduled.begun(block, asked));
  }

  /** Called when an admitted guest could not be created on SSD; releases its reservation. */
  private void notPlaced(long sizeBytes) {
    guard.run("not placed", () -> engine.onNotPlaced(sizeBytes));
  }

  /**
   * Called when a replica that is not a guest was created on a volume. HDFS may have removed one
   * that was being written, also a guest: a client whose pipeline failed creates the block again.
   */
  private void created(BlockKey block, ReplicaInPipeline created) {
    if (activity.off()) {
      return;
    }
    guard.run(
        "created",
        () -> {
          File volume = volume(created);
          loads.writeBegun(block, volume, created::getBytesOnDisk);
          scheduled.gone(block);
          if (!areas.containsKey(volume.getPath())) {
            engine.onSlowWrite(block, volume.getPath());
          }
        });
  }

  private static File volume(ReplicaInPipeline created) {
    return new File(created.getReplicaInfo().getVolume().getBaseURI());
  }

  /** Called when a replica could not be created on SSD and falls back to DISK. */
  private void placementFailed(BlockKey block, long sizeBytes, IOException cause) {
    guard.run(
        "placement failed",
        () -> {
          WriteFallback why =
              cause instanceof DiskOutOfSpaceException
                  ? WriteFallback.SSD_FULL
                  : WriteFallback.SSD_FAILED;
          why.count(counters);
          engine.onWrittenToDisk(block, sizeBytes, why);
          refusals.log(block.id(), why, cause);
        });
  }

  // ---- room on SSD ------------------------------------------------------------------------------

  /**
   * Evicts clean copies for a replica that the NameNode asked for on SSD and that found no space,
   * because the NameNode counts their space as free. Does no scan and does not block.
   *
   * @return true if this thread was granted space; {@link RoomOnSsd#ended} must follow
   */
  private boolean makeRoomOn(StorageType asked, long sizeBytes) {
    return activity.mode() == Mode.ACTIVE
        && guard.call("make room", Boolean.FALSE, () -> room.make(healthy(asked), sizeBytes));
  }

  private List<ReplicaStore.Volume> healthy(StorageType type) {
    return store.ssdVolumes().stream()
        .filter(volume -> volume.tier() == tiers.tierOf(type))
        .filter(volume -> !avoid.test(volume.root()) && areas.containsKey(volume.root().getPath()))
        .collect(toList());
  }

  /**
   * Returns the bytes that this thread freed on a volume for the replica that it is about to
   * create.
   */
  public long grantedBytes(FsVolumeSpi volume) {
    return room.isGranted() ? room.granted(new File(volume.getBaseURI())) : 0;
  }

  /**
   * Evicts clean copies on a volume that has no space for an append.
   *
   * @return true if space was freed and the append can be retried
   */
  public boolean makeRoomFor(File volume, long bytes) {
    return !activity.off()
        && guard.call("make room", Boolean.FALSE, () -> appendRoom.makeRoomFor(volume, bytes));
  }

  /**
   * Moves a guest to DISK when evicting clean copies freed too little space for an append.
   *
   * @param bytes length that the block may reach
   * @return true if the replica is on DISK now and the append can be retried
   */
  public boolean moveForAppend(BlockKey block, long bytes) {
    if (activity.off()) {
      return false;
    }
    boolean moved =
        guard.call("move for an append", Boolean.FALSE, () -> appendRoom.moveToDisk(block, bytes));
    if (moved) {
      counters.increment(Counter.APPENDS_MOVED);
    }
    return moved;
  }
}
