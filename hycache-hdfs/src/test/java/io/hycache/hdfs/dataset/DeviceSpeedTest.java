// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

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
    return DeviceSpeed.measure(dir, DataDirMode.OWNER_ONLY);
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
}
