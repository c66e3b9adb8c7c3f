// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
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
 * number only postpones a move. Processes that end during a scan are skipped. Another user's
 * processes can't be read, so a scan says nothing about files that they write.
 */
final class ProcWriters {
  private ProcWriters() {}

  /** Performs a scan. O(descriptors of all processes). */
  static Set<Long> scan(Path proc) throws IOException {
    Set<Long> writers = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        descriptors(process, writers);
        maps(process, writers);
      }
    }
    return writers;
  }

  private static void descriptors(Path process, Set<Long> writers) {
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path fd : fds) {
        descriptor(process, fd, writers);
      }
    } catch (NotDirectoryException e) {
      // Not a process.
    } catch (IOException | DirectoryIteratorException e) {
      // It ended, or belongs to another user.
    }
  }

  private static void descriptor(Path process, Path fd, Set<Long> writers) {
    try {
      String target = Files.readSymbolicLink(fd).toString();
      if (!target.startsWith("/")
          || (target.startsWith("/dev/") && !target.startsWith("/dev/shm/"))) {
        return;
      }
      Path info = process.resolve("fdinfo").resolve(fd.getFileName().toString());
      for (String line : Files.readAllLines(info, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith("flags:")) {
          int flags = Integer.parseInt(line.substring("flags:".length()).trim(), 8);
          if ((flags & 3) != 0) {
            writers.add(((Number) Files.getAttribute(fd, "unix:ino")).longValue());
          }
          return;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Closed meanwhile.
    }
  }

  private static void maps(Path process, Set<Long> writers) {
    try (BufferedReader lines =
        Files.newBufferedReader(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int rights = line.indexOf(' ') + 1;
        if (rights > 0
            && line.length() > rights + 4
            && line.charAt(rights + 1) == 'w'
            && line.charAt(rights + 3) == 's') {
          writers.add(Long.parseLong(inode(line)));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // It ended, or belongs to another user.
    }
  }

  /** Parses {@code address rights offset device inode path}. */
  private static String inode(String line) {
    List<String> columns = List.of(line.split(" +", 6));
    return columns.size() < 5 ? "" : columns.get(4);
  }
}
