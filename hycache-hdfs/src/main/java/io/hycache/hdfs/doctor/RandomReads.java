// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.device.DirectIo;
import io.hycache.hdfs.doctor.DirectoryProbe.Reads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures a device by what tells an HDD from an SSD: the median time of random small reads, with
 * direct I/O, each from another one of the files that are there. Writes nothing: a read sets not
 * even the access time of a file on file systems that are mounted {@code noatime} or {@code
 * relatime} and read before.
 */
final class RandomReads {
  private static final long MAX_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MAX_READS = 64;

  /** Fewer say nothing. */
  private static final int MIN_READS = 8;

  private static final int MAX_FILES = 64;

  /** Files and directories. */
  private static final int MAX_VISITED = 4096;

  /** A busy HDD needs tens of milliseconds for each directory. */
  private static final long MAX_VISIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Smaller ones lie too near to each other, or in the device's own cache. */
  private static final long MIN_FILE_BYTES = 1 << 20;

  /** Opens a file; tests replace it. */
  interface Opener {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;
  }

  private RandomReads() {}

  /**
   * Reads from files below a directory. Takes a second and a half and the time of two operations at
   * most.
   *
   * @throws IOException if the device fails; not if only direct I/O is refused
   */
  static Reads below(Path dir, Random random) throws IOException {
    return below(dir, random, (file, options) -> FileChannel.open(file, options), System::nanoTime);
  }

  static Reads below(Path dir, Random random, Opener opener, LongSupplier nanoTime)
      throws IOException {
    OpenOption direct = DirectIo.OPTION;
    if (direct == null) {
      return Reads.none("this JDK has no O_DIRECT");
    }
    int unit = DirectIo.unitBytes(dir.toFile());
    if (unit == 0) {
      return Reads.none("no O_DIRECT on this file system");
    }
    List<Path> files = files(dir, nanoTime);
    if (files.isEmpty()) {
      return Reads.none("no file of 1 MiB or more to read from was found");
    }
    Set<OpenOption> options = Set.of(StandardOpenOption.READ, direct);
    ByteBuffer buffer = ByteBuffer.allocateDirect(2 * unit).alignedSlice(unit).limit(unit).slice();
    long[] nanos = new long[MAX_READS];
    int count = 0;
    long begun = nanoTime.getAsLong();
    while (count < MAX_READS && nanoTime.getAsLong() - begun < MAX_READ_NANOS) {
      Path file = files.get(random.nextInt(files.size()));
      long position = 0;
      try (FileChannel in = opener.open(file, options)) {
        long units = in.size() / unit;
        if (units == 0) {
          continue; // truncated since it was found
        }
        buffer.clear();
        position = unit * (long) (random.nextDouble() * units);
        long before = nanoTime.getAsLong();
        in.read(buffer, position);
        nanos[count++] = nanoTime.getAsLong() - before;
      } catch (NoSuchFileException | AccessDeniedException e) {
        files.remove(file);
        if (files.isEmpty()) {
          break;
        }
      } catch (IOException | UnsupportedOperationException e) {
        if (count > 0 || !readsThroughPageCache(opener, file, buffer, position)) {
          throw e;
        }
        return Reads.none("no O_DIRECT on this file system: " + e.getMessage());
      }
    }
    if (count < MIN_READS) {
      return Reads.none("too few reads within the time: " + count);
    }
    Arrays.sort(nanos, 0, count);
    return Reads.of(count, nanos[count / 2]);
  }

  /** Whether what direct I/O could not read can be read: then the device is not at fault. */
  private static boolean readsThroughPageCache(
      Opener opener, Path file, ByteBuffer buffer, long position) {
    buffer.clear();
    try (FileChannel in = opener.open(file, Set.of(StandardOpenOption.READ))) {
      in.read(buffer, position);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Of the first files, those that are large enough; what can't be entered is passed over. */
  private static List<Path> files(Path dir, LongSupplier nanoTime) throws IOException {
    List<Path> files = new ArrayList<>();
    long begun = nanoTime.getAsLong();
    Files.walkFileTree(
        dir,
        new SimpleFileVisitor<Path>() {
          private int visited;

          private FileVisitResult visited() {
            return ++visited < MAX_VISITED
                    && files.size() < MAX_FILES
                    && nanoTime.getAsLong() - begun < MAX_VISIT_NANOS
                ? FileVisitResult.CONTINUE
                : FileVisitResult.TERMINATE;
          }

          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
            return visited();
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && attributes.size() >= MIN_FILE_BYTES) {
              files.add(file);
            }
            return visited();
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visitedDir, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
