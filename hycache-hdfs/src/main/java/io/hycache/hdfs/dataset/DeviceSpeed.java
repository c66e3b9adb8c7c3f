// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.device.DirectIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast a device writes, with direct I/O past the page cache, for a third of a second
 * and with 64 MiB at most. The file has no name while it is written: of a process that is killed
 * meanwhile nothing stays. A file that was left right after it was created is removed before.
 */
final class DeviceSpeed {
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MAX_CHUNKS = 64;

  /** Free space below which nothing is measured: the file must never be what fills a device. */
  static final long MIN_FREE_BYTES = 4L * MAX_CHUNKS * CHUNK_BYTES;

  private static final String NAME = "hycache.speed";

  private DeviceSpeed() {}

  /**
   * Returns the speed of the device of a directory, in bytes a second; 0 if it cannot be measured,
   * because there is little space, or no direct I/O.
   */
  static double measure(Path dir, DataDirMode mode) throws IOException {
    OpenOption direct = DirectIo.OPTION;
    if (direct == null || dir.toFile().getUsableSpace() < MIN_FREE_BYTES) {
      return 0;
    }
    ByteBuffer zeros = ByteBuffer.allocateDirect(2 * CHUNK_BYTES);
    ByteBuffer chunk = zeros.alignedSlice(alignment(dir)).limit(CHUNK_BYTES).slice();
    Set<OpenOption> options =
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE, // on Linux the name is gone once it is open
            direct);
    Path file = dir.resolve(NAME);
    Files.deleteIfExists(file);
    try (FileChannel out = mode.open(file, options)) {
      long begun = System.nanoTime();
      long position = 0;
      while (position < (long) MAX_CHUNKS * CHUNK_BYTES && System.nanoTime() - begun < MAX_NANOS) {
        chunk.clear();
        position += out.write(chunk, position);
      }
      out.force(false);
      return position * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
    }
  }

  private static int alignment(Path dir) throws IOException {
    int unit = DirectIo.unitBytes(dir.toFile());
    if (unit == 0) {
      throw new IOException("direct I/O is not supported: dir=" + dir);
    }
    return unit;
  }
}
