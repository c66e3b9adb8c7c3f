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
import java.util.function.LongSupplier;

/**
 * Measures how fast a device writes, with direct I/O past the page cache, for a third of a second
 * and with 64 MiB at most. Before, it is written for half as long, and with half as much, which
 * does not count: a device that has been idle takes the first bytes at once, if the kernel limits
 * it (12 MB/s seemed to be 24), or if it has a cache of its own. The file has no name while it is
 * written: of a process that is killed meanwhile nothing stays. A file that was left right after it
 * was created is removed before.
 */
final class DeviceSpeed {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNKS = 64;

  /** Free space below which nothing is measured: the file must never be what fills a device. */
  static final long MIN_FREE_BYTES = 4L * CHUNKS * CHUNK_BYTES;

  private static final String NAME = "hycache.speed";

  private DeviceSpeed() {}

  /**
   * Returns the speed of the device of a directory, in bytes a second; 0 if it cannot be measured,
   * because there is little space, or no direct I/O.
   *
   * @param counts called when what is written begins to count
   */
  static double measure(Path dir, DataDirMode mode, Begin counts) throws IOException {
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
      return speed(
          new Device() {
            @Override
            public int write(long position) throws IOException {
              return out.write(chunk.clear(), position);
            }

            @Override
            public void force() throws IOException {
              out.force(false);
            }
          },
          counts,
          System::nanoTime);
    }
  }

  /** Called when something begins. */
  interface Begin {
    void begins() throws IOException;
  }

  /** A file on the device that is measured. */
  interface Device {
    /** Writes a chunk of 1 MiB, or a part of it; returns the bytes written. */
    int write(long position) throws IOException;

    /** Waits until all that was written is on the device. */
    void force() throws IOException;
  }

  /** Returns the speed in bytes a second, as {@link #measure} does. */
  static double speed(Device device, Begin counts, LongSupplier nanoTime) throws IOException {
    long from = write(device, 0, CHUNKS / 2, NANOS / 2, nanoTime);
    counts.begins();
    long begun = nanoTime.getAsLong();
    long to = write(device, from, CHUNKS, NANOS, nanoTime);
    return (to - from) * (double) TimeUnit.SECONDS.toNanos(1) / (nanoTime.getAsLong() - begun);
  }

  /** Writes so many chunks from a position on, or for so long; returns the position of the end. */
  private static long write(Device device, long from, int chunks, long nanos, LongSupplier nanoTime)
      throws IOException {
    long begun = nanoTime.getAsLong();
    long position = from;
    while (position < from + (long) chunks * CHUNK_BYTES && nanoTime.getAsLong() - begun < nanos) {
      position += device.write(position);
    }
    device.force();
    return position;
  }

  private static int alignment(Path dir) throws IOException {
    int unit = DirectIo.unitBytes(dir.toFile());
    if (unit == 0) {
      throw new IOException("direct I/O is not supported: dir=" + dir);
    }
    return unit;
  }
}
