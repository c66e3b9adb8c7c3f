package io.hycache.core.localdir;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Read leases of fcntl(2): the kernel grants one only on a file without a writer, and breaks it as
 * soon as somebody opens the file for writing. Thread-safe.
 */
final class ReadLeases {
  private static final int F_SETSIG = 10;
  private static final int F_SETLEASE = 1024;
  private static final int F_GETLEASE = 1025;
  private static final int F_RDLCK = 0;

  /** Ignored by whoever does not ask for it; the default of a lease, SIGIO, ends the process. */
  private static final int SIGURG = 23;

  private final Function open;
  private final Function close;
  private final Function fcntl;

  /**
   * @throws UnsatisfiedLinkError if the C library lacks one of the calls
   */
  ReadLeases(NativeLibrary libc) {
    open = libc.getFunction("open");
    close = libc.getFunction("close");
    fcntl = libc.getFunction("fcntl");
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
      ReadLeases.this.close(descriptor);
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
  Asked ask(Path path) {
    int descriptor =
        open.invokeInt(
            new Object[] {
              PathBytes.bytes(path),
              LinuxCalls.O_RDONLY | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC,
              0
            });
    if (descriptor < 0) {
      // Somebody's write lease is in the way.
      return new Asked(null, Native.getLastError() == LinuxCalls.EAGAIN);
    }
    fcntl.invokeInt(new Object[] {descriptor, F_SETSIG, SIGURG});
    if (fcntl.invokeInt(new Object[] {descriptor, F_SETLEASE, F_RDLCK}) == 0) {
      return new Asked(new Lease(descriptor), false);
    }
    int errno = Native.getLastError();
    close(descriptor);
    return new Asked(null, errno == LinuxCalls.EAGAIN);
  }

  private void close(int descriptor) {
    close.invokeInt(new Object[] {descriptor});
  }
}
