// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.nio.file.Path;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * Predicts from the names of a job's files how often they will be read and which are removed soon.
 *
 * <ul>
 *   <li>MapReduce: {@code output/attempt_.../file.out} is read once by each reducer; its {@code
 *       file.out.index} has 24 bytes per reducer and a checksum of 8 bytes. {@code spillN.out} is
 *       read once, by the merge.
 *   <li>Spark: {@code shuffle_....data} is read once by each reducer; its {@code .index} has 8
 *       bytes per reducer and 8 more.
 *   <li>Passing: written, read once, and removed by the same task. MapReduce: {@code spillN.out} of
 *       a map; {@code map_N.out}, {@code map_N.out.merged} and {@code intermediate.N} of a reduce.
 *       Spark: {@code temp_shuffle_...} and {@code temp_local_...}.
 * </ul>
 */
final class ShufflePattern {
  /** No prediction. */
  static final long UNKNOWN = -1;

  private static final int MAP_INDEX_BYTES_PER_REDUCER = 24;
  private static final int MAP_INDEX_CHECKSUM_BYTES = 8;
  private static final int SPARK_INDEX_BYTES_PER_REDUCER = 8;
  private static final Pattern SPILL = Pattern.compile("spill[0-9]+\\.out");
  private static final Pattern PASSING_REDUCE =
      Pattern.compile("map_[0-9]+\\.out.*|intermediate\\..*");
  private static final Pattern PASSING_SPARK = Pattern.compile("temp_(shuffle|local)_.+");

  private ShufflePattern() {}

  /**
   * Expected number of reads of a whole file from its creation to its removal.
   *
   * @param sizes size of a file in bytes, {@link #UNKNOWN} if it does not exist
   */
  static long reads(Path file, ToLongFunction<Path> sizes) {
    String name = String.valueOf(file.getFileName());
    if (name.equals("file.out")) {
      Path parent = file.getParent();
      if (parent == null || !String.valueOf(parent.getFileName()).startsWith("attempt_")) {
        return UNKNOWN;
      }
      long bytes = sizes.applyAsLong(file.resolveSibling("file.out.index"));
      return bytes < MAP_INDEX_CHECKSUM_BYTES + MAP_INDEX_BYTES_PER_REDUCER
          ? UNKNOWN
          : (bytes - MAP_INDEX_CHECKSUM_BYTES) / MAP_INDEX_BYTES_PER_REDUCER;
    }
    if (SPILL.matcher(name).matches()) {
      return 1;
    }
    if (name.startsWith("shuffle_")
        && name.endsWith(".data")
        && PathBytes.isText(file.getFileName())) {
      String stem = name.substring(0, name.length() - ".data".length());
      long bytes = sizes.applyAsLong(file.resolveSibling(stem + ".index"));
      return bytes < 2 * SPARK_INDEX_BYTES_PER_REDUCER
          ? UNKNOWN
          : bytes / SPARK_INDEX_BYTES_PER_REDUCER - 1;
    }
    return UNKNOWN;
  }

  /**
   * Whether the task that reads the file next also removes it. Its space on the SSD is soon free
   * again, whereas moving it down would cost a useless write and read on the HDD.
   */
  static boolean isPassing(Path file) {
    String name = String.valueOf(file.getFileName());
    Path parent = file.getParent();
    String task = parent == null ? "" : String.valueOf(parent.getFileName());
    return SPILL.matcher(name).matches()
        || (task.startsWith("attempt_") && PASSING_REDUCE.matcher(name).matches())
        || PASSING_SPARK.matcher(name).matches();
  }
}
