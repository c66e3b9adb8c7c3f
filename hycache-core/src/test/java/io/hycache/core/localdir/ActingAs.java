// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs work as another user: to the kernel, its thread has that user's rights and none of root's,
 * because setfsuid(2) applies to a single thread. Classes that the work needs must be loaded
 * before, as the user may not be able to read the class path.
 */
final class ActingAs {
  private static final NativeLibrary LIBC = NativeLibrary.getInstance("c");
  private static final Function SET_UID = LIBC.getFunction("setfsuid");
  private static final Function SET_GID = LIBC.getFunction("setfsgid");
  private static final Function SYSCALL = LIBC.getFunction("syscall");

  private ActingAs() {}

  /** Skips a test that needs to act as several users unless it runs as root. */
  static void assumeRoot() throws Exception {
    assumeTrue(Caller.of(null).isRoot(), "only root may act as several users");
  }

  /** Turns the calling thread into this user, with the group of the same number only. */
  static void become(int uid) {
    if (SYSCALL.invokeLong(new Object[] {setGroups(), 0L, 0L}) != 0) {
      throw new IllegalStateException("this process may not give up its groups");
    }
    SET_GID.invokeInt(new Object[] {uid});
    SET_UID.invokeInt(new Object[] {uid});
    // Setting an invalid id returns the current one.
    if (SET_UID.invokeInt(new Object[] {-1}) != uid) {
      throw new IllegalStateException("this process may not become uid=" + uid);
    }
  }

  /** The C library's setgroups applies to all threads. */
  private static long setGroups() {
    switch (System.getProperty("os.arch")) {
      case "amd64":
        return 116;
      case "aarch64":
      case "riscv64":
        return 159;
      default:
        throw new IllegalStateException("setgroups has no known number here");
    }
  }

  /**
   * Makes a system call fail for the calling thread from now on, with a seccomp(2) filter.
   *
   * @param number of the call on this processor
   */
  static void refuse(int number, int errno) {
    // ld [0]; jeq number, 0, 1; ret ERRNO | errno; ret ALLOW
    int[][] program = {
      {0x20, 0, 0, 0},
      {0x15, 0, 1, number},
      {0x06, 0, 0, 0x00050000 | errno},
      {0x06, 0, 0, 0x7fff0000}
    };
    Memory code = new Memory(8L * program.length);
    for (int i = 0; i < program.length; i++) {
      code.setShort(8L * i, (short) program[i][0]);
      code.setByte(8L * i + 2, (byte) program[i][1]);
      code.setByte(8L * i + 3, (byte) program[i][2]);
      code.setInt(8L * i + 4, program[i][3]);
    }
    Memory filter = new Memory(16);
    filter.setShort(0, (short) program.length);
    filter.setPointer(8, code);
    Function prctl = LIBC.getFunction("prctl");
    // PR_SET_NO_NEW_PRIVS; PR_SET_SECCOMP with SECCOMP_MODE_FILTER
    if (prctl.invokeInt(new Object[] {38, 1L, 0L, 0L, 0L}) != 0
        || prctl.invokeInt(new Object[] {22, 2L, filter, 0L, 0L}) != 0) {
      throw new IllegalStateException("this process may not filter its system calls");
    }
  }

  /** Runs work as a user; exceptions are passed on. */
  static <T> T call(int uid, Callable<T> work) throws Exception {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              become(uid);
              return work.call();
            });
    Thread thread = new Thread(task, "uid-" + uid);
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception) {
        throw (Exception) e.getCause();
      }
      throw e;
    }
  }

  /** An operation that may be denied. */
  interface Attempt {
    void run() throws Exception;
  }

  /** Whether a user has the right to perform an operation. */
  static boolean may(int uid, Attempt attempt) throws Exception {
    return call(
        uid,
        () -> {
          try {
            attempt.run();
            return true;
          } catch (java.nio.file.AccessDeniedException e) {
            return false;
          } catch (java.nio.file.FileSystemException e) {
            if ("Operation not permitted".equals(e.getReason())) {
              return false;
            }
            throw e;
          }
        });
  }
}
