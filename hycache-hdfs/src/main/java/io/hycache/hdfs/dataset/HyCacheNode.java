package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.directory.DirectoryHost;
import io.hycache.hdfs.metrics.HyCacheMetrics;
import io.hycache.hdfs.rpc.NodeService;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HyCache in one DataNode: turns the dataset's calls into engine events and serves clean copies.
 *
 * <p>One per dataset, no statics. Every method that HDFS's own threads call passes the guard and
 * answers "as plain HDFS" when something of ours fails. Thread-safe.
 */
public final class HyCacheNode implements NodeService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheNode.class);

  /** HDFS may be told to wait long before the first block report of a start. */
  private static final int LONGEST_WAIT_FOR_REPORT_SECONDS = 10;

  private static final int FIRST_LOOK_AGAIN_SECONDS = 5;
  private static final int MOST_LOOK_AGAIN_SECONDS = 600;

  private final ReplicaStore store;
  private final Mode mode;
  private final Counters counters = new Counters();
  private final Guard guard;
  private final CleanCopies copies = new CleanCopies();
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private final Guests guests = new Guests();
  private final LockedBlocks locked;
  private final OpenFiles openFiles;
  private final HeatFiles heat;
  private final HdfsMover mover;
  private final AppendRoom appendRoom;
  private final HdfsHost host;
  private final HyCacheEngine engine;
  private final CleanReads reads;
  private final CopyScrubber scrubber;
  private final ScheduledElsewhere scheduled;
  private final RoomOnSsd room;
  private final OrphanSweep orphans;
  private final RefusalLog refusals = new RefusalLog(System::nanoTime);
  private final ScheduledExecutorService starter;

  /** Block pools that are loaded and of which the NameNode has not been told. */
  private final Set<String> unreported = ConcurrentHashMap.newKeySet();

  /** Block pools that are loaded. */
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  private final String metricsName;
  private volatile HyCacheConf settings;
  private volatile @Nullable DirectoryHost directory;

  /**
   * Builds and starts; bad settings mean pass-through, never an exception.
   *
   * @param name tells what is this DataNode's from what is others', in the same JVM and on disk
   */
  public HyCacheNode(Configuration conf, ReplicaStore store, String name) {
    this.store = store;
    this.settings = new HyCacheConf(conf);
    HyCacheConfig config = HyCacheConfig.builder().mode(Mode.OFF).policy("lru").build();
    List<CacheDir> cacheDirs = List.of();
    Set<File> dataDirs = Set.of();
    DataDirMode dirMode = DataDirMode.OWNER_ONLY;
    long limit = Long.MAX_VALUE;
    int failures = 1;
    int keptOpen = 0;
    long scrubBytesPerSec = 1 << 20;
    long scrubPeriodNanos = 0;
    String bad = null;
    try {
      config = settings.engine();
      Policies.create(config.policy());
      // DataNodes of one machine may be given the same directory.
      boolean allowRoot = settings.cacheDirsAllowRoot();
      dataDirs = StartAdvice.dataDirs(conf);
      List<String> owner = dataDirs.stream().map(File::getPath).collect(toList());
      DataDirMode allowed = settings.dataDirMode();
      dirMode = allowed;
      cacheDirs =
          settings.cacheDirs().stream()
              .map(dir -> new CacheDir(dir, name, owner, allowRoot, allowed))
              .collect(toList());
      limit = settings.ssdCapacityBytes();
      failures = settings.failuresToPassThrough();
      keptOpen = settings.openFiles();
      scrubBytesPerSec = settings.scrubBytesPerSec();
      scrubPeriodNanos = settings.scanPeriodNanos();
      settings.log();
    } catch (RuntimeException e) {
      bad = String.valueOf(e.getMessage());
      config = HyCacheConfig.builder().mode(Mode.OFF).policy("lru").build();
    }
    this.mode = config.mode();
    this.guard = new Guard(Math.max(1, failures), counters);
    this.openFiles = new OpenFiles(keptOpen);
    this.heat = new HeatFiles(areas);
    this.locked = new LockedBlocks(store);
    this.host =
        new HdfsHost(
            store, copies, areas, locked, cacheDirs, dirMode, limit, mode != Mode.OFF, counters);
    this.orphans =
        new OrphanSweep(new DataPools(store, dataDirs), areas::values, cacheDirs, counters);
    this.mover = new HdfsMover(store, copies, areas, host::useOf, this::doubt, guard::tripped);
    this.engine =
        new HyCacheEngine(
            config,
            Policies.create(config.policy()),
            mover,
            host,
            heat,
            counters,
            e -> guard.counted("engine", e));
    engine.onGivenUp(guard::trip);
    this.appendRoom =
        new AppendRoom(store, engine::nextToMakeWay, areas, mover.moves(), guests, this::evictData);
    engine.lookAgainWith(new NodeCensus(store, copies, guests, pools));
    guard.onTrip(new PassThrough(engine, copies, openFiles, mover, store)::begin);
    this.scrubber =
        new CopyScrubber(
            store,
            copies,
            areas,
            host::useOf,
            counters,
            this::dropCopy,
            engine.supervisor().part("copy scrubber"),
            scrubBytesPerSec,
            scrubPeriodNanos);
    this.reads =
        new CleanReads(
            store,
            copies,
            openFiles,
            host,
            engine,
            guard,
            counters,
            scrubber::suspect,
            scrubber.readers(),
            locked,
            this::dropCopy);
    this.scheduled =
        new ScheduledElsewhere(
            store.scheduledReports(),
            host::diskFreeBytes,
            counters,
            e -> guard.failed("report what was written elsewhere", e),
            System::nanoTime);
    this.room =
        new RoomOnSsd(
            new RoomOnSsd.Copies() {
              @Override
              public long spareBytes(String device) {
                return engine.mayMakeWayBytes(device);
              }

              @Override
              public long giveUpNext(String device) {
                return HyCacheNode.this.giveUpNext(device);
              }

              @Override
              public void missed(long sizeBytes) {
                engine.onRoomMissed(sizeBytes);
              }
            });
    this.starter = Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheStarter"));
    if (bad != null) {
      guard.trip("bad setting: " + bad);
    }
    this.metricsName = name;
    new HyCacheMetrics(
            counters,
            guard::tripped,
            copies::bytes,
            engine::writeBytesInFlight,
            this::devicesOutOfUse,
            engine::plannerStalledSeconds,
            this::directoryStatus)
        .register(name);
    engine.start();
    if (mode == Mode.ACTIVE) {
      scheduled.start();
    }
    if (mode != Mode.OFF) {
      scrubber.start();
    }
    int ssds = store.ssdVolumes().size();
    String advice = StartAdvice.ofFailures(conf, ssds, ssds + store.diskVolumes().size());
    if (advice != null) {
      LOG.warn(advice);
    }
    orphans.start();
  }

  @Override
  public void close() {
    if (starter.isShutdown()) {
      return;
    }
    starter.shutdownNow();
    scheduled.close();
    scrubber.close();
    orphans.close();
    engine.close();
    openFiles.releaseAll();
    host.close();
    HyCacheMetrics.unregister(metricsName);
    LOG.info("stopped: counters={}", counters.snapshot());
  }

  /** Makes the DataNode plain HDFS until it is started again. Idempotent; never waits. */
  void stepAside(String why) {
    guard.trip(why);
  }

  /** True once the plugin has stepped aside. */
  public boolean passThrough() {
    return guard.tripped();
  }

  public Counters counters() {
    return counters;
  }

  /** From now on this one hears of every step of every move. */
  public void observeMoves(MoveListener listener) {
    engine.observeMoves(listener);
  }

  public Mode mode() {
    return mode;
  }

  /** From now on the directory is told what is on SSD here, and asked. */
  void join(DirectoryHost host) {
    directory = host;
    if (!off()) {
      engine.join(host.neighbours());
    }
  }

  /** This DataNode's share of the directory; null as long as it has none. */
  @Nullable DirectoryNode directory() {
    DirectoryHost host = directory;
    return host == null ? null : host.node();
  }

  private @Nullable DirectoryStatus directoryStatus() {
    DirectoryHost host = directory;
    return host == null ? null : host.status();
  }

  /** Bytes of clean copies on all devices. */
  public long cleanBytes() {
    return guard.tripped() ? 0 : copies.bytes();
  }

  /**
   * Bytes on the device with this root that make way when the NameNode puts something there: the
   * data of clean copies. Checksum files don't.
   */
  public long givableBytes(File root) {
    CleanArea area = areas.get(root.getPath());
    boolean gives = mode == Mode.ACTIVE && !guard.tripped();
    return !gives || area == null || area.watch().sick() ? 0 : area.dataBytes();
  }

  /** True while the device with this root should not be given anything new. For the write path. */
  public boolean avoid(File root) {
    CleanArea area = areas.get(root.getPath());
    return area != null
        && !guard.tripped()
        && (area.watch().sick() || engine.isSpent(root.getPath()));
  }

  private long devicesOutOfUse() {
    return areas.values().stream().filter(area -> area.watch().sick()).count()
        + host.refusedDevices().size();
  }

  /** The finalized replica as HDFS holds it, or null. */
  @Nullable ReplicaView replica(BlockKey block) {
    return store.finalized(block);
  }

  private boolean off() {
    return mode == Mode.OFF || guard.tripped();
  }

  // ---- block pools and volumes ------------------------------------------------------------------

  /**
   * A block pool's replica map is loaded. Stock is taken off the start path: once the first block
   * report is made, so as not to compete with it, or some seconds later if there is none.
   */
  public void poolAdded(String pool) {
    pools.add(pool);
    unreported.add(pool);
    inSeconds(LONGEST_WAIT_FOR_REPORT_SECONDS, pool, () -> reported(pool));
  }

  /** A block report of this pool is made, or is not to be waited for any longer. */
  public void reported(String pool) {
    if (unreported.remove(pool)) {
      volumeAdded(pool);
    }
  }

  /** There are volumes whose replicas of this pool nobody took stock of. */
  public void volumeAdded(String pool) {
    inSeconds(0, pool, () -> takeStock(pool, FIRST_LOOK_AGAIN_SECONDS));
  }

  private void inSeconds(int seconds, String pool, Guard.Task action) {
    try {
      ScheduledFuture<?> unused =
          starter.schedule(
              () -> {
                try {
                  guard.run("take stock", action);
                } catch (Error e) { // nobody asks for the outcome
                  guard.failed("take stock", e);
                }
              },
              seconds,
              TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping; not taking stock of pool={}", pool, e);
    }
  }

  /** Takes stock; if that fails, again after so many seconds, ever more rarely. */
  private void takeStock(String pool, int againSeconds) throws IOException {
    boolean taken = false;
    try {
      takeStock(pool);
      taken = true;
    } finally {
      if (!taken) {
        areas.values().forEach(area -> area.forget(pool)); // what was found was not passed on
        int next = Math.min(2 * againSeconds, MOST_LOOK_AGAIN_SECONDS);
        inSeconds(againSeconds, pool, () -> takeStock(pool, next));
      }
    }
  }

  /**
   * Clean copies that an earlier process left are judged before the engine is notified of the
   * replicas. Each area is looked through once for a pool: what comes later this process makes.
   */
  private void takeStock(String pool) throws IOException {
    long begun = System.nanoTime();
    host.devices();
    List<CleanArea> unseen = new ArrayList<>();
    int removed = adoptAll(pool, List.copyOf(areas.values()), file -> {}, unseen);
    int[] replicas = new int[1];
    store.all(
        pool,
        replica -> {
          guests.gone(replica.block());
          engine.onReplica(replica, Home.DISK, null);
          passOnCopy(replica.block()); // at once, lest its checksum file is copied again
          if (!store.isFinalizedOnDisk(replica)) {
            refresh(pool, replica.block().id()); // it changed, and that may have been passed first
          }
          giveWay(++replicas[0]);
        },
        view -> {
          passOnGuest(view);
          giveWay(++replicas[0]);
        });
    warm(pool);
    LOG.info(
        "took stock: pool={} replicas={} copies={} cleanFilesRemoved={} millis={}",
        pool,
        replicas[0],
        copies.size(),
        removed,
        (System.nanoTime() - begun) / 1_000_000);
    lookAgain(pool, unseen, FIRST_LOOK_AGAIN_SECONDS);
  }

  /** Takes up the heat of each device, once: what this process writes behind it is known. */
  private void warm(String pool) {
    if (mode == Mode.OFF) {
      return;
    }
    areas.forEach(
        (device, area) -> {
          if (area.watch().isKnownGood() && area.isFirstWarmth(pool)) {
            engine.onHeat(device, pool, heat.read(device), heat.agoNanos(device));
          }
        });
  }

  /**
   * Passes a replica on that was seen on SSD. It may have been demoted since, and the engine been
   * notified of that: then the block is looked at again.
   */
  private void passOnGuest(ReplicaView seen) {
    BlockKey block = seen.replica().block();
    ReplicaView before = store.finalized(block);
    if (before != null && before.data().equals(seen.data())) {
      tell(before);
      ReplicaView after = store.finalized(block);
      if (after != null && after.data().equals(seen.data())) {
        return;
      }
    }
    engine.onDoubt(block);
  }

  /** What could not be looked at is in no ledger: it is looked at again, ever more rarely. */
  private void lookAgain(String pool, List<CleanArea> unseen, int seconds) {
    if (unseen.isEmpty()) {
      return;
    }
    inSeconds(
        seconds,
        pool,
        () -> {
          List<CleanArea> left = unseen; // whatever happens
          try {
            left = stillUnseen(pool, unseen);
          } finally {
            lookAgain(pool, left, Math.min(2 * seconds, MOST_LOOK_AGAIN_SECONDS));
          }
        });
  }

  /** Looks at areas for the first time; returns those that still can't be looked at. */
  private List<CleanArea> stillUnseen(String pool, List<CleanArea> unseen) {
    var unused = host.devices();
    unseen.retainAll(areas.values());
    if (unseen.stream().noneMatch(area -> area.watch().isKnownGood())) {
      return unseen;
    }
    List<CleanArea> stillUnseen = new ArrayList<>();
    int removed = adoptAll(pool, unseen, this::passOn, stillUnseen);
    LOG.info("looked again: pool={} filesRemoved={}", pool, removed);
    warm(pool);
    return stillUnseen;
  }

  /**
   * Lets the planner catch up when many blocks were passed on: events beyond its queue are lost.
   */
  private void giveWay(int told) {
    if (told % 1024 == 0) {
      try {
        engine.awaitRoom();
      } catch (InterruptedException e) {
        // Stopping: whoever waits next will see it.
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Takes the copies of a pool into the index, or removes their files.
   *
   * @param among where to look
   * @param kept gets each file that was taken into the index
   * @param unseen gets the areas that could not be looked at
   * @return files removed
   */
  private int adoptAll(
      String pool, List<CleanArea> among, Consumer<CleanFile> kept, List<CleanArea> unseen) {
    int removed = 0;
    for (CleanArea area : among) {
      String device = area.root().getPath();
      List<CleanFile> files = List.of();
      try {
        if (!area.watch().isKnownGood()) {
          unseen.add(area);
        } else if (area.isFirstLook(pool)) {
          files = area.scan(pool);
        }
      } catch (IOException e) {
        guard.failed("look for clean copies on " + device, e);
        unseen.add(area);
      }
      for (CleanFile file : files) {
        if (!pools.contains(pool)) {
          return removed; // the pool is leaving: no replica of it is there, and its files stay
        }
        if (mode != Mode.OFF && adopt(file)) {
          kept.accept(file);
        } else {
          area.remove(file.path());
          removed++;
        }
      }
      if (!unseen.contains(area)) {
        area.looked(pool);
      }
    }
    return removed;
  }

  /** Takes a file of the clean area back if it still copies the replica that is here. */
  private boolean adopt(CleanFile file) {
    Replica replica = file.replica();
    boolean isData = file.part() == Part.DATA;
    long bytes = file.lengthBytes();
    boolean complete = isData ? bytes == replica.lengthBytes() : bytes > 0;
    if (!complete || !store.isFinalizedOnDisk(replica)) {
      return false;
    }
    CleanCopies.Copy known = copies.get(replica.block());
    if (known != null && known.replica().equals(replica)) {
      CleanFile have = isData ? known.data() : known.checksums();
      if (have != null) {
        return have.isSameFileAs(file);
      }
    }
    copies
        .add(new CleanCopies.Copy(replica, isData ? file : null, isData ? null : file))
        .forEach(replaced -> replaced.area().remove(replaced.path()));
    if (!store.isFinalizedOnDisk(replica)
        || guard.tripped()
        || file.area().isDoomed(file.path())
        || (isData && !file.path().exists())) {
      // Changed or removed in between, and whoever did that found no copy to drop.
      mover.discard(replica);
      return false;
    }
    scrubber.found(file);
    return true;
  }

  /** Passes on what the index has of a block. */
  private void passOnCopy(BlockKey block) {
    CleanCopies.Copy copy = copies.get(block);
    if (copy != null) {
      copy.files().forEach(this::passOn);
    }
  }

  /** Passes an adopted file on, unless its copy was dropped since. */
  private void passOn(CleanFile file) {
    BlockKey block = file.replica().block();
    String device = file.area().root().getPath();
    engine.onClean(block, file.part(), device, file.allocatedBytes());
    CleanCopies.Copy copy = copies.get(block);
    boolean isData = file.part() == Part.DATA;
    if (copy == null || (isData ? copy.data() : copy.checksums()) == null) {
      // The engine may have been notified of that first.
      engine.onCleanDropped(block);
    }
  }

  private void tell(ReplicaView view) {
    String device = view.onSsd() ? view.volumeRoot().getPath() : null;
    engine.onReplica(view.replica(), guests.home(view), device);
  }

  /** A block pool is about to be removed from the replica map. */
  public void poolLeaves(String pool) {
    pools.remove(pool);
  }

  /**
   * A block pool is not served any more, because the DataNode stops or the pool was taken from it:
   * its copies are neither served nor counted. Their files stay: the pool may come again.
   */
  public void poolRemoved(String pool) {
    guard.run(
        "block pool removed",
        () -> {
          for (BlockKey block : copies.blocks()) {
            if (block.pool().equals(pool) && copies.remove(block) != null) {
              openFiles.release(block);
              store.revokeShortCircuit(block);
              engine.onCleanDropped(block);
            }
          }
          areas.values().forEach(area -> area.forget(pool));
          engine.onVolumesChanged();
        });
  }

  /** Volumes came or went. */
  public void volumesChanged() {
    guard.run(
        "volumes changed",
        () -> {
          openFiles.releaseAll();
          host.forgetGoneDevices();
          for (BlockKey block : copies.blocks()) {
            CleanCopies.Copy copy = copies.get(block);
            if (!store.exists(block) || (copy != null && host.lost(copy))) {
              dropCopy(block);
            }
          }
          engine.onVolumesChanged();
        });
  }

  // ---- writes -----------------------------------------------------------------------------------

  /**
   * Shall a new replica go to SSD although the NameNode asked for this type? After a yes {@link
   * #placed} or {@link #notPlaced} must follow.
   */
  public boolean placeOnSsd(
      String pool, long blockId, StorageType asked, long sizeBytes, boolean lazyPersist) {
    if (asked != StorageType.DISK || lazyPersist || off()) {
      return false;
    }
    return guard.call(
        "place", Boolean.FALSE, () -> placeOnSsd(new BlockKey(pool, blockId), sizeBytes));
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
  public void placed(String pool, long blockId, long sizeBytes, File data) {
    guard.run(
        "placed",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          engine.onPlaced(block, sizeBytes);
          guests.placed(block, data);
          scheduled.begun(block, StorageType.DISK);
        });
  }

  /** A new replica that was asked for on SSD was created on DISK. */
  public void placedOnDisk(String pool, long blockId) {
    guard.run(
        "placed on DISK", () -> scheduled.begun(new BlockKey(pool, blockId), StorageType.SSD));
  }

  /** A new replica that was to be our guest on SSD was not created there. */
  public void notPlaced(long sizeBytes) {
    guard.run("not placed", () -> engine.onNotPlaced(sizeBytes));
  }

  /** A new replica was created that is not our guest, on the volume with this root. */
  public void created(String pool, long blockId, File volume) {
    if (!off() && !areas.containsKey(volume.getPath())) {
      guard.run("created", () -> engine.onSlowWrite(new BlockKey(pool, blockId), volume.getPath()));
    }
  }

  /**
   * A new replica that the NameNode asked for on SSD found no room there: clean copies make it,
   * because they are what took the space that the NameNode counts as free. No walk, no waiting.
   *
   * @return true if it finds room on this thread now; {@link #roomUsed} must follow
   */
  public boolean makeRoomOnSsd(long sizeBytes) {
    return mode == Mode.ACTIVE
        && guard.call("make room", Boolean.FALSE, () -> room.make(healthySsds(), sizeBytes));
  }

  private List<ReplicaStore.Volume> healthySsds() {
    return store.ssdVolumes().stream()
        .filter(volume -> !avoid(volume.root()) && areas.containsKey(volume.root().getPath()))
        .collect(toList());
  }

  /** The replica for which this thread made room is created, or not. */
  public void roomUsed() {
    room.ended();
  }

  /** True if this thread made room for a replica that it is about to create. */
  public boolean isRoomGranted() {
    return room.isGranted();
  }

  /** What this thread made free on the volume with this root. */
  public long grantedBytes(File root) {
    return room.granted(root);
  }

  /** For tests. */
  List<ReplicaStore.Volume> ssdVolumes() {
    return store.ssdVolumes();
  }

  /** For tests. */
  Closeable reserve(File root, long bytes) throws IOException {
    return store.reserve(root, bytes);
  }

  /** For tests. */
  long spareBytes(File root) {
    return engine.mayMakeWayBytes(root.getPath());
  }

  private long giveUpNext(String device) {
    BlockKey block = engine.nextToMakeWay(device);
    if (block == null) {
      return -1;
    }
    CleanFile data = copies.removeData(block);
    if (data == null) {
      return 0;
    }
    // As long as it is linked, closing what is kept open of it costs nothing.
    openFiles.release(block);
    data.area().unlinkLater(data.path());
    store.revokeShortCircuit(block);
    engine.onMadeWay(block);
    return data.area().root().getPath().equals(device) ? data.lengthBytes() : 0;
  }

  /**
   * An append finds no room on the volume that the replica is on.
   *
   * @return true if clean copies have made way and it may be tried again
   */
  public boolean makeRoomFor(File volume, long bytes) {
    return !off()
        && guard.call("make room", Boolean.FALSE, () -> appendRoom.makeRoomFor(volume, bytes));
  }

  /**
   * The same, and clean copies were not enough.
   *
   * @param bytes what the block may grow to
   * @return true if the replica is on DISK now and it may be tried again
   */
  public boolean moveForAppend(String pool, long blockId, long bytes) {
    if (off()) {
      return false;
    }
    boolean moved =
        guard.call(
            "move for an append",
            Boolean.FALSE,
            () -> appendRoom.moveToDisk(new BlockKey(pool, blockId), bytes));
    if (moved) {
      counters.increment(Counter.APPENDS_MOVED);
    }
    return moved;
  }

  /** A replica was finalized after it was written here. */
  public void written(String pool, long blockId) {
    guard.run(
        "written",
        () -> {
          ReplicaView view = store.finalized(new BlockKey(pool, blockId));
          if (view != null && view.onSsd()) {
            engine.onWritten(view.volumeRoot().getPath(), view.replica().lengthBytes());
          }
        });
  }

  /** A new replica could not be created on SSD; it goes to DISK. */
  public void placementFailed(String pool, long blockId, IOException cause) {
    guard.run(
        "placement failed",
        () -> {
          WriteFallback why =
              cause instanceof DiskOutOfSpaceException
                  ? WriteFallback.SSD_FULL
                  : WriteFallback.SSD_FAILED;
          why.count(counters);
          engine.onWrittenToDisk(new BlockKey(pool, blockId), why);
          refusals.log(blockId, why, cause);
        });
  }

  /** The replica may have been created, finalized, moved or changed: look and tell the engine. */
  public void refresh(String pool, long blockId) {
    guard.run(
        "refresh",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          ReplicaView view = store.finalized(block);
          CleanCopies.Copy copy = copies.get(block);
          if (copy != null && !store.isFinalizedOnDisk(copy.replica())) {
            // Completed after the replica began to change; it was never served since.
            dropCopy(block);
          }
          if (view != null) {
            scheduled.finalized(block);
            tell(view);
          } else {
            engine.onGone(block);
          }
        });
  }

  /** The replica is about to change or go: nothing stale may be served from now on. */
  public void changing(String pool, long blockId) {
    guard.run(
        "changing",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          guests.changing(store.finalized(block));
          dropCopy(block);
        });
  }

  /** HDFS made a new replica of a part of one: it is as much a guest as that. */
  public void copied(String pool, long fromBlockId, long toBlockId) {
    guard.run(
        "copied",
        () ->
            guests.copied(
                store.finalized(new BlockKey(pool, fromBlockId)), new BlockKey(pool, toBlockId)));
    refresh(pool, toBlockId);
  }

  /** The replica was deleted. */
  public void deleted(String pool, long blockId) {
    guard.run(
        "deleted",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          guests.gone(block);
          scheduled.gone(block);
          dropCopy(block);
          locked.remove(block);
          engine.onGone(block);
        });
  }

  /** HDFS is asked to lock a replica in memory: its copy is not served until that ends. */
  public void lockedInMemory(String pool, long blockId) {
    guard.run(
        "locked in memory",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          locked.add(block);
          dropCopy(block);
        });
  }

  /** HDFS does not lock the replica in memory any more. */
  public void unlocked(String pool, long blockId) {
    guard.run("unlocked", () -> locked.remove(new BlockKey(pool, blockId)));
  }

  /**
   * HDFS has deleted the replica, after {@link #deleted} was called. Who took stock in between may
   * have found the replica, and a copy of it.
   */
  public void gone(String pool, long blockId) {
    guard.run(
        "gone",
        () -> {
          BlockKey block = new BlockKey(pool, blockId);
          if (copies.get(block) != null) {
            dropCopy(block);
          }
          engine.onGone(block);
        });
  }

  private void doubt(CleanFile file) {
    scrubber.suspect(file, 0);
  }

  private void dropCopy(BlockKey block) {
    openFiles.release(block);
    if (mover.drop(block)) {
      engine.onCleanDropped(block);
    }
  }

  /** Blocks that the NameNode expects on a storage type here and that went elsewhere. */
  int scheduledElsewhere(String pool, StorageType asked) {
    return scheduled.owed(pool, asked);
  }

  /** For tests. */
  void stopSettling() {
    scheduled.stopSettling();
  }

  // ---- HDFS's local moves -----------------------------------------------------------------------

  /** True while a demotion of ours moves the block. */
  public boolean isDemoting(BlockKey block) {
    return mover.isDemoting(block);
  }

  /** The copying step of a demotion: verified and synced. */
  public void copyReplica(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    mover.copyReplica(source, targetData, targetChecksums);
  }

  /** Verifies and syncs what HDFS copied for a local move of its own; removes it if it is bad. */
  public void settleCopy(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    mover.settleCopy(source, targetData, targetChecksums);
  }

  /**
   * HDFS's replica map names the copy that a local move made. From here on HDFS must come to the
   * end of the move: nothing is thrown.
   */
  public void committed(String pool, long blockId) {
    if (guard.tripped()) {
      return;
    }
    try {
      mover.committed(new BlockKey(pool, blockId));
    } catch (Throwable e) {
      guard.failed("keep a clean copy", e);
    }
  }

  /**
   * Keeps all other local moves off a block until the hold is closed.
   *
   * @throws IOException if one is under way
   */
  public BlockMoves.Hold holdForMove(String pool, long blockId) throws IOException {
    return mover.moves().begin(new BlockKey(pool, blockId));
  }

  /**
   * The block is written to, or goes, until the hold is closed: a local move of it is given up
   * before its switch, and none begins. Never waits for a copy.
   */
  public BlockMoves.Hold writing(String pool, long blockId) {
    return mover.moves().writing(new BlockKey(pool, blockId));
  }

  /** True while a local move of the block is under way. */
  public boolean isMoving(String pool, long blockId) {
    return mover.moves().isMoving(new BlockKey(pool, blockId));
  }

  /**
   * Makes the switch of a local move unless a writer came for the block.
   *
   * @param change done in memory; returns whether it did
   * @return whether the switch was made
   */
  public boolean commitMove(BlockKey block, BooleanSupplier change) {
    return mover.moves().commit(block, change);
  }

  /** A local move between volumes begins. */
  public void moving(String pool, long blockId) {
    BlockKey block = new BlockKey(pool, blockId);
    if (!mover.isDemoting(block)) {
      guard.run("moving", () -> guests.changing(store.finalized(block)));
    }
  }

  /** A local move ended well. Our own demotions report through the mover. */
  public void moved(String pool, long blockId) {
    BlockKey block = new BlockKey(pool, blockId);
    if (!mover.isDemoting(block)) {
      changing(pool, blockId);
      refresh(pool, blockId);
    }
  }

  // ---- reads ------------------------------------------------------------------------------------

  /** The clean copy's checksum file, or null: ask plain HDFS. */
  public @Nullable LengthInputStream openCleanChecksums(String pool, long blockId) {
    if (off()) {
      return null;
    }
    try {
      return reads.checksums(new BlockKey(pool, blockId));
    } catch (Throwable e) { // HDFS closes what it has open for the read after IOExceptions only
      guard.failed("open the checksums of a clean copy", e);
      return null;
    }
  }

  /** The clean copy's data from an offset on, or null: ask plain HDFS. */
  public @Nullable InputStream openCleanData(String pool, long blockId, long offset) {
    if (off()) {
      return null;
    }
    try {
      return reads.data(new BlockKey(pool, blockId), offset);
    } catch (Throwable e) { // as above
      guard.failed("open a clean copy", e);
      return null;
    }
  }

  /** A replica had moved between its look-up and the opening of its file. */
  public void lookedAgain() {
    counters.increment(Counter.LOOKS_REPEATED);
  }

  /** HDFS was about to give up a replica whose files are there. */
  public void notMissing() {
    counters.increment(Counter.NOT_MISSING);
  }

  /** Gives up the data of a clean copy; the checksum file stays. */
  void evictData(BlockKey block) {
    mover.evict(block, Part.DATA);
    engine.onMadeWay(block);
  }

  /** True if some part of a clean copy of the block is known. */
  public boolean hasCopy(String pool, long blockId) {
    return copies.get(new BlockKey(pool, blockId)) != null;
  }

  /** Counts what is read from a stream that plain HDFS opened. */
  public InputStream observe(InputStream plain, String pool, long blockId, long offset) {
    if (off()) {
      return plain;
    }
    return guard.call(
        "observe", plain, () -> reads.observed(plain, new BlockKey(pool, blockId), offset));
  }

  // ---- questions --------------------------------------------------------------------------------

  private void refuseIfOff() throws IOException {
    if (guard.tripped()) {
      throw new IOException("HyCache on this DataNode is in pass-through; see its log");
    }
    if (mode == Mode.OFF) {
      throw new IOException("HyCache on this DataNode is off (hycache.mode=off)");
    }
  }

  @Override
  public HintReceipt submitHints(HintBatch batch, String user, boolean exempt) throws IOException {
    refuseIfOff();
    try {
      return engine.submitHints(batch, user, exempt);
    } catch (TimeoutException e) {
      throw late(e);
    }
  }

  @Override
  public OptionalInt withdraw(WorkflowId workflow) throws IOException {
    try {
      return engine.withdrawHints(workflow);
    } catch (TimeoutException e) {
      throw late(e);
    }
  }

  @Override
  public List<WorkflowStatus> workflows() throws IOException {
    try {
      return engine.workflows();
    } catch (TimeoutException e) {
      throw late(e);
    }
  }

  @Override
  public NodeStatus status() throws IOException {
    try {
      NodeStatus status = engine.status(guard.tripped());
      DirectoryHost host = directory;
      return host == null ? status : status.withDirectory(host.status().members, host.trouble());
    } catch (TimeoutException e) {
      throw late(e);
    }
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    try {
      return engine.locate(blocks);
    } catch (TimeoutException e) {
      throw late(e);
    }
  }

  @Override
  public synchronized Map<String, String> settings(Map<String, String> changes) throws IOException {
    if (!changes.isEmpty()) {
      refuseIfOff();
      try {
        HyCacheConf next = settings.with(changes);
        engine.reconfigure(next.engine());
        settings = next;
      } catch (IllegalArgumentException e) {
        throw new RefusedException(String.valueOf(e.getMessage()));
      } catch (TimeoutException e) {
        throw late(e);
      }
    }
    return settings.changeable();
  }

  private static IOException late(TimeoutException e) {
    return new IOException("the planner did not answer in time", e);
  }
}
