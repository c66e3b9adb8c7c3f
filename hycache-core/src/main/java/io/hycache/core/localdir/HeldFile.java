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
 * A file that is held, so that what is asked, read and named is that file, whatever others put in
 * its place meanwhile. A pipe, a device or a link is held, too, but not opened: {@link #mark}
 * tells.
 *
 * <p>Where {@link Directory} goes by paths, so does this. Thread-safe, but that no call may be
 * under way when it is closed.
 */
final class HeldFile implements Closeable {
  /** Where the kernel has a link for each descriptor. */
  static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private static final int BY_PATH = -1;

  /** What stat(2) said when it was taken hold of. */
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

  /** What leads to an open file or directory, for calls that follow links. */
  static Path pathOf(int descriptor) {
    return DESCRIPTORS.resolve(Integer.toString(descriptor));
  }

  /**
   * Takes hold of what stands at a name.
   *
   * @param at from {@link Directory#at}
   * @param calls null: by its path
   * @return null if nothing is there
   */
  static @Nullable HeldFile of(Path at, @Nullable LinuxCalls calls) throws IOException {
    if (calls == null) {
      FileMark mark = FileMark.ifAny(at);
      return mark == null ? null : new HeldFile(mark, null, BY_PATH, at);
    }
    return held(calls, calls.hold(at));
  }

  /**
   * Takes hold of what stands at a name in a directory; of a mount it does not.
   *
   * @param directory its descriptor
   * @return null if nothing is there
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

  /** What stat(2) says now; null if that is known by its path, and nothing is there. */
  @Nullable FileMark now() throws IOException {
    return calls == null ? FileMark.ifAny(path) : FileMark.behind(path);
  }

  /** Whether nothing but reading was done to it or its names since it was taken hold of. */
  boolean isUnchanged() throws IOException {
    FileMark now = now();
    return now != null && now.unchanged(mark);
  }

  /** Whether it has no name any more, as far as that is known. */
  boolean isGone() throws IOException {
    FileMark now = now();
    return now == null || now.nlink == 0;
  }

  /** What leads to it for calls that follow links. */
  Path path() {
    return path;
  }

  /**
   * Opens it for reading; only of a regular file, which has others wait for a lease alone.
   *
   * @return null if somebody has one
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

  /** Its text, if it is a link. */
  Path text() throws IOException {
    return calls == null ? Files.readSymbolicLink(path) : calls.text(descriptor);
  }

  /**
   * Gives it a further name.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   * @throws java.nio.file.NoSuchFileException if it has no name any more, or the directory is gone
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
