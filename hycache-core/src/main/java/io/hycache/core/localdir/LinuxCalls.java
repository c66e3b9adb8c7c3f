package io.hycache.core.localdir;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The system calls that Java has no method for: renameat2(2) with RENAME_EXCHANGE, read leases of
 * fcntl(2), and extended attributes of all namespaces. Needs JNA on the class path; {@link #load}
 * gives null without it, on another system than Linux, and where a native library may not be
 * loaded.
 */
final class LinuxCalls {
  private static final int AT_FDCWD = -100;
  private static final int RENAME_EXCHANGE = 2;
  private static final int O_RDONLY = 0;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int F_SETSIG = 10;
  private static final int F_SETLEASE = 1024;
  private static final int F_GETLEASE = 1025;
  private static final int F_RDLCK = 0;

  /** Ignored by whoever does not ask for it; the default of a lease, SIGIO, ends the process. */
  private static final int SIGURG = 23;

  private static final int ENOENT = 2;
  private static final int EAGAIN = 11;
  private static final int ERANGE = 34;
  private static final int ENODATA = 61;
  private static final int EOPNOTSUPP = 95;
  private static final int MOST_ATTRIBUTE_BYTES = 64 << 10;

  private final Function rename;
  private final Object[] renamePrefix;
  private final Function open;
  private final Function close;
  private final Function fcntl;
  private final Function list;
  private final Function get;
  private final Function set;

  private LinuxCalls() {
    NativeLibrary libc = NativeLibrary.getInstance("c");
    Function found;
    Object[] prefix;
    try {
      found = libc.getFunction("renameat2");
      prefix = new Object[0];
    } catch (UnsatisfiedLinkError e) {
      found = libc.getFunction("syscall");
      prefix = new Object[] {number()};
    }
    rename = found;
    renamePrefix = prefix;
    open = libc.getFunction("open");
    close = libc.getFunction("close");
    fcntl = libc.getFunction("fcntl");
    list = libc.getFunction("llistxattr");
    get = libc.getFunction("lgetxattr");
    set = libc.getFunction("lsetxattr");
  }

  /** Of renameat2 on this processor, for a C library that doesn't know it. */
  private static long number() {
    String arch = System.getProperty("os.arch", "");
    switch (arch) {
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
        throw new UnsatisfiedLinkError("renameat2 has no known number on " + arch);
    }
  }

  /** The calls, or null where they can't be made. */
  static @Nullable LinuxCalls load() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    try {
      return new LinuxCalls();
    } catch (LinkageError e) {
      return null;
    }
  }

  /**
   * What both names stand for changes places at one instant.
   *
   * @throws NoSuchFileException if one of them is missing
   * @throws IOException if the file system refuses
   */
  void exchange(Path a, Path b) throws IOException {
    Object[] arguments = new Object[renamePrefix.length + 5];
    System.arraycopy(renamePrefix, 0, arguments, 0, renamePrefix.length);
    int at = renamePrefix.length;
    arguments[at] = AT_FDCWD;
    arguments[at + 1] = bytes(a);
    arguments[at + 2] = AT_FDCWD;
    arguments[at + 3] = bytes(b);
    arguments[at + 4] = RENAME_EXCHANGE;
    if (rename.invokeInt(arguments) != 0) {
      int errno = Native.getLastError();
      if (errno == ENOENT) {
        throw new NoSuchFileException(a.toString(), b.toString(), null);
      }
      throw new FileSystemException(a.toString(), b.toString(), "exchange errno=" + errno);
    }
  }

  /**
   * A lease that nobody can get while the file is open for writing or mapped so, and that the
   * kernel starts to take away as soon as somebody asks to.
   */
  final class Lease implements AutoCloseable {
    private final int descriptor;

    private Lease(int descriptor) {
      this.descriptor = descriptor;
    }

    /** Nobody asked to write since it was taken. */
    boolean holds() {
      return fcntl.invokeInt(new Object[] {descriptor, F_GETLEASE}) == F_RDLCK;
    }

    @Override
    public void close() {
      close.invokeInt(new Object[] {descriptor});
    }
  }

  /** What came of asking for a lease: the lease, a writer, or neither. */
  static final class Asked {
    final @Nullable Lease lease;
    final boolean writer;

    private Asked(@Nullable Lease lease, boolean writer) {
      this.lease = lease;
      this.writer = writer;
    }
  }

  /** Asks for a lease on a regular file; never throws, since who asks has another way. */
  Asked lease(Path path) {
    int descriptor =
        open.invokeInt(new Object[] {bytes(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0});
    if (descriptor < 0) {
      return new Asked(null, false);
    }
    fcntl.invokeInt(new Object[] {descriptor, F_SETSIG, SIGURG});
    if (fcntl.invokeInt(new Object[] {descriptor, F_SETLEASE, F_RDLCK}) == 0) {
      return new Asked(new Lease(descriptor), false);
    }
    int errno = Native.getLastError();
    close.invokeInt(new Object[] {descriptor});
    return new Asked(null, errno == EAGAIN);
  }

  /** Names of all extended attributes that this process may see. */
  List<String> attributes(Path path) throws IOException {
    byte[] names = new byte[MOST_ATTRIBUTE_BYTES];
    long length = list.invokeLong(new Object[] {bytes(path), names, (long) names.length});
    if (length < 0) {
      int errno = Native.getLastError();
      if (errno == EOPNOTSUPP) {
        return List.of();
      }
      throw new FileSystemException(path.toString(), null, "llistxattr errno=" + errno);
    }
    List<String> found = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (names[i] == 0) {
        found.add(new String(names, start, i - start, StandardCharsets.UTF_8));
        start = i + 1;
      }
    }
    return found;
  }

  /** Copies one extended attribute; one that is gone by now is left out. */
  void copyAttribute(Path from, Path to, String name) throws IOException {
    byte[] attribute = terminated(name.getBytes(StandardCharsets.UTF_8));
    byte[] value = new byte[MOST_ATTRIBUTE_BYTES];
    long length = get.invokeLong(new Object[] {bytes(from), attribute, value, (long) value.length});
    if (length < 0) {
      int errno = Native.getLastError();
      if (errno == ENODATA) {
        return;
      }
      throw new FileSystemException(
          from.toString(), null, name + (errno == ERANGE ? " is too long" : " errno=" + errno));
    }
    if (set.invokeInt(new Object[] {bytes(to), attribute, value, length, 0}) != 0) {
      throw new FileSystemException(
          to.toString(), null, "setting " + name + " errno=" + Native.getLastError());
    }
  }

  private static byte[] terminated(byte[] bytes) {
    byte[] longer = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, longer, 0, bytes.length);
    return longer;
  }

  /**
   * The very bytes of a path, terminated. Its URI keeps them; its text doesn't where the locale
   * can't show them.
   */
  private static byte[] bytes(Path path) {
    String raw = path.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int end = raw.length() > 1 && raw.endsWith("/") ? raw.length() - 1 : raw.length();
    for (int i = 0; i < end; i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    bytes.write(0);
    return bytes.toByteArray();
  }
}
