// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user as which this process accesses files, and the system calls available to it. Immutable.
 */
final class Caller {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String UID = "Uid:";

  /** Real, effective, saved and file system uid. */
  private static final int FILE_SYSTEM_UID_COLUMN = 4;

  /** Null: directories and files are looked up by path each time. */
  final @Nullable LinuxCalls calls;

  /** Owner of the files that this process creates. */
  final int uid;

  Caller(@Nullable LinuxCalls calls, int uid) {
    this.calls = calls;
    this.uid = uid;
  }

  /** This process. */
  static Caller of(@Nullable LinuxCalls calls) throws IOException {
    return new Caller(calls, uid());
  }

  private static int uid() throws IOException {
    if (Files.exists(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        String[] words = line.trim().split("\\s+", -1);
        if (words.length > FILE_SYSTEM_UID_COLUMN && words[0].equals(UID)) {
          return Integer.parseUnsignedInt(words[FILE_SYSTEM_UID_COLUMN]);
        }
      }
    }
    Path probe = Files.createTempFile("hycache", "user");
    try {
      return FileMark.of(probe).uid;
    } finally {
      Files.delete(probe);
    }
  }

  /**
   * Whether the process bypasses permission checks, including those meant to protect users from
   * each other.
   */
  boolean isRoot() {
    return uid == 0;
  }

  /** Whether a directory or link belongs to the file's owner or to this process. */
  boolean isOwnersOrOurs(FileMark directoryOrLink, FileMark file) {
    return directoryOrLink.uid == file.uid || directoryOrLink.uid == uid;
  }
}
