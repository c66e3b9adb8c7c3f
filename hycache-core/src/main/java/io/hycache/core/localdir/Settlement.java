// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
 * Decides what happens to a staged file, both after an exchange and after a crash.
 *
 * <p>Idea: the inode of the staged file shows how far the move got.
 *
 * <ul>
 *   <li>It is the replacement, unchanged: nothing was exchanged, or the exchange was reverted.
 *       Remove it.
 *   <li>It is the displaced file, not written since it was copied, and this is its only name: the
 *       exchange stands. Remove it, unless the copy is not there, or may be on an HDD that is not
 *       in use: keep it then.
 *   <li>Anything else was put at the path by another process at the instant of the exchange:
 *       exchange again, as long as the tree still holds the replacement, unwritten and without a
 *       writer about to open it.
 *   <li>Otherwise two writers were active at once. The staged file is kept in {@code
 *       .hycache/kept}, and a warning is logged.
 * </ul>
 */
final class Settlement {
  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
  private static final int MAX_ATTEMPTS = 16;

  /**
   * Time for which an exchange is watched before it stands: many times the duration of an open(2).
   */
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int CHECKS_PER_WATCH = 20;

  /** How an exchange ended. */
  enum Outcome {
    /** The tree leads to the replacement, or to what other processes made of it. */
    STANDS,
    /** The tree is as before. */
    UNDONE,
    /** A file was kept because it is unclear whether it is needed. */
    KEPT
  }

  private final TreeLayout layout;
  private final FileExchange exchange;
  private final Writers writers;
  private final LongConsumer park;

  /**
   * @param park sleeps for nanoseconds, also on an interrupted thread
   */
  Settlement(TreeLayout layout, FileExchange exchange, Writers writers, LongConsumer park) {
    this.layout = layout;
    this.exchange = exchange;
    this.writers = writers;
    this.park = park;
  }

  /**
   * Waits for processes that resolved the path before the exchange to finish opening the old file.
   * Ends early if the original no longer matches the copy, so that the tree does not show an
   * outdated state for long.
   */
  void hold(MoveRecord record) throws IOException {
    for (int i = 0; i < CHECKS_PER_WATCH; i++) {
      FileMark staged = FileMark.ifAny(record.staged);
      if (staged == null || staged.ino != record.displacedIno || !isUnwritten(record, staged)) {
        return;
      }
      park.accept(WATCH_NANOS / CHECKS_PER_WATCH);
    }
  }

  /**
   * Settles one exchange.
   *
   * @param at a path to the record's name in its held directory; null if the directory no longer
   *     exists
   * @param disturbed whether a process has the original open for writing, or opened it meanwhile
   */
  Outcome settle(MoveRecord record, @Nullable Path at, boolean disturbed) throws IOException {
    return settle(record, at, disturbed, false);
  }

  /**
   * As above.
   *
   * @param later whether the HDDs may have changed since the copy was made
   */
  private Outcome settle(MoveRecord record, @Nullable Path at, boolean disturbed, boolean later)
      throws IOException {
    boolean placedDisturbed = false;
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      FileMark staged = FileMark.ifAny(record.staged);
      if (staged == null) {
        record.drop();
        return Outcome.STANDS;
      }
      if (staged.ino == record.placedIno) {
        return placedDisturbed ? keep(record) : takeBack(record);
      }
      if (staged.ino == record.displacedIno
          && !disturbed
          && isUnwritten(record, staged)
          && !(later && mayLackCopy(record, at))) {
        Files.delete(record.staged);
        record.drop();
        return Outcome.STANDS;
      }
      if (at == null || !isPlaced(record, at)) {
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
          park.accept(WATCH_NANOS);
          placedDisturbed |= !watch.undisturbed();
        }
      }
    }
    return keep(record);
  }

  private static boolean isPlaced(MoveRecord record, Path at) throws IOException {
    FileMark inTree = FileMark.ifAny(at);
    return inTree != null && inTree.ino == record.placedIno;
  }

  /**
   * Whether the tree has a link in the place of the file, and no copy behind it. If the link was
   * renamed or removed meanwhile, it may have led to any HDD that is not in use.
   */
  private boolean mayLackCopy(MoveRecord record, @Nullable Path at) throws IOException {
    if (record.kind != MoveRecord.Kind.DOWN) {
      return false;
    }
    if (at == null || !isPlaced(record, at)) {
      return !layout.unusableHdds().isEmpty();
    }
    try (HeldFile copy = copy(record, at)) {
      return copy == null;
    }
  }

  private void exchangeBack(MoveRecord record, Path at) throws IOException {
    try {
      exchange.exchange(record.staged, at);
    } catch (NoSuchFileException e) {
      // Removed at this instant; the next look finds it missing.
    }
  }

  private Outcome takeBack(MoveRecord record) throws IOException {
    FileMark staged = FileMark.ifAny(record.staged);
    if (staged != null && staged.isLink() == (record.kind == MoveRecord.Kind.UP)) {
      return keep(record); // the inode number was reused by another file
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
        TreeLayout.Target source = source(record);
        FileMark mark = source == null ? null : layout.mark(source);
        return mark == null || record.matches(mark);
      case REHOME:
        return true;
    }
    throw new AssertionError(record.kind);
  }

  /** The copy, if the replacement is at {@code placed}; null if that is a dangling link. */
  private @Nullable HeldFile copy(MoveRecord record, Path placed) throws IOException {
    if (record.kind == MoveRecord.Kind.UP) {
      return layout.holdAt(placed);
    }
    TreeLayout.Target target = layout.target(placed);
    return target == null ? null : layout.hold(target);
  }

  /** What a staged link led to from its place in the tree, where a relative one is at home. */
  private TreeLayout.@Nullable Target source(MoveRecord record) throws IOException {
    Path parent = record.path.getParent();
    return parent == null ? null : layout.target(record.staged, parent);
  }

  /** Synchronized, so that two streams do not find the same name free. */
  private synchronized Outcome keep(MoveRecord record) throws IOException {
    Directory kept = layout.kept();
    Path name = record.path.getFileName();
    for (int i = 1; kept.mark(name) != null; i++) {
      name = TreeLayout.evade(record.path.getFileName(), i);
    }
    Files.move(record.staged, kept.at(name), StandardCopyOption.ATOMIC_MOVE);
    record.drop();
    LOG.warn(
        "It is unclear which state of a file is wanted, since another process changed it at the"
            + " instant of its move, or its copy was not found after a crash: path={} has one, if"
            + " any, kept={} the other. Fix: compare them, and put the latter in its place or remove"
            + " it",
        record.path,
        kept.path().resolve(name));
    return Outcome.KEPT;
  }

  /**
   * Completes a two-step exchange that a crash or a failure interrupted. Once the tree has what was
   * staged, the staged name is free, or, while the exchange is undone, leads to the same inode. If
   * the directory was renamed meanwhile, the number of names shows the latter: what is staged has a
   * second name in the tree, and what is saved has none.
   */
  private static void finishTwoSteps(Path staged, @Nullable Path at) throws IOException {
    Path saved = staged.resolveSibling(staged.getFileName() + FileExchange.SAVED);
    FileMark original = FileMark.ifAny(saved);
    if (original == null) {
      return;
    }
    FileMark replacement = FileMark.ifAny(staged);
    FileMark inTree = at == null ? null : FileMark.ifAny(at);
    if (replacement == null
        || (replacement.nlink > 1 && original.nlink == 1)
        || (inTree != null && inTree.sameInode(replacement))) {
      Files.move(saved, staged, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.delete(saved);
    }
  }

  /** Settles everything that a crash left. The tree must be locked, with no moves in progress. */
  void settleAll() throws IOException {
    List<Path> staged = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.staging())) {
      files.forEach(staged::add);
    }
    for (Path file : staged) {
      if (MoveRecord.isRecord(file)) {
        MoveRecord record = MoveRecord.read(layout, file);
        if (record == null) {
          LOG.warn("ignored an unreadable record of a move: file={}", file);
        } else {
          Outcome outcome = settle(record);
          LOG.info("settled after a crash: path={} {}", record.path, outcome);
        }
      }
    }
    // Files without a record were never in the tree.
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
      Path at = parent == null ? null : parent.at(record.path.getFileName());
      finishTwoSteps(record.staged, at);
      try {
        return settleUnwatched(record, at);
      } catch (IOException e) {
        LOG.warn("could not inspect a move completely: path={}", record.path, e);
        return keep(record);
      }
    }
  }

  /**
   * Settles an exchange that was not watched to its end: a process that opened the original before
   * may write to it still.
   */
  private Outcome settleUnwatched(MoveRecord record, @Nullable Path at) throws IOException {
    try (HeldFile original = original(record);
        Writers.Watch watch =
            original == null ? null : writers.watch(original.path(), original.mark)) {
      return settle(record, at, original != null && watch == null, true);
    }
  }

  /** The file whose bytes were copied, if an exchange displaced it or the link to it. */
  private @Nullable HeldFile original(MoveRecord record) throws IOException {
    FileMark staged = FileMark.ifAny(record.staged);
    if (staged == null || staged.ino != record.displacedIno) {
      return null;
    }
    switch (record.kind) {
      case DOWN:
        return staged.isFile() ? layout.holdAt(record.staged) : null;
      case UP:
        TreeLayout.Target source = source(record);
        return source == null ? null : layout.hold(source);
      case REHOME:
        return null;
    }
    throw new AssertionError(record.kind);
  }
}
