// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.move.DeviceLoad;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockDeviceTest {
  /** As linux/kdev_t.h encodes them for user space. */
  private static long number(long major, long minor) {
    return (minor & 0xff) | (major & 0xfff) << 8 | (minor & ~0xffL) << 12 | (major & ~0xfffL) << 32;
  }

  @Test
  void majorAndMinor_smallAndLarge() {
    for (long major : new long[] {7, 259, 4095, 70_000}) {
      for (long minor : new long[] {0, 1, 255, 256, 1_000_000}) {
        assertEquals(major, BlockDevice.major(number(major, minor)), major + ":" + minor);
        assertEquals(minor, BlockDevice.minor(number(major, minor)), major + ":" + minor);
      }
    }
  }

  @Test
  void counts_noBlockDevice_null() {
    assertNull(BlockDevice.counts(number(0, 1_048_575)));
  }

  @Test
  void parse_lineOfTheKernel_speedOfTwoSamples() throws Exception {
    DeviceLoad load = new DeviceLoad(1_000, false);
    load.sample(BlockDevice.parse("  100 0 2000 50 200 0 4000 70 0 90 120 0 0 0 0 0 0"), 0);
    // 1000 sectors read and 3000 written, of 512 bytes, in two seconds: no sum.
    load.sample(
        BlockDevice.parse("  110 0 3000 50 210 0 7000 70 0 90 120 0 0 0 0 0 0"),
        TimeUnit.SECONDS.toNanos(2));
    assertEquals(3000 * 512 / 2, load.bytesPerSecond());
  }

  @Test
  void parse_requestsInFlight_noneCompleted_isBusy() throws Exception {
    DeviceLoad load = new DeviceLoad(1_000, true);
    for (int i = 0; i < 10; i++) {
      load.sample(
          BlockDevice.parse("  100 0 2000 50 200 0 4000 70 2 90 120 0 0 0 0 0 0"),
          TimeUnit.SECONDS.toNanos(i));
    }
    assertEquals(1, load.use(), 0.01);
  }

  @Test
  void parse_otherForm_says() {
    assertThrows(IOException.class, () -> BlockDevice.parse("1 2 3"));
    assertThrows(IOException.class, () -> BlockDevice.parse("a b c d e f g h i j k"));
  }

  @Test
  void isRotational_ofADeviceAndOfItsPartition(@TempDir Path dir) throws Exception {
    Path disk = Files.createDirectories(dir.resolve("sda"));
    Path partition = Files.createDirectories(disk.resolve("sda1"));
    Path flag = Files.createDirectories(disk.resolve("queue")).resolve("rotational");
    assertNull(BlockDevice.isRotational(disk));
    Files.writeString(flag, "1\n");
    assertEquals(true, BlockDevice.isRotational(disk));
    assertEquals(true, BlockDevice.isRotational(partition));
    Files.writeString(flag, "0\n");
    assertEquals(false, BlockDevice.isRotational(partition));
    assertNull(BlockDevice.isRotational(dir.resolve("none")));
    assertNull(BlockDevice.isRotational(number(0, 1_048_575)));
  }

  @Test
  void sharedWith_rootOrDisk_isNamed() {
    Map<File, Long> disks = Map.of(new File("/hdd"), 7L);
    assertEquals("the machine's root file system", FileSystemNumber.sharedWith(5, 5, disks));
    assertEquals(
        "the file system of the DISK directory /hdd", FileSystemNumber.sharedWith(7, 5, disks));
    assertNull(FileSystemNumber.sharedWith(8, 5, disks));
    assertNull(FileSystemNumber.sharedWith(0, 0, Map.of(new File("/hdd"), 0L)), "unknown");
  }
}
