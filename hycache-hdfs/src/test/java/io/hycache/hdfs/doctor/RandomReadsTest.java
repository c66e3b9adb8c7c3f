// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.hdfs.device.DirectIo;
import io.hycache.hdfs.doctor.DirectoryProbe.Reads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomReadsTest {
  private static final long SEED = 5;

  @TempDir Path dir;

  @Test
  void nothingLargeEnough_isNotRead() throws Exception {
    Files.write(dir.resolve("small"), new byte[4096]);
    Reads reads = RandomReads.below(dir, new Random(SEED));
    assertEquals(0, reads.count);
    assertTrue(!reads.notRead.isEmpty());
  }

  private static boolean directWorks(Path file) {
    OpenOption direct = DirectIo.OPTION;
    int unit = DirectIo.unitBytes(file.toFile());
    if (direct == null || unit == 0) {
      return false;
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(2 * unit).alignedSlice(unit).limit(unit).slice();
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ, direct)) {
      return in.read(buffer, 0) == unit;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private Reads below(RandomReads.Opener opener) throws IOException {
    return RandomReads.below(dir, new Random(SEED), opener, System::nanoTime);
  }

  /** Looks for files by a clock that goes on by so much at each look; returns the looks. */
  private long looks(long stepNanos) throws IOException {
    AtomicLong looks = new AtomicLong();
    Reads reads =
        RandomReads.below(
            dir,
            new Random(SEED),
            (file, options) -> {
              throw new AssertionError("there is no file: " + file);
            },
            () -> looks.incrementAndGet() * stepNanos);
    assertEquals("no file of 1 MiB or more to read from was found", reads.notRead);
    return looks.get();
  }

  @Test
  void directories_areVisitedToABoundOfNumberAndTime() throws Exception {
    for (int i = 0; i < 5000; i++) {
      Files.createDirectory(dir.resolve("subdir" + i));
    }
    assertEquals(4096, looks(0));
    assertEquals(11, looks(100_000_000));
  }

  private void writeLargeFile() throws IOException {
    Files.write(dir.resolve("blk_1"), new byte[2 << 20]);
  }

  @Test
  void device_thatFails_isNoMatterOfDirectIo() throws Exception {
    writeLargeFile();
    for (int good : new int[] {0, 2}) {
      AtomicInteger opened = new AtomicInteger();
      RandomReads.Opener failing =
          (file, options) -> {
            if (opened.incrementAndGet() > good) {
              throw new FileSystemException(file.toString(), null, "Input/output error");
            }
            return FileChannel.open(file, StandardOpenOption.READ);
          };
      String message =
          String.valueOf(
              assertThrows(FileSystemException.class, () -> below(failing)).getMessage());
      assertTrue(message.endsWith("Input/output error"), message);
    }
  }

  @Test
  void directIo_thatIsRefused_isSaid() throws Exception {
    writeLargeFile();
    RandomReads.Opener invalid =
        (file, options) -> {
          throw new FileSystemException(file.toString(), null, "Invalid argument");
        };
    RandomReads.Opener unsupported =
        (file, options) -> {
          throw new UnsupportedOperationException("DIRECT");
        };
    for (RandomReads.Opener refusing : List.of(invalid, unsupported)) {
      Reads reads =
          below(
              (file, options) ->
                  options.size() == 1
                      ? FileChannel.open(file, options)
                      : refusing.open(file, options));
      assertEquals(0, reads.count);
      assertTrue(reads.notRead.startsWith("no O_DIRECT on this file system: "), reads.notRead);
    }
  }

  @Test
  void file_thatIsGoneOrDenied_isPassedOver() throws Exception {
    writeLargeFile();
    Reads reads =
        below(
            (file, options) -> {
              throw new AccessDeniedException(file.toString());
            });
    assertEquals("too few reads within the time: 0", reads.notRead);
  }

  /** Where the file system has no direct I/O, nothing is measured, and nothing fails. */
  @Test
  void files_areReadAndNotChanged() throws Exception {
    byte[] content = new byte[2 << 20];
    new Random(SEED).nextBytes(content);
    Path file = Files.createDirectories(dir.resolve("current/finalized")).resolve("blk_1");
    Files.write(file, content);
    long before = Files.getLastModifiedTime(file).toMillis();
    Reads reads = RandomReads.below(dir, new Random(SEED));
    while (reads.notRead.startsWith("too few reads within the time")) {
      reads = RandomReads.below(dir, new Random(SEED));
    }
    assertArrayEquals(content, Files.readAllBytes(file));
    assertEquals(before, Files.getLastModifiedTime(file).toMillis());
    assertEquals(1, dir.toFile().list().length);
    assumeTrue(directWorks(file), "no direct I/O on this file system");
    assertEquals("", reads.notRead);
    assertTrue(reads.count >= 8, "count=" + reads.count);
    assertTrue(reads.medianNanos > 0);
  }
}
