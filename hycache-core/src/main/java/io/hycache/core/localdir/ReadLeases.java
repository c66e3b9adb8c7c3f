// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Read leases of fcntl(2): the kernel grants one only on a file without a writer, and breaks it as
 * soon as a process opens the file for writing. Thread-safe.
 */
final class ReadLeases {
  private static final int F_SETSIG = 10;
  private static final int F_SETLEASE = 1024;
  private static final int F_GETLEASE = 1025;
  private static final int F_RDLCK = 0;

  /**
   * Ignored by default, unlike SIGIO, the default signal of a lease, which would end the process.
   */
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
   * A lease on a file that was not open or mapped for writing when it was granted. The kernel
   * starts to break it as soon as a process asks to write.
   */
  final class Lease implements AutoCloseable {
    private final int descriptor;

    private Lease(int descriptor) {
      this.descriptor = descriptor;
    }

    /** True if no process has asked to write since the lease was granted. */
    boolean holds() {
      return fcntl.invokeInt(new Object[] {descriptor, F_GETLEASE}) == F_RDLCK;
    }

    @Override
    public void close() {
      ReadLeases.this.close(descriptor);
    }
  }

  /** Result of a request: the lease, a writer, or neither. */
  static final class Asked {
    final @Nullable Lease lease;
    final boolean writer;

    private Asked(@Nullable Lease lease, boolean writer) {
      this.lease = lease;
      this.writer = writer;
    }
  }

  /** Requests a lease on a regular file. Never throws, since callers have a fallback. */
  Asked ask(Path path) {
    int descriptor =
        open.invokeInt(
            new Object[] {
              PathBytes.bytes(path),
              LinuxCalls.O_RDONLY | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC,
              0
            });
    if (descriptor < 0) {
      // Another process's write lease conflicts.
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
