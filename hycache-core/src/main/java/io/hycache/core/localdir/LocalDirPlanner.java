// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Decision;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.QuietLog;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which files move, and when.
 *
 * <p>Each round checks the tree and the space on the SSD. Above {@code high}, files move down in
 * the policy's order until {@code low}, counting moves in progress as done. Files that their task
 * removes soon count as gone, up to the middle between {@code high} and full. Each HDD has one
 * stream; the emptiest HDD comes first, one that just failed last. A file moves up only if that
 * pays: it was read, more reads are expected or it was read before since it moved down, the policy
 * admits it, and the SSD stays below {@code high} with it. Used by one thread; movers and callers
 * of the tree report events through a bounded queue that drops what it can't hold.
 */
final class LocalDirPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDirPlanner.class);

  private static final int MAX_QUEUED_EVENTS = 10_000;

  /** Reads after which a file without known future reads is worth moving up. */
  private static final int MIN_READS_TO_MOVE_UP = 2;

  private static final long RETRY_AFTER_CANCEL_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long RETRY_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * Maximum number of renames on HDDs in progress, so that a hanging HDD does not accumulate more.
   */
  static final int MAX_CONCURRENT_REHOMES = 64;

  /**
   * Maximum number of files waiting to move up, and of links waiting for a rename; those beyond are
   * found again by a later read or inventory.
   */
  static final int MAX_WAITING_FILES = 100_000;

  /**
   * Bytes queued for an HDD above which it gets no more. Later decisions use newer information, and
   * tasks may have removed many of their files by then.
   */
  private static final long MAX_QUEUED_BYTES_PER_HDD = 16 << 20;

  /** Pause before the end of a move is reported again, because memory was lacking. */
  private static final long REPORT_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Runs the moves of each HDD sequentially on a thread of its own. */
  interface Streams {
    void run(HddRoot hdd, Runnable move);
  }

  private final TreeLayout layout;
  private final LocalDirConfig config;
  private final FileMover mover;
  private final LocalDirCounters counters;
  private final Streams streams;
  private final LongSupplier nanos;
  private final Catalog catalog;
  private final FileStore store;
  private final QuietLog failureLog;
  private final Queue<Runnable> events;
  private final AtomicInteger eventCount = new AtomicInteger();
  private final Set<CacheKey> wanted = new LinkedHashSet<>();
  private final Set<Path> strays = new LinkedHashSet<>();

  /** Bytes queued for each HDD. */
  private final Map<HddRoot, Long> assigned = new HashMap<>();

  private boolean draining;
  private long movingDownBytes;
  private long movingUpBytes;
  private long moving;
  private int rehoming;
  private volatile Map<Figure, Long> gauges = Map.of();

  /**
   * @param events empty, thread-safe
   */
  LocalDirPlanner(
      TreeLayout layout,
      LocalDirConfig config,
      FileMover mover,
      LocalDirCounters counters,
      Streams streams,
      LongSupplier nanos,
      Queue<Runnable> events)
      throws IOException {
    this.layout = layout;
    this.config = config;
    this.mover = mover;
    this.counters = counters;
    this.streams = streams;
    this.nanos = nanos;
    this.events = events;
    this.failureLog = new QuietLog(LOG, nanos);
    this.catalog =
        new Catalog(layout, Policies.create(config.policy()), counters, new QuietLog(LOG, nanos));
    this.store = Files.getFileStore(layout.ssd());
  }

  /** A snapshot of the space on the SSD. */
  private static final class Room {
    final long capacity;
    final long used;

    Room(long capacity, long used) {
      this.capacity = capacity;
      this.used = used;
    }

    long free() {
      return Math.max(0, capacity - used);
    }

    long until(double share) {
      return (long) (capacity * share) - used;
    }
  }

  private Room room() throws IOException {
    if (config.capacityBytes() > 0) {
      return new Room(config.capacityBytes(), catalog.upBytes());
    }
    long total = store.getTotalSpace();
    return new Room(total, total - store.getUsableSpace());
  }

  /** Performs one round. */
  void round() throws IOException {
    look();
    Room room = room();
    moveDown(room);
    moveUp(room);
    rehome();
    publish(room);
  }

  private void look() throws IOException {
    for (Runnable event = events.poll(); event != null; event = events.poll()) {
      eventCount.decrementAndGet();
      event.run();
    }
    catalog.scan(nanos.getAsLong());
  }

  /** True while the SSD is above its target, so that the next round comes sooner. */
  boolean isDraining() {
    return draining;
  }

  /** Files that a round would move down now, in order. */
  List<Path> wouldMoveDown() throws IOException {
    look();
    Room room = room();
    publish(room);
    List<Path> paths = new ArrayList<>();
    if (room.until(config.high()) < 0) {
      for (Catalog.Entry entry : choose(tooMuch(room))) {
        paths.add(entry.path);
      }
    }
    return paths;
  }

  /**
   * Bytes to move down: what would still be above {@code low} after the passing files are removed
   * by their tasks, and in any case everything above the middle between {@code high} and full,
   * because current writers can't wait for those removals.
   */
  private long tooMuch(Room room) {
    return Math.max(
        -room.until((config.high() + 1) / 2), -room.until(config.low()) - catalog.passingUpBytes());
  }

  private List<Catalog.Entry> choose(long neededBytes) {
    long now = nanos.getAsLong();
    long needed = neededBytes;
    List<Catalog.Entry> chosen = new ArrayList<>();
    for (Catalog.Entry entry : catalog.victims()) {
      if (needed <= 0) {
        break;
      }
      if (entry.mayMove(now) && mover.isFit(entry.mark)) {
        chosen.add(entry);
        needed -= entry.size;
      }
    }
    return chosen;
  }

  private void moveDown(Room room) {
    if (room.until(config.high()) < 0) {
      draining = true;
    } else if (tooMuch(room) <= 0) {
      draining = false;
    }
    if (draining) {
      for (Catalog.Entry entry : choose(tooMuch(room) - movingDownBytes)) {
        List<HddRoot> order = byRoom();
        if (hasEnough(order.get(0))) {
          break;
        }
        sendDown(entry, order);
      }
    }
  }

  private boolean hasEnough(HddRoot hdd) {
    return assigned.getOrDefault(hdd, 0L) >= MAX_QUEUED_BYTES_PER_HDD;
  }

  private void sendDown(Catalog.Entry entry, List<HddRoot> order) {
    HddRoot best = order.get(0);
    long size = entry.size; // as it is now: a scan may find another one before the move ends
    assigned.merge(best, size, Long::sum);
    movingDownBytes += size;
    start(entry);
    Path path = entry.path;
    Runnable uncount =
        () -> {
          assigned.merge(best, -size, Long::sum);
          movingDownBytes -= size;
          end(entry);
        };
    run(
        best,
        path,
        () -> mover.down(path, order),
        result -> {
          uncount.run();
          finished(entry, result);
        },
        uncount);
  }

  /** Called by a round after the move has ended; the result is null if it failed. */
  private interface Ended {
    void with(@Nullable MoveResult result);
  }

  /**
   * Starts a move.
   *
   * @param ended called even if there was no memory left to log why the move failed
   * @param undo called instead if it can't be started, for lack of memory or threads
   */
  private void run(HddRoot hdd, Path path, Attempt move, Ended ended, Runnable undo) {
    AtomicReference<@Nullable MoveResult> result = new AtomicReference<>();
    Runnable event = () -> ended.with(result.get());
    boolean started = false;
    try {
      streams.run(
          hdd,
          () -> {
            try {
              result.set(attempt(path, move));
            } finally {
              report(event);
            }
          });
      started = true;
    } finally {
      if (!started) {
        undo.run();
      }
    }
  }

  /**
   * Reports the end of a move, which is repeated until it succeeds or the tree is closed: else the
   * planner would count the move as in progress for good.
   */
  private void report(Runnable event) {
    while (true) {
      try {
        enqueue(event);
        return;
      } catch (OutOfMemoryError e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(REPORT_RETRY_NANOS);
      }
    }
  }

  /** The HDDs, emptiest first, those with enough queued bytes later, those that rest last. */
  private List<HddRoot> byRoom() {
    long now = nanos.getAsLong();
    Map<HddRoot, Long> rooms = new HashMap<>();
    for (HddRoot hdd : layout.hdds()) {
      rooms.put(hdd, hdd.roomBytes() - assigned.getOrDefault(hdd, 0L));
    }
    List<HddRoot> order = new ArrayList<>(layout.hdds());
    order.sort(
        Comparator.comparing((HddRoot hdd) -> hdd.isResting(now))
            .thenComparing(this::hasEnough)
            .thenComparingLong(hdd -> -rooms.getOrDefault(hdd, 0L)));
    return order;
  }

  private interface Attempt {
    MoveResult run() throws IOException, InterruptedException;
  }

  /** Returns null if the move failed. */
  private @Nullable MoveResult attempt(Path path, Attempt move) {
    try {
      return move.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return MoveResult.CANCELLED;
    } catch (IOException | RuntimeException | Error e) {
      if (e instanceof Error) {
        counters.count(Figure.ERRORS);
      }
      if (!Thread.currentThread().isInterrupted()) {
        counters.count(Figure.MOVES_FAILED);
        failureLog.warn(e, "move failed, the file stays where it was: path={}", path);
      }
      return null;
    }
  }

  private void start(Catalog.Entry entry) {
    entry.moving = true;
    moving++;
  }

  private void end(Catalog.Entry entry) {
    entry.moving = false;
    moving--;
  }

  /** Records the result of a move that has ended. */
  private void finished(Catalog.Entry entry, @Nullable MoveResult result) {
    long now = nanos.getAsLong();
    if (result == MoveResult.MOVED) {
      try {
        catalog.moved(entry, now);
      } catch (IOException e) {
        LOG.debug("could not update the catalog, the next scan will: path={}", entry.path, e);
      }
    } else {
      entry.waitUntil(
          now + (result == null ? RETRY_AFTER_FAILURE_NANOS : RETRY_AFTER_CANCEL_NANOS));
    }
  }

  private void moveUp(Room room) throws IOException {
    long now = nanos.getAsLong();
    long left = room.until(config.high()) - movingUpBytes;
    Iterator<CacheKey> keys = wanted.iterator();
    while (keys.hasNext()) {
      Catalog.Entry entry = catalog.get(keys.next());
      if (entry == null || entry.up || !entry.mayMove(now)) {
        keys.remove();
        continue;
      }
      Decision decision = catalog.decide(entry, Math.max(0, left), room.capacity);
      if (!decision.isAdmit()) {
        keys.remove();
        continue;
      }
      if (!decision.victims().isEmpty()) {
        // Free space first; the file is considered again when that is done.
        boolean hopeful = movingDownBytes > 0;
        for (CacheKey victim : decision.victims()) {
          Catalog.Entry other = catalog.get(victim);
          if (other != null && other.up && other.mayMove(now) && mover.isFit(other.mark)) {
            sendDown(other, byRoom());
            hopeful = true;
          }
        }
        if (!hopeful) {
          keys.remove();
        }
        break;
      }
      keys.remove();
      TreeLayout.Target target = layout.find(entry.path);
      if (target != null && entry.size <= left) {
        left -= entry.size;
        sendUp(entry, target.hdd);
      }
    }
  }

  private void sendUp(Catalog.Entry entry, HddRoot hdd) {
    long size = entry.size;
    movingUpBytes += size;
    start(entry);
    Path path = entry.path;
    Runnable uncount =
        () -> {
          movingUpBytes -= size;
          end(entry);
        };
    run(
        hdd,
        path,
        () -> mover.up(path),
        result -> {
          uncount.run();
          finished(entry, result);
        },
        () -> {
          uncount.run();
          wanted.add(entry.key);
        });
  }

  private void rehome() throws IOException {
    Iterator<Path> paths = strays.iterator();
    while (rehoming < MAX_CONCURRENT_REHOMES && paths.hasNext()) {
      Path path = paths.next();
      paths.remove();
      TreeLayout.Target target = layout.find(path);
      if (target != null) {
        rehoming++;
        run(
            target.hdd,
            path,
            () -> mover.rehome(path),
            result -> rehoming--,
            () -> {
              rehoming--;
              strays.add(path);
            });
      }
    }
  }

  private void publish(Room room) {
    Map<Figure, Long> now = new EnumMap<>(Figure.class);
    now.put(Figure.UP_FILES, catalog.upFiles());
    now.put(Figure.UP_BYTES, catalog.upBytes());
    now.put(Figure.DOWN_FILES, catalog.downFiles());
    now.put(Figure.DOWN_BYTES, catalog.downBytes());
    now.put(Figure.SSD_CAPACITY, room.capacity);
    now.put(Figure.SSD_FREE, room.free());
    now.put(Figure.WAITING_FILES, moving);
    gauges = now;
  }

  /** The gauges as of the last round. */
  Map<Figure, Long> gauges() {
    return gauges;
  }

  private void enqueue(Runnable event) {
    events.add(event);
    eventCount.incrementAndGet();
  }

  /** Best effort: events beyond the bound are dropped. */
  private void hint(Runnable event) {
    if (eventCount.get() < MAX_QUEUED_EVENTS) {
      enqueue(event);
    }
  }

  /** Reports an open through the tree. Any thread. */
  void opened(Path path) {
    hint(
        () -> {
          try {
            Catalog.Entry entry = catalog.find(path);
            if (entry == null) {
              return;
            }
            catalog.read(entry, nanos.getAsLong());
            if (!entry.up && (entry.remaining() > 0 || entry.readsDown >= MIN_READS_TO_MOVE_UP)) {
              if (wanted.size() < MAX_WAITING_FILES) {
                wanted.add(entry.key);
              }
            }
          } catch (IOException e) {
            LOG.debug("could not count an open: path={}", path, e);
          }
        });
  }

  /** Reports links whose file has a different path on its HDD. Any thread. */
  void found(List<Path> found) {
    hint(() -> found.forEach(this::addStray));
  }

  /** Reports a rename of a link through the tree. Any thread. */
  void renamed(Path path) {
    hint(() -> addStray(path));
  }

  private void addStray(Path path) {
    if (strays.size() < MAX_WAITING_FILES) {
      strays.add(path);
    }
  }

  /** For tests that run the rounds themselves. */
  int waitingStrays() {
    return strays.size();
  }
}
