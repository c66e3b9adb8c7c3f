// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the inodes that a process has open for writing or mapped writable and shared, according to
 * {@code /proc}: the flags of each descriptor in {@code fdinfo}, and the mappings in {@code maps}.
 *
 * <p>One scan serves any number of files. Inodes are compared without their device, because some
 * file systems report different devices in different places; an unrelated file with the same inode
 * number only postpones a move. Processes that end during a scan are skipped. For root, a scan
 * fails if there is a process that it can't look into, other than a protected init. For other
 * users, it fails only for their own processes, those included that have another group or more
 * capabilities (ptrace(2)): it says nothing about files that other users write, or processes that
 * the kernel protects from their own user (prctl(2), PR_SET_DUMPABLE).
 */
final class ProcWriters {
  /** Prefix of the line in {@code fdinfo} with the flags of open(2), in octal. */
  private static final String FLAGS = "flags:";

  /** Bits of the flags that are 0 if a file is open for reading only. */
  private static final int ACCESS_MODE = 3;

  /** Looks at a descriptor that is closed and opened all the time. */
  private static final int MAX_ATTEMPTS = 10;

  private ProcWriters() {}

  /**
   * Performs a scan. O(descriptors of all processes).
   *
   * @param caller the user of this process
   * @throws IOException if it is unknown what a process writes
   */
  static Set<Long> scan(Path proc, Caller caller) throws IOException {
    Set<Long> writers = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        scan(process, caller, writers);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return writers;
  }

  private static void scan(Path process, Caller caller, Set<Long> writers) throws IOException {
    try {
      descriptors(process, writers);
      maps(process, writers);
    } catch (IOException e) {
      boolean refused = e instanceof AccessDeniedException;
      if (!hasEnded(process)
          && isOf(process, caller)
          && !(refused && isInit(process) && caller.mayLookIntoAll())) {
        throw new IOException("it is unknown which files a process writes: process=" + process, e);
      }
    }
  }

  /** Whether it has neither files nor memory any more. Threads of the kernel never have. */
  private static boolean hasEnded(Path process) throws IOException {
    try {
      Path sizes = process.resolve("statm");
      return Files.readString(sizes, StandardCharsets.ISO_8859_1).startsWith("0 ");
    } catch (IOException e) {
      return FileMark.ifAny(process) == null;
    }
  }

  /**
   * Whether it is the first process, which starts jobs and is none. The kernel may protect it even
   * from a root that may look into all others.
   */
  private static boolean isInit(Path process) {
    return process.endsWith("1");
  }

  /**
   * Whether a user must be able to look into it. The owner of its directory is asked first: with
   * {@code hidepid=1} nothing in the directory of another user's process is shown.
   */
  private static boolean isOf(Path process, Caller caller) throws IOException {
    FileMark top = FileMark.ifAny(process);
    if (top == null || (!caller.isRoot() && top.uid != caller.uid)) {
      return false;
    }
    FileMark files = FileMark.ifAny(process.resolve("fd"));
    return files != null && (caller.isRoot() || files.uid == caller.uid);
  }

  private static void descriptors(Path process, Set<Long> writers) throws IOException {
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path fd : fds) {
        inspect(process, fd, writers);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /**
   * Looks at a descriptor. One that is closed meanwhile is skipped, whatever is opened then: its
   * number may be in use again at once.
   */
  private static void inspect(Path process, Path fd, Set<Long> writers) throws IOException {
    for (int i = 1; ; i++) {
      try {
        descriptor(process, fd, writers);
        return;
      } catch (NoSuchFileException e) {
        return;
      } catch (IOException e) { // its fdinfo can't be read, either, once it is closed
        if (FileMark.ifAny(fd) == null) {
          return;
        }
        if (i == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void descriptor(Path process, Path fd, Set<Long> writers) throws IOException {
    if (!mayBeFile(fd)) {
      return;
    }
    Path info = process.resolve("fdinfo").resolve(fd.getFileName());
    if (!isForWriting(info)) {
      return;
    }
    try {
      writers.add(((Number) Files.getAttribute(fd, "unix:ino")).longValue());
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      // On a file system that is away, or a user's that is closed to root: in no tree that is
      // served.
    }
  }

  /** Whether it is open on something else than a socket, a pipe or a device. */
  private static boolean mayBeFile(Path fd) throws IOException {
    String target;
    try {
      target = Files.readSymbolicLink(fd).toString();
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      return true; // Its path exceeds the maximum length.
    }
    return target.startsWith("/")
        && (!target.startsWith("/dev/") || target.startsWith("/dev/shm/"));
  }

  private static boolean isForWriting(Path info) throws IOException {
    for (String line : Files.readAllLines(info, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith(FLAGS)) {
        return (Integer.parseInt(line.substring(FLAGS.length()).trim(), 8) & ACCESS_MODE) != 0;
      }
    }
    throw new IOException(info + ": expected " + FLAGS + " found none");
  }

  private static void maps(Path process, Set<Long> writers) throws IOException {
    try (BufferedReader lines =
        Files.newBufferedReader(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int rights = line.indexOf(' ') + 1;
        if (rights > 0
            && line.length() > rights + 4
            && line.charAt(rights + 1) == 'w'
            && line.charAt(rights + 3) == 's') {
          writers.add(inode(line));
        }
      }
    }
  }

  /** Parses {@code address rights offset device inode path}. */
  private static long inode(String line) throws IOException {
    List<String> columns = List.of(line.split(" +", 6));
    if (columns.size() < 5) {
      throw new IOException("expected a mapping with an inode, found " + line);
    }
    return Long.parseLong(columns.get(4));
  }
}
