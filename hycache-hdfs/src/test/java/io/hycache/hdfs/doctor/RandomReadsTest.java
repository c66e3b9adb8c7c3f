// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.doctor.DirectoryProbe.Reads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
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

  /** Where the file system has no direct I/O, nothing is measured, and nothing fails. */
  @Test
  void files_areReadAndNotChanged() throws Exception {
    byte[] content = new byte[2 << 20];
    new Random(SEED).nextBytes(content);
    Path file = Files.createDirectories(dir.resolve("current/finalized")).resolve("blk_1");
    Files.write(file, content);
    long before = Files.getLastModifiedTime(file).toMillis();
    Reads reads = RandomReads.below(dir, new Random(SEED));
    assertTrue(reads.notRead.isEmpty() ? reads.count >= 8 : reads.count == 0, reads.notRead);
    assertTrue(reads.count == 0 || reads.medianNanos > 0);
    assertArrayEquals(content, Files.readAllBytes(file));
    assertEquals(before, Files.getLastModifiedTime(file).toMillis());
    assertEquals(1, dir.toFile().list().length);
  }
}
