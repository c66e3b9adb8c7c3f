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
 * The inodes that some process has open for writing, or mapped so, as {@code /proc} tells it: the
 * flags of each descriptor in {@code fdinfo}, and the shared writable maps in {@code maps}.
 *
 * <p>One scan serves any number of files. Inodes are compared without their device, so that a file
 * system which tells different devices in different places still matches: a stranger of the same
 * number only makes a file wait. What goes away during a scan is skipped; a process that can't be
 * read because it is another user's makes the scan say nothing of that user's files.
 */
final class ProcWriters {
  private ProcWriters() {}

  /** Scans now. O(descriptors of all processes). */
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
      // No process.
    } catch (IOException | DirectoryIteratorException e) {
      // It ended, or is another user's.
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
      // It ended, or is another user's.
    }
  }

  /** Of {@code address rights offset device inode path}. */
  private static String inode(String line) {
    List<String> columns = List.of(line.split(" +", 6));
    return columns.size() < 5 ? "" : columns.get(4);
  }
}
