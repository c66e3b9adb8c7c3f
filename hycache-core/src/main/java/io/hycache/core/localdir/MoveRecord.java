package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of an exchange to settle it, after a crash too. Immutable. It is kept as the
 * text of a symbolic link beside the staged file, so that it is whole or not there at all, and
 * costs one directory entry: {@code 1:displaced inode:placed inode:size:mtime/path in the tree}.
 */
final class MoveRecord {
  /** What moves. */
  enum Kind {
    /** A file for a link to its copy. */
    DOWN("d"),
    /** A link for a copy of its file. */
    UP("u"),
    /** A link for a link to another name of the same file. */
    REHOME("r");

    final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }
  }

  private static final String SUFFIX = ".of";
  private static final int VERSION = 1;

  final Kind kind;
  final Path staged;
  final Path path;

  /** Inode of what is to leave the tree. */
  final long displacedIno;

  /** Inode of what takes its place. */
  final long placedIno;

  /** Of the file's bytes, as they were copied. */
  final long size;

  final long mtimeMicros;

  MoveRecord(
      Kind kind,
      Path staged,
      Path path,
      long displacedIno,
      long placedIno,
      long size,
      long mtimeMicros) {
    this.kind = kind;
    this.staged = staged;
    this.path = path;
    this.displacedIno = displacedIno;
    this.placedIno = placedIno;
    this.size = size;
    this.mtimeMicros = mtimeMicros;
  }

  /** The same bytes as were copied, by size and time of the last write. */
  boolean matches(FileMark file) {
    return file.size == size && file.mtimeMicros == mtimeMicros;
  }

  private static Path file(Path staged) {
    return staged.resolveSibling(staged.getFileName() + SUFFIX);
  }

  void write(TreeLayout layout) throws IOException {
    String numbers =
        VERSION + ":" + displacedIno + ":" + placedIno + ":" + size + ":" + mtimeMicros;
    Files.createSymbolicLink(file(staged), Path.of(numbers).resolve(layout.relative(path)));
  }

  void drop() throws IOException {
    Files.deleteIfExists(file(staged));
  }

  /** True of a record's own name. */
  static boolean isRecord(Path file) {
    return file.toString().endsWith(SUFFIX);
  }

  /**
   * Reads a record; null if it is not one of ours.
   *
   * @param file for which {@link #isRecord} holds
   */
  static @Nullable MoveRecord read(TreeLayout layout, Path file) throws IOException {
    Path text = Files.readSymbolicLink(file);
    String name = String.valueOf(file.getFileName());
    Path staged = file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    String[] numbers = text.getName(0).toString().split(":", -1);
    if (text.getNameCount() < 2
        || numbers.length != 5
        || !numbers[0].equals(Integer.toString(VERSION))) {
      return null;
    }
    Path path = layout.ssd().resolve(text.subpath(1, text.getNameCount()));
    for (Kind kind : Kind.values()) {
      if (name.startsWith(kind.prefix)) {
        try {
          return new MoveRecord(
              kind,
              staged,
              path,
              Long.parseLong(numbers[1]),
              Long.parseLong(numbers[2]),
              Long.parseLong(numbers[3]),
              Long.parseLong(numbers[4]));
        } catch (NumberFormatException e) {
          return null;
        }
      }
    }
    return null;
  }
}
