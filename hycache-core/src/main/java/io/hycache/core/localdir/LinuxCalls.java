// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System calls that Java offers no method for: renameat2(2) with RENAME_EXCHANGE, and O_PATH
 * descriptors of directories and files, as used by {@link Directory} and {@link HeldFile}; and
 * through {@link #leases} and {@link #attributes} read leases and extended attributes. Requires JNA
 * on the class path; {@link #load} returns null without it, on systems other than Linux, and where
 * native libraries can't be loaded.
 */
final class LinuxCalls {
  private static final int AT_FDCWD = -100;
  private static final int AT_SYMLINK_FOLLOW = 0x400;
  private static final int RENAME_EXCHANGE = 2;
  static final int O_RDONLY = 0;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  private static final int O_PATH = 0x200000;

  private static final String ARCH = System.getProperty("os.arch", "");

  /** Processors whose values of two open(2) flags differ from most. */
  private static final boolean OTHER_FLAGS = List.of("aarch64", "ppc64le").contains(ARCH);

  private static final boolean KNOWN_FLAGS =
      OTHER_FLAGS || List.of("amd64", "x86_64", "riscv64", "s390x").contains(ARCH);

  private static final int O_DIRECTORY = OTHER_FLAGS ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = OTHER_FLAGS ? 0x8000 : 0x20000;

  /** System call number of openat2 on all processors; C libraries have no function for it yet. */
  private static final long OPENAT2 = 437;

  private static final long RESOLVE_NO_XDEV = 1;
  private static final long RESOLVE_NO_SYMLINKS = 4;
  private static final long RESOLVE_BENEATH = 8;

  private static final int EPERM = 1;
  private static final int ENOENT = 2;
  static final int EAGAIN = 11;
  private static final int EACCES = 13;
  private static final int EEXIST = 17;
  private static final int EXDEV = 18;
  private static final int ENOTDIR = 20;
  private static final int ENAMETOOLONG = 36;
  private static final int ENOSYS = 38;
  private static final int ELOOP = 40;
  private static final int MAX_PATH_BYTES = 4 << 10;

  private static final Path DESCRIPTOR_INFO = Path.of("/proc/self/fdinfo");

  /**
   * Prefix of the line in {@link #DESCRIPTOR_INFO} that identifies a descriptor's mount; since
   * Linux 3.15.
   */
  private static final String MOUNT = "mnt_id:";

  /** A path exceeds the kernel's maximum length. */
  static final class TooLongException extends FileSystemException {
    private static final long serialVersionUID = 1;

    TooLongException(String file) {
      super(file, null, "exceeds the maximum path length");
    }
  }

  final ReadLeases leases;
  final ExtendedAttributes attributes;
  private final Function rename;
  private final Object[] renamePrefix;
  private final Function syscall;
  private final Function open;
  private final Function openAt;
  private final Function readLink;
  private final Function link;
  private final Function error;
  private final Function close;

  /** True if the kernel lacks openat2(2): each name of a path is opened separately. */
  private volatile boolean nameByName;

  private LinuxCalls(boolean nameByName) {
    this.nameByName = nameByName;
    NativeLibrary libc = NativeLibrary.getInstance("c");
    syscall = libc.getFunction("syscall");
    Function found;
    Object[] prefix;
    try {
      found = libc.getFunction("renameat2");
      prefix = new Object[0];
    } catch (UnsatisfiedLinkError e) {
      found = syscall;
      prefix = new Object[] {number()};
    }
    rename = found;
    renamePrefix = prefix;
    open = libc.getFunction("open");
    openAt = libc.getFunction("openat");
    readLink = libc.getFunction("readlinkat");
    link = libc.getFunction("linkat");
    error = libc.getFunction("strerror");
    close = libc.getFunction("close");
    leases = new ReadLeases(libc);
    attributes = new ExtendedAttributes(libc);
  }

  /** System call number of renameat2 on this processor, for C libraries without the function. */
  private static long number() {
    switch (ARCH) {
      case "amd64":
      case "x86_64":
        return 316;
      case "aarch64":
      case "riscv64":
        return 276;
      case "ppc64le":
        return 357;
      case "s390x":
        return 347;
      default:
        throw new UnsatisfiedLinkError("renameat2 has no known number on " + ARCH);
    }
  }

  /** Loads the calls; null if they are not available. */
  static @Nullable LinuxCalls load() {
    return load(false);
  }

  /**
   * Loads the calls; null if they are not available.
   *
   * @param nameByName whether to do without openat2(2), as on kernels before 5.6
   */
  static @Nullable LinuxCalls load(boolean nameByName) {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    try {
      return new LinuxCalls(nameByName);
    } catch (LinkageError e) {
      return null;
    }
  }

  /**
   * Whether the kernel has rejected openat2(2), so that each name of a path is opened separately.
   */
  boolean isNameByName() {
    return nameByName;
  }

  /** Whether the open(2) flags for holding directories and files are known on this processor. */
  static boolean canHold() {
    return KNOWN_FLAGS;
  }

  /**
   * Opens a directory.
   *
   * @param path a link in its last name is not followed
   * @return an O_PATH descriptor, to be closed by {@link #close(int)}
   * @throws NotDirectoryException if it is something else, including a link
   * @throws IOException as open(2) fails
   */
  int openDirectory(Path path) throws IOException {
    int descriptor =
        open.invokeInt(
            new Object[] {PathBytes.bytes(path), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0});
    if (descriptor >= 0) {
      return descriptor;
    }
    int errno = Native.getLastError();
    if (errno == ENOTDIR || errno == ELOOP) {
      throw new NotDirectoryException(path.toString());
    }
    throw failure(errno, path);
  }

  /**
   * Opens a directory below another one without crossing links or mounts, whatever other processes
   * rename meanwhile.
   *
   * @param relative without {@code .} and {@code ..}; empty for the directory itself
   * @return as {@link #openDirectory}; -1 if it does not exist, or a name on the path is no
   *     directory
   * @throws TooLongException if the path is longer than 4095 bytes
   * @throws IOException as openat2(2) fails otherwise
   */
  int openBelow(int directory, Path relative) throws IOException {
    return open(directory, relative, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }

  /**
   * Opens whatever is at a name in a directory, to identify it. Does not follow a link and does not
   * open a device or pipe for I/O.
   *
   * @return as {@link #openDirectory}; -1 if the name does not exist or is a mount
   */
  int hold(int directory, Path name) throws IOException {
    return open(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  }

  private int open(int directory, Path relative, int flags) throws IOException {
    if (!nameByName) {
      long[] how = {flags, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV};
      long opened =
          syscall.invokeLong(
              new Object[] {
                OPENAT2,
                (long) directory,
                PathBytes.bytes(relative),
                how,
                (long) how.length * Long.BYTES
              });
      if (opened >= 0) {
        return (int) opened;
      }
      int errno = Native.getLastError();
      // A system call filter (seccomp) may answer EPERM to calls that it does not list.
      if (errno != ENOSYS && errno != EPERM) {
        return none(errno, relative);
      }
      nameByName = true;
    }
    return openNameByName(directory, relative, flags);
  }

  private int openNameByName(int directory, Path relative, int flags) throws IOException {
    if (Directory.leadsUp(relative)) {
      return -1;
    }
    byte[] path = PathBytes.bytes(relative);
    if (path.length > MAX_PATH_BYTES) {
      throw new TooLongException(relative.toString());
    }
    String mount = mount(directory);
    int at = directory;
    int left = relative.getNameCount();
    for (Path name : relative) {
      int here = --left == 0 ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC;
      int next = openAt.invokeInt(new Object[] {at, PathBytes.bytes(name), here | O_NOFOLLOW, 0});
      int errno = next < 0 ? Native.getLastError() : 0;
      if (at != directory) {
        close(at);
      }
      if (next < 0) {
        return none(errno, relative);
      }
      at = next;
    }
    boolean same = false;
    try {
      same = at == directory || mount.equals(mount(at));
      return same ? at : -1;
    } finally {
      if (!same) {
        close(at);
      }
    }
  }

  /** Identifies the mount of a descriptor; by its device on kernels that don't report mounts. */
  private static String mount(int descriptor) throws IOException {
    Path info = DESCRIPTOR_INFO.resolve(Integer.toString(descriptor));
    for (String line : Files.readAllLines(info, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith(MOUNT)) {
        return line;
      }
    }
    return "dev=" + FileMark.behind(HeldFile.pathOf(descriptor)).dev;
  }

  /** As {@link #hold(int, Path)}, for a path that only this process can change. */
  int hold(Path path) throws IOException {
    int descriptor =
        open.invokeInt(new Object[] {PathBytes.bytes(path), O_PATH | O_NOFOLLOW | O_CLOEXEC, 0});
    return descriptor >= 0 ? descriptor : none(Native.getLastError(), path);
  }

  /**
   * The text of a link.
   *
   * @param descriptor from {@link #hold}
   */
  Path text(int descriptor) throws IOException {
    byte[] text = new byte[MAX_PATH_BYTES];
    byte[] itself = {0};
    int length = readLink.invokeInt(new Object[] {descriptor, itself, text, (long) text.length});
    if (length < 0) {
      throw failure(Native.getLastError(), HeldFile.pathOf(descriptor));
    }
    return PathBytes.path(text, length);
  }

  /**
   * Opens a regular file for reading without blocking on another process's lease. While it is open,
   * no lease can be granted that would block another open for reading.
   *
   * @return a descriptor for {@link #close(int)}; -1 if a lease would block
   */
  int openToRead(Path path) throws IOException {
    int descriptor =
        open.invokeInt(new Object[] {PathBytes.bytes(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0});
    if (descriptor >= 0) {
      return descriptor;
    }
    int errno = Native.getLastError();
    if (errno == EAGAIN) {
      return -1;
    }
    throw failure(errno, path);
  }

  /** Closes a descriptor. */
  void close(int descriptor) {
    close.invokeInt(new Object[] {descriptor});
  }

  /**
   * Gives a file a further name.
   *
   * @param descriptor a {@code /proc/self/fd} path, which is followed
   */
  void link(Path descriptor, Path name) throws IOException {
    Object[] arguments = {
      AT_FDCWD, PathBytes.bytes(descriptor), AT_FDCWD, PathBytes.bytes(name), AT_SYMLINK_FOLLOW
    };
    if (link.invokeInt(arguments) != 0) {
      throw failure(Native.getLastError(), name);
    }
  }

  private int none(int errno, Path path) throws IOException {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EXDEV) {
      return -1;
    }
    throw failure(errno, path);
  }

  /** The exception that java.nio throws for an error number. */
  private IOException failure(int errno, Path path) {
    switch (errno) {
      case ENOENT:
        return new NoSuchFileException(path.toString());
      case EACCES:
        return new AccessDeniedException(path.toString());
      case ENAMETOOLONG:
        return new TooLongException(path.toString());
      case EEXIST:
        return new FileAlreadyExistsException(path.toString());
      default:
        return new FileSystemException(
            path.toString(), null, error.invokeString(new Object[] {errno}, false));
    }
  }

  /**
   * Atomically exchanges two names.
   *
   * @throws NoSuchFileException if one of them is missing
   * @throws IOException if the file system does not support it
   */
  void exchange(Path a, Path b) throws IOException {
    Object[] arguments = new Object[renamePrefix.length + 5];
    System.arraycopy(renamePrefix, 0, arguments, 0, renamePrefix.length);
    int at = renamePrefix.length;
    arguments[at] = AT_FDCWD;
    arguments[at + 1] = PathBytes.bytes(a);
    arguments[at + 2] = AT_FDCWD;
    arguments[at + 3] = PathBytes.bytes(b);
    arguments[at + 4] = RENAME_EXCHANGE;
    if (rename.invokeInt(arguments) != 0) {
      int errno = Native.getLastError();
      if (errno == ENOENT) {
        throw new NoSuchFileException(a.toString(), b.toString(), null);
      }
      throw new FileSystemException(a.toString(), b.toString(), "exchange errno=" + errno);
    }
  }
}
