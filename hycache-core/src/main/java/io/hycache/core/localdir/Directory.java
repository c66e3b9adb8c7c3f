package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is held, so that a name in it is looked up in it, whatever others put at its
 * path meanwhile.
 *
 * <p>Idea: Linux resolves {@code /proc/self/fd/N/NAME} from the directory that descriptor N was
 * opened on. {@link #at} gives such a path, which the methods of java.nio and the system calls take
 * as any other; those that don't follow a link in the last name reach nothing outside this
 * directory. What is below it is opened by openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
 * RESOLVE_NO_XDEV, or name by name where the kernel has no such call: never through a link, nor on
 * another mount, where a user's own file system may say of its files what it likes.
 *
 * <p>Where JNA or {@code /proc} is missing, a directory is looked up by its path each time, and
 * links on the way are refused by a look beforehand. That is no protection against users who change
 * names in between: root then enters only directories in which nobody else can.
 *
 * <p>Thread-safe, but that no call may be under way when it is closed.
 */
final class Directory implements Closeable {
  /** The directory itself, where a directory below another one is named. */
  static final Path SELF = Path.of("");

  private static final FileAttribute<?> OURS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final String INHERITED = "system.posix_acl_default";

  private static final int BY_PATH = -1;

  private final Caller caller;
  private final Path path;
  private final int descriptor;
  private final Path base;
  private volatile boolean closed;

  private Directory(Caller caller, Path path, int descriptor) {
    this.caller = caller;
    this.path = path;
    this.descriptor = descriptor;
    this.base = descriptor == BY_PATH ? path : HeldFile.pathOf(descriptor);
  }

  /**
   * Holds a directory whose parents are trusted.
   *
   * @param path absolute and without links; its last name is checked for being none
   * @throws NotDirectoryException if it is a link or something else
   * @throws IOException as open(2) fails
   */
  static Directory open(Path path, Caller caller) throws IOException {
    LinuxCalls calls = caller.calls;
    if (calls != null && LinuxCalls.canHold() && Files.exists(HeldFile.DESCRIPTORS)) {
      return new Directory(caller, path, calls.openDirectory(path));
    }
    if (!FileMark.of(path).isDirectory()) {
      throw new NotDirectoryException(path.toString());
    }
    return new Directory(caller, path, BY_PATH);
  }

  /**
   * Holds a directory below this one.
   *
   * @param relative {@link #SELF}, or without {@code .} and {@code ..}
   * @return null if it is not there, not below, or something on the way is a link, a mount or no
   *     directory
   * @throws FileSystemException by root without JNA: others may change names on the way
   * @throws IOException if it can't be looked up
   */
  @Nullable Directory below(Path relative) throws IOException {
    Path there = path.resolve(relative);
    LinuxCalls calls = caller.calls;
    if (descriptor != BY_PATH && calls != null) {
      checkOpen();
      int opened = calls.openBelow(descriptor, relative);
      return opened < 0 ? null : new Directory(caller, there, opened);
    }
    return !leadsUp(relative) && isPlain(there) ? new Directory(caller, there, BY_PATH) : null;
  }

  /** Whether a path may lead out of the directory that it starts from. */
  static boolean leadsUp(Path relative) {
    for (Path name : relative) {
      if (name.toString().equals("..")) {
        return true;
      }
    }
    return relative.isAbsolute();
  }

  private boolean isPlain(Path there) throws IOException {
    try {
      FileMark mark = FileMark.ifAny(there);
      if (mark == null || !mark.isDirectory() || !there.toRealPath().equals(there)) {
        return false;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    if (caller.isRoot()) {
      requireOurs(path);
      for (Path name = path; !name.equals(there); ) {
        name = name.resolve(there.getName(name.getNameCount()));
        requireOurs(name);
      }
    }
    return true;
  }

  private static void requireOurs(Path directory) throws IOException {
    FileMark mark = FileMark.of(directory);
    if (mark.uid != 0 || mark.isWritableForOthers()) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "users may change names in it, against which root needs JNA on the class path");
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Its path when it was opened: for texts of links and for people. */
  Path path() {
    return path;
  }

  /** What leads to it for calls that follow links. */
  Path base() throws IOException {
    checkOpen();
    return base;
  }

  /** What leads to it for calls that don't follow a link in the last name. */
  Path self() throws IOException {
    return base().resolve(".");
  }

  /** What leads to a name in it, for calls that don't follow a link in the last name. */
  Path at(Path name) throws IOException {
    String text = name.toString();
    if (name.isAbsolute()
        || name.getNameCount() != 1
        || text.isEmpty()
        || text.equals(".")
        || text.equals("..")) {
      throw new IllegalArgumentException("expected one name, found " + name);
    }
    return base().resolve(name);
  }

  /** As {@link #at(Path)}. */
  Path at(String name) throws IOException {
    return at(Path.of(name));
  }

  /** What stat(2) says of it. */
  FileMark mark() throws IOException {
    return FileMark.of(self());
  }

  /**
   * What stands at a name in it, null if nothing does, or a user's mount that is closed to root.
   */
  @Nullable FileMark mark(Path name) throws IOException {
    try {
      return FileMark.ifAny(at(name));
    } catch (AccessDeniedException e) {
      if (caller.isRoot()) {
        return null;
      }
      throw e;
    }
  }

  /** Holds what stands at a name in it, null if nothing does. */
  @Nullable HeldFile hold(Path name) throws IOException {
    Path at = at(name);
    LinuxCalls calls = caller.calls;
    return descriptor == BY_PATH || calls == null
        ? holdAt(at)
        : HeldFile.of(descriptor, name, calls);
  }

  /**
   * Holds what stands at a name in this or another held directory, null if nothing does.
   *
   * @param at from {@link #at(Path)}
   */
  @Nullable HeldFile holdAt(Path at) throws IOException {
    return HeldFile.of(at, descriptor == BY_PATH ? null : caller.calls);
  }

  /**
   * The names in it, in no order.
   *
   * @throws IOException as opendir(3) or readdir(3) fails
   */
  List<Path> names() throws IOException {
    List<Path> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(base())) {
      for (Path entry : entries) {
        names.add(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Makes a directory in it that only we may enter; false if the name is taken. */
  boolean make(Path name) throws IOException {
    try {
      Files.createDirectory(at(name), OURS);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * Makes or finds a directory in it that is ours alone.
   *
   * @throws IOException if it is something else, another user's, or writable for others; says what
   *     to do
   */
  Directory makeOurs(Path name) throws IOException {
    boolean made = make(name);
    Directory ours = below(name);
    if (ours == null) {
      throw new IOException(path.resolve(name) + " is in the way; it has to be a directory");
    }
    try {
      FileMark mark = ours.mark();
      if (mark.uid != caller.uid || (!made && mark.isWritableForOthers())) {
        throw new IOException(
            ours.path
                + ": expected a directory that only uid="
                + caller.uid
                + " can write to, found uid="
                + mark.uid
                + " mode="
                + mark.rightsText()
                + ". Fix: look at what is in it, then chown -R and chmod 700 it, or serve the tree as"
                + " its owner");
      }
      if (!mark.isForItsOwnerAlone()) {
        Files.setPosixFilePermissions(ours.self(), PosixFilePermissions.fromString("rwx------"));
      }
      ours.inheritNothing();
      return ours;
    } catch (IOException | RuntimeException e) {
      ours.close();
      throw e;
    }
  }

  /** What is made in it from now on has the rights that we give it and no others. */
  void inheritNothing() throws IOException {
    if (caller.calls != null) {
      caller.calls.attributes.remove(self(), INHERITED);
    }
  }

  /** Brings its names to the device. */
  void sync() throws IOException {
    FileCopier.sync(base());
  }

  /** With what its attributes are read and set that java.nio doesn't know; null: not at all. */
  @Nullable LinuxCalls calls() {
    return caller.calls;
  }

  @Override
  public synchronized void close() {
    LinuxCalls calls = caller.calls;
    if (descriptor != BY_PATH && calls != null && !closed) {
      calls.close(descriptor);
    }
    closed = true;
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
