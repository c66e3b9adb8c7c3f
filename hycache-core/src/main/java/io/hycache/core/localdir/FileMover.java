package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one file down, up, or to the right name on its HDD, in the steps of {@link FileMoveState}.
 * A call either moves the file or leaves the tree as it was. Thread-safe; of two moves of the same
 * path at once one is given up.
 */
final class FileMover {
  private static final Logger LOG = LoggerFactory.getLogger(FileMover.class);

  /** What a mover works with; tests put in their own. */
  static final class Tools {
    final FileExchange exchange;
    final Writers writers;
    final Settlement settlement;
    final Attributes attributes;
    final FileCopier copier;
    final LongSupplier wallMicros;

    /** Slack of the file system's clock. */
    final long tickMicros;

    final FileMoveState.Hook hook;

    Tools(
        FileExchange exchange,
        Writers writers,
        Settlement settlement,
        Attributes attributes,
        FileCopier copier,
        LongSupplier wallMicros,
        long tickMicros,
        FileMoveState.Hook hook) {
      this.exchange = exchange;
      this.writers = writers;
      this.settlement = settlement;
      this.attributes = attributes;
      this.copier = copier;
      this.wallMicros = wallMicros;
      this.tickMicros = tickMicros;
      this.hook = hook;
    }
  }

  /** Thrown inside a move that is to be rolled back for no fault of anybody's. */
  private static final class GivenUp extends IOException {
    private static final long serialVersionUID = 1;
    final MoveResult result;

    GivenUp(MoveResult result) {
      super(result.toString());
      this.result = result;
    }
  }

  /** One move and what it has made so far. */
  private final class Steps {
    final MoveRecord.Kind kind;
    final Path path;
    final String number;
    FileMoveState state = FileMoveState.PLANNED;
    @Nullable HddRoot hdd;
    @Nullable Path half;
    @Nullable Path name;
    @Nullable Path staged;
    @Nullable MoveRecord record;

    Steps(MoveRecord.Kind kind, Path path) throws IOException {
      this.kind = kind;
      this.path = path;
      this.number = kind.prefix + numbers.incrementAndGet();
      tools.hook.at(state, path);
    }

    void reached(FileMoveState next) throws IOException {
      if (!state.allows(next)) {
        throw new IllegalStateException(path + ": " + state + " -> " + next);
      }
      state = next;
      tools.hook.at(next, path);
    }

    /** Removes what was made; the tree was not touched, or is as it was again. */
    void rollBack() {
      boolean neverExchanged = state.compareTo(FileMoveState.EXCHANGED) < 0;
      state = FileMoveState.ROLLED_BACK;
      quietly(half);
      if (neverExchanged) {
        quietly(staged);
        quietly(name);
        try {
          if (record != null) {
            record.drop();
          }
        } catch (IOException e) {
          LOG.warn("a record of a move stays until the next start: path={}", path, e);
        }
      }
      end();
    }

    void end() {
      if (name != null) {
        names.settled(name);
      }
    }
  }

  private final TreeLayout layout;
  private final LocalDirConfig config;
  private final Tools tools;
  private final HddNames names;
  private final Ballast ballast;
  private final LocalDirCounters counters;
  private final AtomicLong numbers = new AtomicLong();

  /** Paths whose move is on its way. */
  private final Set<Path> moving = ConcurrentHashMap.newKeySet();

  private final boolean root;
  private final int uid;

  FileMover(
      TreeLayout layout,
      LocalDirConfig config,
      Tools tools,
      HddNames names,
      Ballast ballast,
      LocalDirCounters counters)
      throws IOException {
    this.layout = layout;
    this.config = config;
    this.tools = tools;
    this.names = names;
    this.ballast = ballast;
    this.counters = counters;
    Path probe = Files.createTempFile(layout.staging(), "user", "");
    try {
      uid = FileMark.of(probe).uid;
    } finally {
      Files.delete(probe);
    }
    root = uid == 0;
  }

  /** Whether a file is old, large and simple enough to move at all, as far as its mark tells. */
  boolean isFit(FileMark file) {
    return file.isFile()
        && file.nlink == 1
        && file.size >= config.leastBytes()
        && isLeftAlone(file, file.changedMicros());
  }

  /** Whether a file is ours to move, and the grace has passed since it was changed. */
  private boolean isLeftAlone(FileMark file, long changedMicros) {
    long graceMicros =
        Math.max(TimeUnit.NANOSECONDS.toMicros(config.grace().toNanos()), tools.tickMicros);
    return (root || file.uid == uid)
        && (graceMicros == 0 || tools.wallMicros.getAsLong() - changedMicros >= graceMicros);
  }

  /**
   * Moves a file to an HDD.
   *
   * @param order the HDDs to try, best first
   * @throws IOException if a device or a right failed; the file is where it was
   */
  MoveResult down(Path path, List<HddRoot> order) throws IOException, InterruptedException {
    Steps steps = new Steps(MoveRecord.Kind.DOWN, path);
    FileMark file = FileMark.ifAny(path);
    if (file == null || !isFit(file) || layout.hides(path) || !isPlainWay(path)) {
      return MoveResult.UNFIT;
    }
    if (tools.writers.probablyWritten(path, file)) {
      counters.count(Figure.SKIPPED_OPEN);
      return MoveResult.OPEN;
    }
    for (HddRoot hdd : order) {
      if (!hdd.reserve(file.size)) {
        continue;
      }
      try {
        return downTo(hdd, file, steps);
      } catch (IOException e) {
        if (steps.name != null || !isFull(hdd, e, file)) {
          // Once it has its name on the HDD, whatever fails is on the SSD.
          throw e;
        }
        LOG.info("no room after all: hdd={} path={} sizeBytes={}", hdd, path, file.size);
        steps = new Steps(MoveRecord.Kind.DOWN, path);
      } finally {
        hdd.release(file.size);
      }
    }
    counters.count(Figure.HDD_FULL);
    return MoveResult.FULL;
  }

  private static boolean isFull(HddRoot hdd, IOException e, FileMark file) throws IOException {
    return Ballast.isNoSpace(e) || hdd.usableBytes() < file.size;
  }

  private MoveResult downTo(HddRoot hdd, FileMark file, Steps steps)
      throws IOException, InterruptedException {
    Path path = steps.path;
    return guarded(
        steps,
        () -> {
          steps.reached(FileMoveState.RESERVED);
          Path half = hdd.staging().resolve(steps.number);
          steps.half = half;
          copy(path, file, half, hdd, steps);
          steps.hdd = hdd;
          Path name = name(hdd, half, path, file);
          steps.name = name;
          Files.delete(half);
          steps.half = null;
          steps.reached(FileMoveState.NAMED);
          stageLink(steps, name, file, file);
          return exchange(steps, path, file, path, file);
        });
  }

  /** A file that is down, and the one link in the tree that leads to it. */
  private static final class Down {
    final FileMark link;
    final TreeLayout.Target target;
    final FileMark file;

    Down(FileMark link, TreeLayout.Target target, FileMark file) {
      this.link = link;
      this.target = target;
      this.file = file;
    }
  }

  /** What is down at a path, null if nothing is that may move. */
  private @Nullable Down findDown(Path path) throws IOException {
    FileMark link = FileMark.ifAny(path);
    TreeLayout.Target target = layout.target(path);
    FileMark file = target == null ? null : FileMark.ifAny(target.path);
    return link == null
            || target == null
            || file == null
            || link.nlink != 1
            || !file.isFile()
            || !isPlainWay(path)
        ? null
        : new Down(link, target, file);
  }

  /**
   * Moves a file up again. Its place on the HDD is swept later.
   *
   * @throws IOException if there is no room, or a device or a right failed; nothing changed
   */
  MoveResult up(Path path) throws IOException, InterruptedException {
    Steps steps = new Steps(MoveRecord.Kind.UP, path);
    Down down = findDown(path);
    if (down == null || !isLeftAlone(down.file, down.file.mtimeMicros) || layout.hides(path)) {
      return MoveResult.UNFIT;
    }
    Path source = down.target.path;
    if (tools.writers.probablyWritten(source, down.file)) {
      counters.count(Figure.SKIPPED_OPEN);
      return MoveResult.OPEN;
    }
    return guarded(
        steps,
        () -> {
          steps.reached(FileMoveState.RESERVED);
          Path staged = layout.staging().resolve(steps.number);
          steps.staged = staged;
          copy(source, down.file, staged, down.target.hdd, steps);
          steps.reached(FileMoveState.NAMED);
          record(steps, staged, down.link, FileMark.of(staged), down.file);
          return exchange(steps, path, down.link, source, down.file);
        });
  }

  /** Gives a file that is down the name on its HDD that its path in the tree asks for. */
  MoveResult rehome(Path path) throws IOException, InterruptedException {
    Steps steps = new Steps(MoveRecord.Kind.REHOME, path);
    Down down = findDown(path);
    if (down == null || layout.isAtHome(path, down.target)) {
      return MoveResult.UNFIT;
    }
    return guarded(
        steps,
        () -> {
          steps.reached(FileMoveState.RESERVED);
          Path name = name(down.target.hdd, down.target.path, path, down.link);
          steps.name = name;
          steps.reached(FileMoveState.NAMED);
          stageLink(steps, name, down.link, down.file);
          return exchange(steps, path, down.link, null, down.file);
        });
  }

  private interface Body {
    MoveResult run() throws IOException, InterruptedException;
  }

  /**
   * Rolls back what ends early, by a lack of memory or of a class, too. One move at a time has a
   * path: a second one would take what the first has placed for somebody else's, and each would put
   * it back in the other's way.
   */
  private MoveResult guarded(Steps steps, Body body) throws IOException, InterruptedException {
    if (!moving.add(steps.path)) {
      return MoveResult.CANCELLED;
    }
    try {
      MoveResult result = body.run();
      steps.end();
      return result;
    } catch (GivenUp e) {
      steps.rollBack();
      counters.count(e.result == MoveResult.OPEN ? Figure.SKIPPED_OPEN : Figure.MOVES_CANCELLED);
      return e.result;
    } catch (IOException
        | InterruptedException
        | RuntimeException
        | VirtualMachineError
        | LinkageError e) {
      steps.rollBack();
      throw e;
    } finally {
      moving.remove(steps.path);
    }
  }

  private void copy(Path from, FileMark file, Path to, HddRoot hdd, Steps steps)
      throws IOException, InterruptedException {
    try {
      if (tools.copier.copy(from, to, hdd.limit()) != file.size) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
      tools.attributes.copy(from, file, to);
    } catch (GivenUp e) {
      throw e;
    } catch (IOException e) {
      if (!isStill(from, file)) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
      throw e;
    }
    steps.reached(FileMoveState.COPIED);
    FileCopier.sync(to);
    steps.reached(FileMoveState.SYNCED);
  }

  /**
   * Names a file on an HDD.
   *
   * @param inTree what was at the path when the move began
   */
  private Path name(HddRoot hdd, Path file, Path path, FileMark inTree) throws IOException {
    try {
      return names.give(hdd, file, path);
    } catch (NoSuchFileException e) {
      if (!isStill(path, inTree)) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
      throw e;
    }
  }

  private void stageLink(Steps steps, Path name, FileMark displaced, FileMark file)
      throws IOException {
    Path staged = layout.staging().resolve(steps.number);
    ballast.ifFull(() -> Files.createSymbolicLink(staged, name));
    steps.staged = staged;
    Attributes.owner(staged, file);
    record(steps, staged, displaced, FileMark.of(staged), file);
  }

  private void record(Steps steps, Path staged, FileMark displaced, FileMark placed, FileMark file)
      throws IOException {
    MoveRecord record =
        new MoveRecord(steps.kind, staged, steps.path, displaced.ino, placed.ino, file);
    steps.record = record;
    ballast.ifFull(() -> record.write(layout));
    steps.reached(FileMoveState.STAGED);
  }

  /**
   * The last check, the exchange, and what follows from it.
   *
   * @param inTree what is at the path
   * @param source whose bytes were copied, null if none were
   */
  private MoveResult exchange(
      Steps steps, Path path, FileMark inTree, @Nullable Path source, FileMark file)
      throws IOException {
    MoveRecord record = steps.record;
    if (record == null) {
      throw new IllegalStateException(path + " has no record");
    }
    try (Writers.Watch watch = source == null ? null : tools.writers.watch(source, file)) {
      if (source != null && watch == null) {
        throw new GivenUp(MoveResult.OPEN);
      }
      if (!isStill(path, inTree) || (source != null && !isStill(source, file))) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
      steps.reached(FileMoveState.CHECKED);
      try {
        tools.exchange.exchange(record.staged, path);
      } catch (NoSuchFileException e) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
      steps.reached(FileMoveState.EXCHANGED);
      if (watch != null) {
        tools.settlement.hold(record);
      }
      boolean disturbed = watch != null && !watch.undisturbed();
      if (tools.settlement.settle(record, disturbed) != Settlement.Outcome.STANDS) {
        throw new GivenUp(MoveResult.CANCELLED);
      }
    }
    steps.reached(FileMoveState.SETTLED);
    count(steps.kind, file.size);
    return MoveResult.MOVED;
  }

  private static boolean isStill(Path path, FileMark mark) throws IOException {
    FileMark now = FileMark.ifAny(path);
    return now != null && now.unchanged(mark);
  }

  private void count(MoveRecord.Kind kind, long bytes) {
    switch (kind) {
      case DOWN:
        counters.count(Figure.MOVED_DOWN_FILES);
        counters.add(Figure.MOVED_DOWN_BYTES, bytes);
        return;
      case UP:
        counters.count(Figure.PROMOTED_FILES);
        counters.add(Figure.PROMOTED_BYTES, bytes);
        return;
      case REHOME:
        counters.count(Figure.REHOMED_FILES);
        return;
    }
  }

  /** No directory on the way is a link, which could lead out of the tree. */
  private boolean isPlainWay(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null || !parent.startsWith(layout.ssd())) {
      return false;
    }
    try {
      return parent.toRealPath().equals(parent);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void quietly(@Nullable Path path) {
    try {
      if (path != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LOG.warn("what a move left stays until the next start: file={}", path, e);
    }
  }
}
