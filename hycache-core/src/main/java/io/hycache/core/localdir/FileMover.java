// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.stats.QuietLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * A call either moves the file or leaves the tree unchanged, unless it fails with an exchange that
 * is not atomic ({@link FileExchange}). Thread-safe; of two concurrent moves of the same name, one
 * is cancelled.
 *
 * <p>Security: the file and its directory are held open from the first check on, and all checks and
 * operations apply to the held ones. A file moves only if its directory belongs to its owner or to
 * this process, and a link is followed only to a file of the link's owner. So users can't get
 * another user's file into their own directory through a link or a rename. A copy gets a name that
 * other users can reach only after the file was found unchanged after reading, so that its rights
 * match its bytes. Files that grant rights when executed (setuid, setgid, capabilities) do not move
 * down, nor do other executable files: programs and shared libraries look for the files that belong
 * to them beside their real path.
 */
final class FileMover {
  private static final Logger LOG = LoggerFactory.getLogger(FileMover.class);

  /** Time for which an HDD is passed over after a file that failed on it went to another one. */
  private static final long REST_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The collaborators of a mover; tests substitute their own. */
  static final class Tools {
    final FileExchange exchange;
    final Writers writers;
    final Settlement settlement;
    final Attributes attributes;
    final FileCopier copier;
    final LongSupplier nanos;
    final LongSupplier wallMicros;

    /** Resolution of the file system's time stamps. */
    final long tickMicros;

    final FileMoveState.Hook hook;

    Tools(
        FileExchange exchange,
        Writers writers,
        Settlement settlement,
        Attributes attributes,
        FileCopier copier,
        LongSupplier nanos,
        LongSupplier wallMicros,
        long tickMicros,
        FileMoveState.Hook hook) {
      this.exchange = exchange;
      this.writers = writers;
      this.settlement = settlement;
      this.attributes = attributes;
      this.copier = copier;
      this.nanos = nanos;
      this.wallMicros = wallMicros;
      this.tickMicros = tickMicros;
      this.hook = hook;
    }
  }

  private final TreeLayout layout;
  private final LocalDirConfig config;
  private final Tools tools;
  private final HddNames names;
  private final Ballast ballast;
  private final LocalDirCounters counters;
  private final AtomicLong numbers = new AtomicLong();
  private final QuietLog failureLog;

  /** Names with a move in progress, by {@link HeldName#key}. */
  private final Set<String> moving = ConcurrentHashMap.newKeySet();

  private final Caller caller;

  FileMover(
      TreeLayout layout,
      LocalDirConfig config,
      Tools tools,
      HddNames names,
      Ballast ballast,
      LocalDirCounters counters) {
    this.layout = layout;
    this.config = config;
    this.tools = tools;
    this.names = names;
    this.ballast = ballast;
    this.counters = counters;
    this.caller = layout.caller();
    this.failureLog = new QuietLog(LOG, tools.nanos);
  }

  private MoveSteps begin(MoveRecord.Kind kind, Path path) throws IOException {
    return new MoveSteps(kind, path, numbers.incrementAndGet(), tools.hook, names);
  }

  /** Whether a file is old, large and simple enough to move, judged by its status alone. */
  boolean isFit(FileMark file) {
    return file.isFile()
        && file.nlink == 1
        && !file.isExecutable()
        && file.size >= config.leastBytes()
        && isLeftAlone(file, file.changedMicros());
  }

  /** Whether this process may move the file, and the grace period since its last change is over. */
  private boolean isLeftAlone(FileMark file, long changedMicros) {
    long graceMicros =
        Math.max(TimeUnit.NANOSECONDS.toMicros(config.grace().toNanos()), tools.tickMicros);
    return caller.mayMove(file)
        && (graceMicros == 0 || tools.wallMicros.getAsLong() - changedMicros >= graceMicros);
  }

  /**
   * Moves a file to an HDD. One that fails is passed over for a minute if the file can be moved to
   * another one: what fails on all of them may be the file's fault.
   *
   * @param order the HDDs to try, best first
   * @throws IOException if the devices failed or a right is missing; the file is where it was,
   *     unless an exchange in two steps could not be undone, which the next start settles
   */
  MoveResult down(Path path, List<HddRoot> order) throws IOException, InterruptedException {
    MoveSteps steps = begin(MoveRecord.Kind.DOWN, path);
    try (Directory parent = layout.holdParent(path);
        HeldFile file = parent == null ? null : parent.hold(path.getFileName())) {
      if (parent == null
          || file == null
          || !isFit(file.mark)
          || !caller.isOwnersOrOurs(parent.mark(), file.mark)
          // With fs.protected_symlinks, only the link's owner can follow a link there.
          || parent.mark().isSharedByAll()
          || tools.attributes.lendRights(file)
          || layout.hides(path)) {
        return MoveResult.UNFIT;
      }
      return down(steps, new HeldName(path, parent), file, order);
    }
  }

  private MoveResult down(MoveSteps first, HeldName spot, HeldFile file, List<HddRoot> order)
      throws IOException, InterruptedException {
    if (tools.writers.probablyWritten(file.path(), file.mark)) {
      counters.count(Figure.SKIPPED_OPEN);
      return MoveResult.OPEN;
    }
    MoveSteps steps = first;
    long size = file.mark.size;
    Map<HddRoot, IOException> failures = new LinkedHashMap<>();
    for (HddRoot hdd : awake(order)) {
      if (!hdd.reserve(size)) {
        continue;
      }
      try {
        MoveResult result = downTo(hdd, spot, file, steps);
        if (result == MoveResult.MOVED) {
          failures.keySet().forEach(this::rest);
        }
        return result;
      } catch (IOException e) {
        if (steps.name != null || Thread.currentThread().isInterrupted()) {
          // Once the copy has its name on the HDD, failures concern the SSD.
          throw e;
        }
        if (isFull(hdd, e, size)) {
          LOG.info(
              "HDD ran out of space during a move, trying the next one: hdd={} path={}"
                  + " sizeBytes={}",
              hdd,
              spot.path,
              size);
        } else {
          failures.put(hdd, e);
          failureLog.warn(
              e, "HDD failed during a move, trying the next one: hdd={} path={}", hdd, spot.path);
        }
        steps = begin(MoveRecord.Kind.DOWN, spot.path);
      } finally {
        hdd.release(size);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.values().iterator().next();
    }
    counters.count(Figure.HDD_FULL);
    return MoveResult.FULL;
  }

  /** The HDDs that have not just failed; all if there are none. */
  private List<HddRoot> awake(List<HddRoot> order) {
    long now = tools.nanos.getAsLong();
    List<HddRoot> awake = new ArrayList<>(order);
    awake.removeIf(hdd -> hdd.isResting(now));
    return awake.isEmpty() ? order : awake;
  }

  private void rest(HddRoot hdd) {
    hdd.restUntil(tools.nanos.getAsLong() + REST_AFTER_FAILURE_NANOS);
    counters.count(Figure.MOVES_FAILED);
  }

  private static boolean isFull(HddRoot hdd, IOException e, long bytes) {
    try {
      return Ballast.isNoSpace(e) || hdd.usableBytes() < bytes;
    } catch (IOException noDevice) {
      return false;
    }
  }

  private MoveResult downTo(HddRoot hdd, HeldName spot, HeldFile file, MoveSteps steps)
      throws IOException, InterruptedException {
    try (Directory staging = hdd.holdStaging()) {
      return guarded(
          steps,
          spot,
          () -> {
            steps.reached(FileMoveState.RESERVED);
            Path half = staging.at(steps.number);
            steps.half = half;
            copy(file, half, hdd, steps);
            HddNames.Given name = name(hdd, staging, spot, file.mark, steps);
            Files.delete(half);
            steps.half = null;
            steps.reached(FileMoveState.NAMED);
            stageLink(steps, name.path, file.mark, file.mark);
            return exchange(steps, spot, file.mark, file, file.mark);
          });
    }
  }

  private HddNames.Given name(
      HddRoot hdd, Directory staging, HeldName spot, FileMark inTree, MoveSteps steps)
      throws IOException {
    Path half = Path.of(steps.number);
    try (HeldFile copy = staging.hold(half)) {
      if (copy == null) {
        throw new NoSuchFileException(staging.path().resolve(half).toString());
      }
      return name(hdd, copy, spot, inTree, steps);
    }
  }

  /**
   * Whether the path is a link to an existing file on an HDD that can move up once it has no
   * writer. Links to another user's file or to a missing file don't count.
   */
  boolean isDown(Path path) throws IOException {
    try (DownFile down = DownFile.find(layout, path)) {
      return down != null && !layout.hides(path);
    }
  }

  /**
   * Moves a file up. The sweeper removes its name on the HDD later.
   *
   * @throws IOException if there is no room, a device failed, or a right is missing; nothing
   *     changed, unless an exchange in two steps could not be undone, which the next start settles
   */
  MoveResult up(Path path) throws IOException, InterruptedException {
    MoveSteps steps = begin(MoveRecord.Kind.UP, path);
    try (DownFile down = DownFile.find(layout, path)) {
      if (down == null
          || !isLeftAlone(down.file.mark, down.file.mark.mtimeMicros)
          || layout.hides(path)) {
        return MoveResult.UNFIT;
      }
      HeldFile source = down.file;
      if (tools.writers.probablyWritten(source.path(), source.mark)) {
        counters.count(Figure.SKIPPED_OPEN);
        return MoveResult.OPEN;
      }
      return guarded(
          steps,
          down.spot,
          () -> {
            steps.reached(FileMoveState.RESERVED);
            Path staged = layout.staging().resolve(steps.number);
            steps.staged = staged;
            copy(source, staged, down.target.hdd, steps);
            steps.reached(FileMoveState.NAMED);
            record(steps, staged, down.link, FileMark.of(staged), source.mark);
            return exchange(steps, down.spot, down.link, source, source.mark);
          });
    }
  }

  /** Renames a file on its HDD to match its path in the tree. */
  MoveResult rehome(Path path) throws IOException, InterruptedException {
    MoveSteps steps = begin(MoveRecord.Kind.REHOME, path);
    try (DownFile down = DownFile.find(layout, path)) {
      if (down == null
          || !(caller.isRoot() || down.file.mark.uid == caller.uid)
          || layout.isAtHome(path, down.target)) {
        return MoveResult.UNFIT;
      }
      return guarded(
          steps,
          down.spot,
          () -> {
            steps.reached(FileMoveState.RESERVED);
            HddNames.Given name = name(down.target.hdd, down.file, down.spot, down.link, steps);
            steps.reached(FileMoveState.NAMED);
            stageLink(steps, name.path, down.link, down.file.mark);
            return exchange(steps, down.spot, down.link, null, down.file.mark);
          });
    }
  }

  private interface Body {
    MoveResult run() throws IOException, InterruptedException;
  }

  /**
   * Runs a move and rolls it back if it fails, including by lack of memory or a missing class. Only
   * one move at a time may work on a name: two would each take the other's placed file for a change
   * by a third party and undo it.
   */
  private MoveResult guarded(MoveSteps steps, HeldName spot, Body body)
      throws IOException, InterruptedException {
    String key = spot.key();
    if (!moving.add(key)) {
      return MoveResult.CANCELLED;
    }
    try {
      MoveResult result = body.run();
      steps.end();
      return result;
    } catch (MoveSteps.GivenUp e) {
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
      moving.remove(key);
      if (steps.name != null) {
        steps.name.close();
      }
    }
  }

  private void copy(HeldFile from, Path to, HddRoot hdd, MoveSteps steps)
      throws IOException, InterruptedException {
    try (FileChannel source = from.open()) {
      if (source == null) {
        throw new MoveSteps.GivenUp(MoveResult.OPEN);
      }
      if (tools.copier.copy(source, to, new SizedThrottle(from.mark.size, hdd.limit()))
          != from.mark.size) {
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      }
      tools.attributes.copy(from, to);
    } catch (MoveSteps.GivenUp e) {
      throw e;
    } catch (IOException e) {
      if (!from.isUnchanged()) {
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      }
      throw e;
    }
    steps.reached(FileMoveState.COPIED);
    FileCopier.sync(to);
    if (!from.isUnchanged()) {
      throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
    }
    steps.reached(FileMoveState.SYNCED);
  }

  /**
   * Gives a file its name on an HDD.
   *
   * @param inTree what was at the path when the move began
   */
  private HddNames.Given name(
      HddRoot hdd, HeldFile file, HeldName spot, FileMark inTree, MoveSteps steps)
      throws IOException {
    try {
      HddNames.Given given = names.give(hdd, file, spot.path, spot.parent);
      steps.name = given;
      return given;
    } catch (NoSuchFileException e) {
      if (!spot.isStill(inTree) || !layout.hasParent(spot.path)) {
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      }
      throw e;
    }
  }

  private void stageLink(MoveSteps steps, Path name, FileMark displaced, FileMark file)
      throws IOException {
    Path staged = layout.staging().resolve(steps.number);
    ballast.ifFull(() -> Files.createSymbolicLink(staged, name));
    steps.staged = staged;
    Attributes.owner(staged, file);
    record(steps, staged, displaced, FileMark.of(staged), file);
  }

  private void record(
      MoveSteps steps, Path staged, FileMark displaced, FileMark placed, FileMark file)
      throws IOException {
    MoveRecord record =
        new MoveRecord(steps.kind, staged, steps.path, displaced.ino, placed.ino, file);
    steps.record = record;
    ballast.ifFull(() -> record.write(layout));
    steps.reached(FileMoveState.STAGED);
  }

  /**
   * Performs the last check, the exchange, and its settlement.
   *
   * @param inTree what is at the path
   * @param source the file whose bytes were copied; null if none was
   */
  private MoveResult exchange(
      MoveSteps steps, HeldName spot, FileMark inTree, @Nullable HeldFile source, FileMark file)
      throws IOException {
    MoveRecord record = steps.record;
    if (record == null) {
      throw new IllegalStateException(spot.path + " has no record");
    }
    try (Writers.Watch watch =
        source == null ? null : tools.writers.watch(source.path(), source.mark)) {
      if (source != null && watch == null) {
        throw new MoveSteps.GivenUp(MoveResult.OPEN);
      }
      if (!spot.isStill(inTree) || (source != null && !source.isUnchanged())) {
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      }
      steps.reached(FileMoveState.CHECKED);
      steps.mayBeExchanged = true;
      try {
        tools.exchange.exchange(record.staged, spot.at);
      } catch (NoSuchFileException e) {
        steps.mayBeExchanged = false;
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
        steps.mayBeExchanged = !spot.leadsTo(inTree);
        throw e;
      }
      steps.reached(FileMoveState.EXCHANGED);
      if (watch != null) {
        tools.settlement.hold(record);
      }
      boolean disturbed = watch != null && !watch.undisturbed();
      if (tools.settlement.settle(record, spot.at, disturbed) != Settlement.Outcome.STANDS) {
        throw new MoveSteps.GivenUp(MoveResult.CANCELLED);
      }
    }
    steps.reached(FileMoveState.SETTLED);
    count(steps.kind, file.size);
    return MoveResult.MOVED;
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
}
