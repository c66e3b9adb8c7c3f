// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file held open by an O_PATH descriptor, so that checks, reads and links concern this very file,
 * whatever other users put in its place meanwhile. Pipes, devices and links can be held as well,
 * without being opened for I/O; {@link #mark} shows the type.
 *
 * <p>Where {@link Directory} works by path, so does this class. Thread-safe, except that no call
 * may be in progress during {@link #close}.
 */
final class HeldFile implements Closeable {
  /** The kernel's directory of links to this process's descriptors. */
  static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private static final int BY_PATH = -1;

  /** Its stat(2) when it was opened. */
  final FileMark mark;

  private final @Nullable LinuxCalls calls;
  private final int descriptor;
  private final Path path;
  private boolean closed;

  private HeldFile(FileMark mark, @Nullable LinuxCalls calls, int descriptor, Path path) {
    this.mark = mark;
    this.calls = calls;
    this.descriptor = descriptor;
    this.path = path;
  }

  /** A path to an open file or directory, for calls that follow links. */
  static Path pathOf(int descriptor) {
    return DESCRIPTORS.resolve(Integer.toString(descriptor));
  }

  /**
   * Holds whatever is at a name.
   *
   * @param at from {@link Directory#at}
   * @param calls null: by path
   * @return null if the name does not exist
   */
  static @Nullable HeldFile of(Path at, @Nullable LinuxCalls calls) throws IOException {
    if (calls == null) {
      FileMark mark = FileMark.ifAny(at);
      return mark == null ? null : new HeldFile(mark, null, BY_PATH, at);
    }
    return held(calls, calls.hold(at));
  }

  /**
   * Holds whatever is at a name in a directory, except a mount.
   *
   * @param directory its descriptor
   * @return null if the name does not exist
   */
  static @Nullable HeldFile of(int directory, Path name, LinuxCalls calls) throws IOException {
    return held(calls, calls.hold(directory, name));
  }

  private static @Nullable HeldFile held(LinuxCalls calls, int descriptor) throws IOException {
    if (descriptor < 0) {
      return null;
    }
    Path path = pathOf(descriptor);
    try {
      return new HeldFile(FileMark.behind(path), calls, descriptor, path);
    } catch (IOException | RuntimeException e) {
      calls.close(descriptor);
      throw e;
    }
  }

  /** Its current stat(2); null if it is looked up by path and does not exist. */
  @Nullable FileMark now() throws IOException {
    return calls == null ? FileMark.ifAny(path) : FileMark.behind(path);
  }

  /** Whether the file and its names were at most read since it was opened. */
  boolean isUnchanged() throws IOException {
    FileMark now = now();
    return now != null && now.unchanged(mark);
  }

  /** Whether it has no name left, as far as can be determined. */
  boolean isGone() throws IOException {
    FileMark now = now();
    return now == null || now.nlink == 0;
  }

  /** A path to it for calls that follow links. */
  Path path() {
    return path;
  }

  /**
   * Opens it for reading. Only for regular files, where at most a lease can block the call.
   *
   * @return null if another process holds such a lease
   */
  @Nullable FileChannel open() throws IOException {
    if (calls == null) {
      return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }
    int first = calls.openToRead(path);
    if (first < 0) {
      return null;
    }
    try {
      return FileChannel.open(path, StandardOpenOption.READ);
    } finally {
      calls.close(first);
    }
  }

  /** The text of the link, if it is one. */
  Path text() throws IOException {
    return calls == null ? Files.readSymbolicLink(path) : calls.text(descriptor);
  }

  /**
   * Gives it a further name.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   * @throws java.nio.file.NoSuchFileException if it has no name left, or the directory is gone
   */
  void linkTo(Path name) throws IOException {
    if (calls == null) {
      Files.createLink(name, path);
    } else {
      calls.link(path, name);
    }
  }

  @Override
  public synchronized void close() {
    if (calls != null && !closed) {
      calls.close(descriptor);
    }
    closed = true;
  }
}
