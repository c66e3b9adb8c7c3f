// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user as which this process accesses files, and the system calls and capabilities available to
 * it. Immutable.
 */
final class Caller {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String UID = "Uid:";
  private static final String CAPABILITIES = "CapEff:";

  /** Real, effective, saved and file system uid. */
  private static final int FILE_SYSTEM_UID_COLUMN = 4;

  /** Bits of {@link #capabilities}. */
  private static final int CAP_SYS_PTRACE = 19;

  private static final int CAP_LEASE = 28;

  /** Assumed without {@code /proc}, where each look for writers that needs it fails. */
  private static final long ALL = -1;

  /** Null: directories and files are looked up by path each time. */
  final @Nullable LinuxCalls calls;

  /** Owner of the files that this process creates. */
  final int uid;

  /** Effective capabilities(7), a bit each. */
  private final long capabilities;

  /**
   * @param capabilities effective capabilities(7), a bit each
   */
  Caller(@Nullable LinuxCalls calls, int uid, long capabilities) {
    this.calls = calls;
    this.uid = uid;
    this.capabilities = capabilities;
  }

  /** This process. */
  static Caller of(@Nullable LinuxCalls calls) throws IOException {
    @Nullable Integer uid = null;
    long capabilities = ALL;
    if (Files.exists(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        String[] words = line.trim().split("\\s+", -1);
        if (words.length > FILE_SYSTEM_UID_COLUMN && words[0].equals(UID)) {
          uid = Integer.parseUnsignedInt(words[FILE_SYSTEM_UID_COLUMN]);
        } else if (words.length > 1 && words[0].equals(CAPABILITIES)) {
          capabilities = Long.parseUnsignedLong(words[1], 16);
        }
      }
    }
    return new Caller(calls, uid == null ? probedUid() : uid, capabilities);
  }

  private static int probedUid() throws IOException {
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

  /**
   * Whether it can find out if a file of any user is open for writing: by a lease, or by looking
   * into every process.
   */
  boolean detectsAllWriters() {
    return (calls != null && has(CAP_LEASE)) || mayLookIntoAll();
  }

  /** Whether it has the right to look into the processes of all users. */
  boolean mayLookIntoAll() {
    return has(CAP_SYS_PTRACE);
  }

  private boolean has(int capability) {
    return ((capabilities >> capability) & 1) != 0;
  }

  /** Whether it has the right to move a file's bytes and can detect writers of the file. */
  boolean mayMove(FileMark file) {
    return file.uid == uid || (isRoot() && detectsAllWriters());
  }
}
