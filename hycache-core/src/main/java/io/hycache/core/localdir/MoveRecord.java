package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of an exchange to settle it, after a crash too. Immutable. It is kept as the
 * text of a symbolic link beside the staged file, so that it is whole or not there at all, and
 * costs one directory entry: {@code 1:displaced inode:placed inode:size:mtime:mode:uid:gid/path in
 * the tree}.
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

  /** The file as it was copied: {@link #state}. */
  private final String copied;

  /**
   * @param file that is copied, or that both links lead to
   */
  MoveRecord(Kind kind, Path staged, Path path, long displacedIno, long placedIno, FileMark file) {
    this(kind, staged, path, displacedIno, placedIno, state(file));
  }

  private MoveRecord(
      Kind kind, Path staged, Path path, long displacedIno, long placedIno, String copied) {
    this.kind = kind;
    this.staged = staged;
    this.path = path;
    this.displacedIno = displacedIno;
    this.placedIno = placedIno;
    this.copied = copied;
  }

  /** What tells a file's state that a rename doesn't change; ctime it does. */
  private static String state(FileMark file) {
    return String.join(
        ":",
        Long.toString(file.size),
        Long.toString(file.mtimeMicros),
        Integer.toString(file.mode),
        Integer.toString(file.uid),
        Integer.toString(file.gid));
  }

  /** The same bytes, rights and owners as were copied, as far as lstat(2) tells. */
  boolean matches(FileMark file) {
    return state(file).equals(copied);
  }

  private static Path file(Path staged) {
    return staged.resolveSibling(staged.getFileName() + SUFFIX);
  }

  void write(TreeLayout layout) throws IOException {
    String numbers = VERSION + ":" + displacedIno + ":" + placedIno + ":" + copied;
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
    String[] numbers = text.getName(0).toString().split(":", 4);
    if (text.getNameCount() < 2
        || numbers.length != 4
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
              numbers[3]);
        } catch (NumberFormatException e) {
          return null;
        }
      }
    }
    return null;
  }
}
