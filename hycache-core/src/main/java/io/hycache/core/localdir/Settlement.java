package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a staged file, right after an exchange and after a crash alike.
 *
 * <p>Idea: what lies in staging tells by its inode how far the move came.
 *
 * <ul>
 *   <li>It is what was to be placed, and nobody changed it: nothing was exchanged, or it was taken
 *       back. It goes.
 *   <li>It is what was to be displaced, unwritten since it was copied, and this is its only name:
 *       the exchange stands. It goes.
 *   <li>Anything else was put there by somebody else in the very instant: they change places again,
 *       as long as the tree still holds what was placed, unwritten and with nobody about to write.
 *   <li>Where even that is not so, two writers were at work at once. What is in staging is kept in
 *       {@code .hycache/kept} and the log says so.
 * </ul>
 */
final class Settlement {
  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
  private static final int ATTEMPTS = 16;

  /**
   * How long an exchange is watched before it stands: many times what open(2) takes to its file.
   */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int LOOKS = 20;

  /** How it ended. */
  enum Outcome {
    /** The tree leads to what was placed, or to what others made of it. */
    STANDS,
    /** The tree is as it was. */
    UNDONE,
    /** Something was kept because it is not clear whether it is needed. */
    KEPT
  }

  private final TreeLayout layout;
  private final FileExchange exchange;
  private final Writers writers;
  private final LongConsumer park;

  /**
   * @param park waits for nanoseconds
   */
  Settlement(TreeLayout layout, FileExchange exchange, Writers writers, LongConsumer park) {
    this.layout = layout;
    this.exchange = exchange;
    this.writers = writers;
    this.park = park;
  }

  /**
   * Waits until whoever was on the way to the old place at the exchange has come there. Ends early
   * when the original is not as it was copied: the tree is not to show an old state for long.
   */
  void hold(MoveRecord record) throws IOException {
    for (int i = 0; i < LOOKS; i++) {
      FileMark staged = FileMark.ifAny(record.staged);
      if (staged == null || staged.ino != record.displacedIno || !isUnwritten(record, staged)) {
        return;
      }
      park.accept(HOLD_NANOS / LOOKS);
    }
  }

  /**
   * Settles one exchange.
   *
   * @param at what leads to the record's path in its directory, which is held; null if the tree has
   *     no such directory any more
   * @param disturbed somebody came to write to the original meanwhile
   */
  Outcome settle(MoveRecord record, @Nullable Path at, boolean disturbed) throws IOException {
    finishTwoSteps(record.staged);
    boolean placedDisturbed = false;
    for (int i = 0; i < ATTEMPTS; i++) {
      FileMark staged = FileMark.ifAny(record.staged);
      if (staged == null) {
        record.drop();
        return Outcome.STANDS;
      }
      if (staged.ino == record.placedIno) {
        return placedDisturbed ? keep(record) : takeBack(record);
      }
      if (staged.ino == record.displacedIno && !disturbed && isUnwritten(record, staged)) {
        Files.delete(record.staged);
        record.drop();
        return Outcome.STANDS;
      }
      FileMark inTree = at == null ? null : FileMark.ifAny(at);
      if (at == null || inTree == null || inTree.ino != record.placedIno) {
        return keep(record);
      }
      if (record.kind == MoveRecord.Kind.REHOME) {
        exchangeBack(record, at);
        continue;
      }
      try (HeldFile copy = copy(record, at)) {
        if (copy == null || !record.matches(copy.mark)) {
          return keep(record);
        }
        try (Writers.Watch watch = writers.watch(copy.path(), copy.mark)) {
          if (watch == null) {
            return keep(record);
          }
          exchangeBack(record, at);
          park.accept(HOLD_NANOS);
          placedDisturbed |= !watch.undisturbed();
        }
      }
    }
    return keep(record);
  }

  private void exchangeBack(MoveRecord record, Path at) throws IOException {
    try {
      exchange.exchange(record.staged, at);
    } catch (NoSuchFileException e) {
      // Removed in this instant; seen at the next look.
    }
  }

  private Outcome takeBack(MoveRecord record) throws IOException {
    FileMark staged = FileMark.ifAny(record.staged);
    if (staged != null && staged.isLink() == (record.kind == MoveRecord.Kind.UP)) {
      return keep(record); // the number of what was placed is another's by now
    }
    if (record.kind != MoveRecord.Kind.REHOME) {
      try (HeldFile copy = copy(record, record.staged)) {
        if (copy != null && !record.matches(copy.mark)) {
          return keep(record);
        }
      }
    }
    Files.delete(record.staged);
    record.drop();
    return Outcome.UNDONE;
  }

  private boolean isUnwritten(MoveRecord record, FileMark displaced) throws IOException {
    if (displaced.nlink != 1) {
      return false;
    }
    switch (record.kind) {
      case DOWN:
        return record.matches(displaced);
      case UP:
        FileMark source = behind(record.staged);
        return source == null || record.matches(source);
      case REHOME:
        return true;
    }
    throw new AssertionError(record.kind);
  }

  /** The copy, where what was placed is at {@code placed}; null if that is a link to nowhere. */
  private @Nullable HeldFile copy(MoveRecord record, Path placed) throws IOException {
    if (record.kind == MoveRecord.Kind.UP) {
      return layout.holdAt(placed);
    }
    TreeLayout.Target target = layout.target(placed);
    return target == null ? null : layout.hold(target);
  }

  private @Nullable FileMark behind(Path link) throws IOException {
    TreeLayout.Target target = layout.target(link);
    return target == null ? null : layout.mark(target);
  }

  private Outcome keep(MoveRecord record) throws IOException {
    Directory kept = layout.kept();
    Path name = record.path.getFileName();
    for (int i = 1; kept.mark(name) != null; i++) {
      name = TreeLayout.evade(record.path.getFileName(), i);
    }
    Files.move(record.staged, kept.at(name), StandardCopyOption.ATOMIC_MOVE);
    record.drop();
    LOG.warn(
        "A file was changed by others in the instant of its move, and it is not clear which state"
            + " is wanted: path={} has one, kept={} the other; compare them and remove the latter",
        record.path,
        kept.path().resolve(name));
    return Outcome.KEPT;
  }

  /** An exchange of two steps that a crash cut in two. */
  private static void finishTwoSteps(Path staged) throws IOException {
    Path saved = staged.resolveSibling(staged.getFileName() + FileExchange.SAVED);
    if (FileMark.ifAny(saved) == null) {
      return;
    }
    if (FileMark.ifAny(staged) == null) {
      Files.move(saved, staged, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.delete(saved);
    }
  }

  /** Settles everything that a crash left. The tree must be locked and nothing may move. */
  void settleAll() throws IOException {
    List<Path> staged = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.staging())) {
      files.forEach(staged::add);
    }
    for (Path file : staged) {
      if (MoveRecord.isRecord(file)) {
        MoveRecord record = MoveRecord.read(layout, file);
        if (record == null) {
          LOG.warn("unreadable record of a move, left alone: file={}", file);
        } else {
          Outcome outcome = settle(record);
          LOG.info("settled after a crash: path={} {}", record.path, outcome);
        }
      }
    }
    // What has no record was never in the tree.
    for (Path file : staged) {
      if (!MoveRecord.isRecord(file)
          && FileMark.ifAny(file.resolveSibling(file.getFileName() + ".of")) == null) {
        Files.deleteIfExists(file);
      }
    }
    for (HddRoot hdd : layout.hdds()) {
      try (Directory halves = hdd.holdStaging()) {
        for (Path half : halves.names()) {
          Files.deleteIfExists(halves.at(half));
        }
      }
    }
  }

  private Outcome settle(MoveRecord record) throws IOException {
    try (Directory parent = layout.holdParent(record.path)) {
      return settle(record, parent == null ? null : parent.at(record.path.getFileName()), false);
    }
  }
}
