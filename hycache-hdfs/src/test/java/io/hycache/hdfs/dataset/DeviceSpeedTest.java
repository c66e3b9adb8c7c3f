// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.hdfs.conf.DataDirMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceSpeedTest {
  @TempDir Path dir;

  private double speed() throws IOException {
    return DeviceSpeed.measure(dir, DataDirMode.OWNER_ONLY, () -> {});
  }

  private boolean isMeasurable() {
    try {
      return speed() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void measure_fileOfAKilledProcessIsThere_replacesIt() throws Exception {
    assumeTrue(isMeasurable(), "no direct I/O or little space in " + dir);
    Path left = Files.write(dir.resolve("hycache.speed"), new byte[1]);
    assertTrue(speed() > 0);
    assertFalse(Files.exists(left));
  }

  /** A device of 12 MB/s, which is written without waiting. */
  private static final class Slow implements DeviceSpeed.Device {
    private static final double BYTES_PER_SECOND = 12e6;

    /** Bytes that are taken at once. */
    private long credit;

    /** Bytes that its own cache takes; {@link #force} writes them. */
    private final long cacheBytes;

    private long cached;
    private long written;
    private double nanos;

    Slow(long credit, long cacheBytes) {
      this.credit = credit;
      this.cacheBytes = cacheBytes;
    }

    @Override
    public int write(long position) {
      assertEquals(written, position);
      written += 1 << 20;
      cached += 1 << 20;
      drain(cacheBytes);
      nanos += 1e9 * (1 << 20) / 500e6;
      return 1 << 20;
    }

    @Override
    public void force() {
      drain(0);
    }

    private void drain(long left) {
      long free = Math.min(credit, cached);
      credit -= free;
      cached -= free;
      nanos += 1e9 * Math.max(0, cached - left) / BYTES_PER_SECOND;
      cached = Math.min(cached, left);
    }

    double speed() throws IOException {
      return DeviceSpeed.speed(this, () -> {}, () -> (long) nanos);
    }
  }

  @Test
  void speed_firstBytesAreTakenAtOnce_isThatOfTheOthers() throws Exception {
    for (long credit = 0; credit <= 24 << 20; credit += 3 << 20) {
      Slow device = new Slow(credit, 0);
      assertEquals(12e6, device.speed(), 0.5e6, "credit=" + credit);
      assertTrue(device.nanos < 0.8e9);
    }
  }

  @Test
  void speed_deviceHasACache_isThatOfTheDevice() throws Exception {
    assertEquals(12e6, new Slow(0, 8 << 20).speed(), 0.5e6);
  }

  @Test
  void speed_fastDevice_endsAfterSomeBytes() throws Exception {
    Slow device = new Slow(Long.MAX_VALUE, 0);
    assertEquals(500e6, device.speed(), 1e6);
    assertEquals(96 << 20, device.written);
  }
}
