// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Measures the resolution of a file system's time stamps. Most file systems use a clock with a few
 * ticks per hundredth of a second; newer ones guarantee that a change after a look gets a different
 * time stamp.
 */
final class ClockTick {
  /** Above the tick of the slowest kernel clock (10 ms). */
  static final long MAX_TICK_MICROS = 20_000;

  private static final int PROBE_PAIRS = 32;

  private ClockTick() {}

  /**
   * Returns 0 if every change after a look is visible in the file's times; otherwise the time that
   * must pass after a change before the times can be trusted, in microseconds.
   */
  static long micros(Path staging) throws IOException {
    Path probe = Files.createTempFile(staging, "tick", "");
    try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
      for (int i = 0; i < PROBE_PAIRS; i++) {
        var unused = channel.write(ByteBuffer.wrap(new byte[1]));
        FileMark before = FileMark.of(probe);
        unused = channel.write(ByteBuffer.wrap(new byte[1]), 0);
        if (FileMark.of(probe).mtimeMicros == before.mtimeMicros) {
          return MAX_TICK_MICROS;
        }
      }
      return 0;
    } finally {
      Files.delete(probe);
    }
  }
}
