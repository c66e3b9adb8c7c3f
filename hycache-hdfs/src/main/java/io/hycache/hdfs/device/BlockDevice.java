// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.device;

import io.hycache.core.move.DeviceLoad.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the kernel counts of the block device that a file system lies on (Linux, {@code
 * /sys/dev/block/MAJOR:MINOR/stat}). Does no I/O on the device.
 */
public final class BlockDevice {
  private static final Path ALL = Path.of("/sys/dev/block");
  private static final int SECTOR_BYTES = 512;
  private static final Pattern SPACES = Pattern.compile(" +");

  // Columns, see Documentation/block/stat.rst of the kernel.
  private static final int READS = 0;
  private static final int SECTORS_READ = 2;
  private static final int READ_MILLIS = 3;
  private static final int WRITES = 4;
  private static final int SECTORS_WRITTEN = 6;
  private static final int WRITE_MILLIS = 7;
  private static final int IN_FLIGHT = 8;
  private static final int BUSY_MILLIS = 9;

  private BlockDevice() {}

  /**
   * Returns the file with the counts of a device.
   *
   * @param number of the file system, see {@link FileSystemNumber}
   * @return null if the file system does not lie on one block device
   */
  public static @Nullable Path counts(long number) {
    Path file = ALL.resolve(major(number) + ":" + minor(number)).resolve("stat");
    return Files.isReadable(file) ? file : null;
  }

  /**
   * Returns whether the kernel takes a file system's device for one with a spinning disk.
   *
   * @param number of the file system
   * @return null if the file system does not lie on one block device
   */
  public static @Nullable Boolean isRotational(long number) {
    return isRotational(ALL.resolve(major(number) + ":" + minor(number)));
  }

  /** A partition has no queue of its own: its device is the directory above. */
  static @Nullable Boolean isRotational(Path device) {
    try {
      Path real = device.toRealPath();
      for (Path at : List.of(real, real.resolveSibling("."))) {
        Path flag = at.resolve("queue/rotational");
        if (Files.isReadable(flag)) {
          return Files.readString(flag).strip().equals("1");
        }
      }
    } catch (IOException e) {
      // Not on a block device.
    }
    return null;
  }

  /** Bits of {@code st_dev} as glibc and the kernel lay them out. */
  public static long major(long number) {
    return (number >>> 8 & 0xfff) | (number >>> 32 & ~0xfffL);
  }

  public static long minor(long number) {
    return (number & 0xff) | (number >>> 12 & 0xfff00L);
  }

  public static Work read(Path counts) throws IOException {
    return parse(Files.readString(counts));
  }

  /**
   * Reads a line of counts.
   *
   * @throws IOException if it is not of the expected form
   */
  public static Work parse(String line) throws IOException {
    String[] columns = SPACES.split(line.strip());
    try {
      return new Work(
              SECTOR_BYTES * at(columns, SECTORS_READ),
              SECTOR_BYTES * at(columns, SECTORS_WRITTEN),
              at(columns, READS) + at(columns, WRITES),
              at(columns, READ_MILLIS) + at(columns, WRITE_MILLIS),
              at(columns, BUSY_MILLIS))
          .withInFlight(at(columns, IN_FLIGHT));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException("expected the counts of a block device, found " + line, e);
    }
  }

  private static long at(String[] columns, int column) {
    return Long.parseLong(columns[column]);
  }
}
