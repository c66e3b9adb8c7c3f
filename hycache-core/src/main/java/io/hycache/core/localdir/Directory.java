// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
 * A directory held open by a descriptor, so that names are looked up in this very directory,
 * whatever other users put at its path meanwhile.
 *
 * <p>Idea: Linux resolves {@code /proc/self/fd/N/NAME} from the directory that descriptor N refers
 * to. {@link #at} returns such a path, which java.nio and system calls accept like any other; calls
 * that do not follow a link in the last name can't reach outside this directory. Directories below
 * it are opened by openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_XDEV, or
 * name by name on kernels without that call. So neither symbolic links nor mounts are crossed; a
 * user's own file system behind a mount could report false owners and contents.
 *
 * <p>Without JNA or {@code /proc}, a directory is looked up by path each time, after a check that
 * no symbolic link is on the way. This does not protect against users who change names between
 * check and use, so root then only enters directories whose names only root can change.
 *
 * <p>Thread-safe, except that no call may be in progress during {@link #close}.
 */
final class Directory implements Closeable {
  /** The relative path of the directory itself. */
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
   * Opens a directory whose parents are trusted.
   *
   * @param path absolute and free of symbolic links; only the last name is checked for being one
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
   * Opens a directory below this one.
   *
   * @param relative {@link #SELF}, or without {@code .} and {@code ..}
   * @return null if it does not exist, is not below this one, or the path crosses a link, a mount
   *     or a non-directory
   * @throws FileSystemException for root without JNA, if other users may change names on the path
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

  /** Whether a path may lead out of the directory in which it starts. */
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
          "expected that only root may change names in it. Fix: put JNA on the class path, which"
              + " lets root serve it safely");
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Its path when it was opened: for texts of links and for display. */
  Path path() {
    return path;
  }

  /** A path to it for calls that follow links. */
  Path base() throws IOException {
    checkOpen();
    return base;
  }

  /** A path to it for calls that do not follow a link in the last name. */
  Path self() throws IOException {
    return base().resolve(".");
  }

  /** A path to a name in it for calls that do not follow a link in the last name. */
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

  /** Its current stat(2). */
  FileMark mark() throws IOException {
    return FileMark.of(self());
  }

  /**
   * The lstat(2) of a name in it; null if it does not exist, or is a user's mount that is closed to
   * root.
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

  /** Opens a name in it; null if it does not exist. */
  @Nullable HeldFile hold(Path name) throws IOException {
    Path at = at(name);
    LinuxCalls calls = caller.calls;
    return descriptor == BY_PATH || calls == null
        ? holdAt(at)
        : HeldFile.of(descriptor, name, calls);
  }

  /**
   * Opens a name in this or another held directory; null if it does not exist.
   *
   * @param at from {@link #at(Path)}
   */
  @Nullable HeldFile holdAt(Path at) throws IOException {
    return HeldFile.of(at, descriptor == BY_PATH ? null : caller.calls);
  }

  /**
   * The names in it, in unspecified order.
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

  /**
   * Creates a directory in it with access for this process's user only; false if the name is taken.
   */
  boolean make(Path name) throws IOException {
    try {
      Files.createDirectory(at(name), OURS);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * Opens or creates a directory in it that only this process's user can access.
   *
   * @throws IOException if the name is taken by something else, belongs to another user, or is
   *     writable for others; the message gives the fix
   */
  Directory makeOurs(Path name) throws IOException {
    boolean made = make(name);
    Directory ours = below(name);
    if (ours == null) {
      throw new IOException(
          path.resolve(name) + ": expected a directory, found something else. Fix: move it away");
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
                + ". Fix: look at what is in it, then chown -R and chmod 700 it, or serve the tree"
                + " as its owner");
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

  /**
   * Removes the default access control list, so that files created in it get exactly the rights
   * that this process sets.
   */
  void inheritNothing() throws IOException {
    if (caller.calls != null) {
      caller.calls.attributes.remove(self(), INHERITED);
    }
  }

  /** Fsyncs the directory. */
  void sync() throws IOException {
    FileCopier.sync(base());
  }

  /** The calls for attributes that java.nio does not support; null if there are none. */
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
