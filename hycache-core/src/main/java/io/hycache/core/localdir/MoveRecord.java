// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The record of an exchange from which it can be settled, even after a crash. Immutable. It is
 * stored as the text of a symbolic link next to the staged file, which makes it atomic and costs
 * one directory entry: {@code 1:displaced inode:placed inode:size:mtime:mode:uid:gid/path in the
 * tree}.
 */
final class MoveRecord {
  /** What is exchanged. */
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

  /** Inode of the file or link that leaves the tree. */
  final long displacedIno;

  /** Inode of its replacement. */
  final long placedIno;

  /** The {@link #state} of the file when it was copied. */
  private final String copied;

  /**
   * @param file the file that is copied, or to which both links lead
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

  /** A file's state by what survives a rename; ctime does not. */
  private static String state(FileMark file) {
    return String.join(
        ":",
        Long.toString(file.size),
        Long.toString(file.mtimeMicros),
        Integer.toString(file.mode),
        Integer.toString(file.uid),
        Integer.toString(file.gid));
  }

  /** Whether bytes, mode and owners are those that were copied, judged by lstat(2). */
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

  /** Whether a name is that of a record. */
  static boolean isRecord(Path file) {
    return file.toString().endsWith(SUFFIX);
  }

  /**
   * Reads a record; null if it is not valid.
   *
   * @param file a name for which {@link #isRecord} holds
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
