package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Decision;
import io.hycache.core.policy.Policies;
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
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what moves when.
 *
 * <p>Each round looks at the tree and at the room on the SSD. From {@code high} on, files go down
 * in the policy's order until {@code low}, what is already on its way counted in; files that their
 * task removes soon count as gone there, up to the middle between {@code high} and full. One stream
 * for each HDD, the emptiest HDD first. A file that is down comes up only where that pays: it was
 * read, more reads are known to come or it was read before since it went down, the policy admits
 * it, and the SSD stays below {@code high} with it. Owned by one thread; movers and callers of the
 * tree tell it what happened through a queue that drops what it can't hold.
 */
final class LocalDirPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDirPlanner.class);

  private static final int MOST_EVENTS = 10_000;

  /** Reads of a file whose future is unknown that make it worth to come up. */
  private static final int READS_TO_PAY = 2;

  private static final long VAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Rehomes under way: an HDD that hangs gathers no more of them. */
  static final int MOST_REHOMES = 64;

  /** What waits beyond this is found again by the next inventory, or read again. */
  static final int MOST_WAITING = 100_000;

  /**
   * An HDD that has so many bytes to take gets no more: what is decided later is decided on what is
   * there then, and tasks may have removed much of their own meanwhile.
   */
  private static final long ENOUGH_FOR_AN_HDD = 16 << 20;

  /** Runs moves of one HDD, one after the other, on a thread of its own. */
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
  private final ConcurrentLinkedQueue<Runnable> events = new ConcurrentLinkedQueue<>();
  private final AtomicInteger eventCount = new AtomicInteger();
  private final Set<BlockKey> wanted = new LinkedHashSet<>();
  private final Set<Path> strays = new LinkedHashSet<>();

  /** Bytes on their way to each HDD. */
  private final Map<HddRoot, Long> assigned = new HashMap<>();

  private boolean draining;
  private long movingDownBytes;
  private long movingUpBytes;
  private long moving;
  private int rehoming;
  private volatile Map<Figure, Long> gauges = Map.of();

  LocalDirPlanner(
      TreeLayout layout,
      LocalDirConfig config,
      FileMover mover,
      LocalDirCounters counters,
      Streams streams,
      LongSupplier nanos)
      throws IOException {
    this.layout = layout;
    this.config = config;
    this.mover = mover;
    this.counters = counters;
    this.streams = streams;
    this.nanos = nanos;
    this.catalog = new Catalog(layout, Policies.create(config.policy()));
    this.store = Files.getFileStore(layout.ssd());
  }

  /** Room on the SSD at a moment. */
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

  /** One round. */
  void round() throws IOException {
    look();
    Room room = room();
    moveDown(room);
    moveUp(room);
    rehome();
    tell(room);
  }

  private void look() throws IOException {
    for (Runnable event = events.poll(); event != null; event = events.poll()) {
      eventCount.decrementAndGet();
      event.run();
    }
    catalog.scan(nanos.getAsLong());
  }

  /** True while the SSD is fuller than it is to become, so that the next look comes sooner. */
  boolean isDraining() {
    return draining;
  }

  /** Files that a round would send down now, in order. */
  List<Path> wouldMoveDown() throws IOException {
    look();
    Room room = room();
    tell(room);
    List<Path> paths = new ArrayList<>();
    if (room.until(config.high()) < 0) {
      for (Catalog.Entry entry : choose(tooMuch(room))) {
        paths.add(entry.path);
      }
    }
    return paths;
  }

  /**
   * Bytes that are to go down: what would still be above {@code low} once the passing files are
   * gone by themselves; and all that is above the middle between {@code high} and full, as those
   * who write now can't wait for that.
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
    return assigned.getOrDefault(hdd, 0L) >= ENOUGH_FOR_AN_HDD;
  }

  private void sendDown(Catalog.Entry entry, List<HddRoot> order) {
    HddRoot best = order.get(0);
    assigned.merge(best, entry.size, Long::sum);
    movingDownBytes += entry.size;
    start(entry);
    Path path = entry.path;
    streams.run(
        best,
        () -> {
          MoveResult result = attempt(path, () -> mover.down(path, order));
          tellPlanner(
              () -> {
                assigned.merge(best, -entry.size, Long::sum);
                movingDownBytes -= entry.size;
                finished(entry, result);
              });
        });
  }

  /** The emptiest first; last those that have enough to take. */
  private List<HddRoot> byRoom() {
    Map<HddRoot, Long> rooms = new HashMap<>();
    for (HddRoot hdd : layout.hdds()) {
      rooms.put(hdd, hdd.roomBytes() - assigned.getOrDefault(hdd, 0L));
    }
    List<HddRoot> order = new ArrayList<>(layout.hdds());
    order.sort(
        Comparator.comparingLong((HddRoot hdd) -> hasEnough(hdd) ? 0 : -1)
            .thenComparingLong(hdd -> -rooms.getOrDefault(hdd, 0L)));
    return order;
  }

  private interface Attempt {
    MoveResult run() throws IOException, InterruptedException;
  }

  /** Null: it failed. */
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
        LOG.warn("a move failed, the file is where it was: path={}", path, e);
      }
      return null;
    }
  }

  private void start(Catalog.Entry entry) {
    entry.moving = true;
    moving++;
  }

  private void finished(Catalog.Entry entry, @Nullable MoveResult result) {
    long now = nanos.getAsLong();
    moving--;
    entry.moving = false;
    if (result == MoveResult.MOVED) {
      try {
        catalog.moved(entry, now);
      } catch (IOException e) {
        LOG.debug("the next scan finds it anew: path={}", entry.path, e);
      }
    } else {
      entry.waitUntil(now + (result == null ? FAILED_NANOS : VAIN_NANOS));
    }
  }

  private void moveUp(Room room) throws IOException {
    long now = nanos.getAsLong();
    long left = room.until(config.high()) - movingUpBytes;
    Iterator<BlockKey> keys = wanted.iterator();
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
        // Room first; it is asked again when they are gone.
        boolean hopeful = movingDownBytes > 0;
        for (BlockKey victim : decision.victims()) {
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
    movingUpBytes += entry.size;
    start(entry);
    Path path = entry.path;
    streams.run(
        hdd,
        () -> {
          MoveResult result = attempt(path, () -> mover.up(path));
          tellPlanner(
              () -> {
                movingUpBytes -= entry.size;
                finished(entry, result);
              });
        });
  }

  private void rehome() throws IOException {
    Iterator<Path> paths = strays.iterator();
    while (rehoming < MOST_REHOMES && paths.hasNext()) {
      Path path = paths.next();
      paths.remove();
      TreeLayout.Target target = layout.find(path);
      if (target != null) {
        rehoming++;
        streams.run(
            target.hdd,
            () -> {
              attempt(path, () -> mover.rehome(path));
              tellPlanner(() -> rehoming--);
            });
      }
    }
  }

  private void tell(Room room) {
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

  private void tellPlanner(Runnable event) {
    eventCount.incrementAndGet();
    events.add(event);
  }

  /** Best effort: what comes too thick is dropped. */
  private void hint(Runnable event) {
    if (eventCount.get() < MOST_EVENTS) {
      tellPlanner(event);
    }
  }

  /** A file was opened through the tree. Any thread. */
  void opened(Path path) {
    hint(
        () -> {
          try {
            Catalog.Entry entry = catalog.find(path);
            if (entry == null) {
              return;
            }
            catalog.read(entry, nanos.getAsLong());
            if (!entry.up && (entry.remaining() > 0 || entry.readsDown >= READS_TO_PAY)) {
              if (wanted.size() < MOST_WAITING) {
                wanted.add(entry.key);
              }
            }
          } catch (IOException e) {
            LOG.debug("an open was not counted: path={}", path, e);
          }
        });
  }

  /** Links whose file has another path on its HDD. Any thread. */
  void found(List<Path> found) {
    hint(() -> found.forEach(this::addStray));
  }

  /** A link was renamed through the tree. Any thread. */
  void renamed(Path path) {
    hint(() -> addStray(path));
  }

  private void addStray(Path path) {
    if (strays.size() < MOST_WAITING) {
      strays.add(path);
    }
  }

  /** For tests that make its rounds themselves. */
  int waitingStrays() {
    return strays.size();
  }
}
