package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes stock of a block pool when its replica map is loaded: clean copies that an earlier process
 * left, replicas, guests, heat. Owns which pools are loaded, and the thread that does this off the
 * DataNode's start path. Thread-safe; no caller waits.
 */
public final class StartupScan implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartupScan.class);

  /** HDFS may be told to wait long before the first block report of a start. */
  private static final int LONGEST_WAIT_FOR_REPORT_SECONDS = 10;

  private static final int FIRST_LOOK_AGAIN_SECONDS = 5;
  private static final int MOST_LOOK_AGAIN_SECONDS = 600;

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final HdfsHost host;
  private final HeatFiles heat;
  private final HyCacheEngine engine;
  private final ReplicaEvents events;
  private final CopyAdoption adoption;
  private final Mode mode;
  private final Guard guard;
  private final ScheduledExecutorService starter;

  /** Block pools that are loaded and of which the NameNode has not been told. */
  private final Set<String> unreported = ConcurrentHashMap.newKeySet();

  /** Block pools that are loaded. */
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  StartupScan(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Guests guests,
      HdfsHost host,
      HeatFiles heat,
      HyCacheEngine engine,
      ReplicaEvents events,
      CopyAdoption adoption,
      Mode mode,
      Guard guard) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.guests = guests;
    this.host = host;
    this.heat = heat;
    this.engine = engine;
    this.events = events;
    this.adoption = adoption;
    this.mode = mode;
    this.guard = guard;
    this.starter = Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheStarter"));
  }

  /** Those whose replica map is loaded; a view that changes. */
  Set<String> pools() {
    return pools;
  }

  boolean isClosed() {
    return starter.isShutdown();
  }

  @Override
  public void close() {
    starter.shutdownNow();
  }

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
            events.refresh(replica.block()); // it changed, and that may have been passed first
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
      events.tell(before);
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
        if (mode != Mode.OFF && adoption.adopt(file)) {
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

  /** A block pool is about to be removed from the replica map. */
  public void poolLeaves(String pool) {
    pools.remove(pool);
  }
}
