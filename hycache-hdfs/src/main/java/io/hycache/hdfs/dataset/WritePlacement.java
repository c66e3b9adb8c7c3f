package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.WriteFallback;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * Chooses the storage type of a new replica, and the other one when the first has no room. Where
 * the NameNode asked for SSD, or an append needs room there, clean copies make way. Runs on the
 * writer's thread; what is ours is guarded, what HDFS throws goes on to the caller. Thread-safe.
 */
public final class WritePlacement {
  /** HDFS's creation of a replica. */
  public interface Create {
    ReplicaHandler on(StorageType type) throws IOException;
  }

  private final ReplicaStore store;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final HyCacheEngine engine;
  private final ScheduledElsewhere scheduled;
  private final AppendRoom appendRoom;
  private final Activity activity;
  private final Guard guard;
  private final Counters counters;
  private final Predicate<File> avoid;
  private final RoomOnSsd room;
  private final RefusalLog refusals = new RefusalLog(System::nanoTime);

  /**
   * @param avoid true for the root of an SSD that must not be given anything new
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
      Predicate<File> avoid) {
    this.store = store;
    this.areas = areas;
    this.guests = guests;
    this.engine = engine;
    this.scheduled = scheduled;
    this.appendRoom = appendRoom;
    this.activity = activity;
    this.guard = guard;
    this.counters = counters;
    this.avoid = avoid;
    this.room = new RoomOnSsd(copies);
  }

  // ---- new replicas -----------------------------------------------------------------------------

  /**
   * Creates a replica that a client writes: on SSD as our guest if it is to go there, else, and if
   * that fails, as the NameNode asked.
   *
   * @param sizeBytes of the block, as far as is known
   * @param lazyPersist the replica may be held in memory
   */
  public ReplicaHandler createRbw(
      BlockKey block, StorageType asked, long sizeBytes, boolean lazyPersist, Create create)
      throws IOException {
    if (!placeOnSsd(block, asked, sizeBytes, lazyPersist)) {
      return asAsked(block, asked, sizeBytes, create);
    }
    ReplicaHandler handler;
    try {
      handler = create.on(StorageType.SSD);
    } catch (ReplicaAlreadyExistsException | RuntimeException | Error e) {
      notPlaced(sizeBytes);
      throw e;
    } catch (IOException e) {
      notPlaced(sizeBytes);
      placementFailed(block, e);
      return asAsked(block, asked, sizeBytes, create);
    }
    ReplicaInfo created = handler.getReplica().getReplicaInfo();
    placed(block, sizeBytes, new File(created.getBlockURI()));
    return handler;
  }

  private ReplicaHandler asAsked(BlockKey block, StorageType asked, long sizeBytes, Create create)
      throws IOException {
    ReplicaHandler handler;
    try {
      handler = createWithRoom(asked, sizeBytes, create);
    } catch (DiskOutOfSpaceException e) {
      if (asked != StorageType.SSD || guard.tripped()) {
        throw e;
      }
      placementFailed(block, e);
      handler = create.on(StorageType.DISK);
      placedOnDisk(block);
    }
    ReplicaInfo created = handler.getReplica().getReplicaInfo();
    created(block, new File(created.getVolume().getBaseURI()));
    return handler;
  }

  /** The NameNode counts clean copies as free: where a volume is full of them, they make way. */
  public ReplicaHandler createWithRoom(StorageType asked, long sizeBytes, Create create)
      throws IOException {
    try {
      return create.on(asked);
    } catch (DiskOutOfSpaceException e) {
      if (asked != StorageType.SSD || !makeRoomOnSsd(sizeBytes)) {
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
   * Shall a new replica go to SSD although the NameNode asked for this type? After a yes {@link
   * #placed} or {@link #notPlaced} must follow.
   */
  private boolean placeOnSsd(
      BlockKey block, StorageType asked, long sizeBytes, boolean lazyPersist) {
    if (asked != StorageType.DISK || lazyPersist || activity.off()) {
      return false;
    }
    return guard.call("place", Boolean.FALSE, () -> placeOnSsd(block, sizeBytes));
  }

  private boolean placeOnSsd(BlockKey block, long sizeBytes) {
    WriteFallback why;
    if (engine.isMeantForFast(sizeBytes) && scheduled.holdsBack(block.pool(), sizeBytes)) {
      why = WriteFallback.SCHEDULED_ON_DISK;
      why.count(counters);
    } else {
      why = engine.admit(sizeBytes);
    }
    if (why != null && why != WriteFallback.NOT_MEANT) {
      engine.onWrittenToDisk(block, why);
    }
    return why == null;
  }

  /** A new replica was created on SSD as our guest. */
  private void placed(BlockKey block, long sizeBytes, File data) {
    guard.run(
        "placed",
        () -> {
          engine.onPlaced(block, sizeBytes);
          guests.placed(block, data);
          scheduled.begun(block, StorageType.DISK);
        });
  }

  /** A new replica that was asked for on SSD was created on DISK. */
  private void placedOnDisk(BlockKey block) {
    guard.run("placed on DISK", () -> scheduled.begun(block, StorageType.SSD));
  }

  /** A new replica that was to be our guest on SSD was not created there. */
  private void notPlaced(long sizeBytes) {
    guard.run("not placed", () -> engine.onNotPlaced(sizeBytes));
  }

  /** A new replica was created that is not our guest, on the volume with this root. */
  private void created(BlockKey block, File volume) {
    if (!activity.off() && !areas.containsKey(volume.getPath())) {
      guard.run("created", () -> engine.onSlowWrite(block, volume.getPath()));
    }
  }

  /** A new replica could not be created on SSD; it goes to DISK. */
  private void placementFailed(BlockKey block, IOException cause) {
    guard.run(
        "placement failed",
        () -> {
          WriteFallback why =
              cause instanceof DiskOutOfSpaceException
                  ? WriteFallback.SSD_FULL
                  : WriteFallback.SSD_FAILED;
          why.count(counters);
          engine.onWrittenToDisk(block, why);
          refusals.log(block.id(), why, cause);
        });
  }

  // ---- room on SSD ------------------------------------------------------------------------------

  /**
   * A new replica that the NameNode asked for on SSD found no room there: clean copies make it,
   * because they are what took the space that the NameNode counts as free. No walk, no waiting.
   *
   * @return true if it finds room on this thread now; the grant's end must follow
   */
  private boolean makeRoomOnSsd(long sizeBytes) {
    return activity.mode() == Mode.ACTIVE
        && guard.call("make room", Boolean.FALSE, () -> room.make(healthySsds(), sizeBytes));
  }

  private List<ReplicaStore.Volume> healthySsds() {
    return store.ssdVolumes().stream()
        .filter(volume -> !avoid.test(volume.root()) && areas.containsKey(volume.root().getPath()))
        .collect(toList());
  }

  /** What this thread made free on a volume for the replica that it is about to create. */
  public long grantedBytes(FsVolumeSpi volume) {
    return room.isGranted() ? room.granted(new File(volume.getBaseURI())) : 0;
  }

  /**
   * An append finds no room on the volume that the replica is on.
   *
   * @return true if clean copies have made way and it may be tried again
   */
  public boolean makeRoomFor(File volume, long bytes) {
    return !activity.off()
        && guard.call("make room", Boolean.FALSE, () -> appendRoom.makeRoomFor(volume, bytes));
  }

  /**
   * The same, and clean copies were not enough.
   *
   * @param bytes what the block may grow to
   * @return true if the replica is on DISK now and it may be tried again
   */
  public boolean moveForAppend(BlockKey block, long bytes) {
    if (activity.off()) {
      return false;
    }
    boolean moved =
        guard.call(
            "move for an append", Boolean.FALSE, () -> appendRoom.moveToDisk(block, bytes));
    if (moved) {
      counters.increment(Counter.APPENDS_MOVED);
    }
    return moved;
  }
}
