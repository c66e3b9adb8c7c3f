// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.File;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses the names of files in an area: {@code
 * <xx>/blk_<id>_<gs>_<length>_<number>.{data,meta}}. Stateless.
 */
final class CleanName {
  private static final String DATA = ".data";
  private static final String CHECKSUMS = ".meta";
  private static final String BLOCK = "blk_";

  private CleanName() {}

  static String bucket(BlockKey block) {
    int bucket = (int) (block.id() >> 8) & 0xff;
    return new String(
        new char[] {Character.forDigit(bucket >> 4, 16), Character.forDigit(bucket & 0xf, 16)});
  }

  static String name(Replica replica, Part part, int number) {
    return BLOCK
        + replica.block().id()
        + "_"
        + replica.generationStamp()
        + "_"
        + replica.lengthBytes()
        + "_"
        + number
        + (part == Part.DATA ? DATA : CHECKSUMS);
  }

  /** Returns the file of a name in a bucket; null if no complete file can have that name there. */
  static @Nullable CleanFile parse(CleanArea area, String pool, File bucket, String name) {
    Part part = name.endsWith(DATA) ? Part.DATA : Part.CHECKSUM;
    int stamp = name.indexOf('_', BLOCK.length());
    int length = name.indexOf('_', stamp + 1);
    int number = name.indexOf('_', length + 1);
    int end = name.lastIndexOf('.');
    if (!name.startsWith(BLOCK) || stamp < 0 || length < 0 || number < 0 || end < number) {
      return null;
    }
    try {
      Replica replica =
          new Replica(
              new BlockKey(pool, Long.parseLong(name, BLOCK.length(), stamp, 10)),
              Long.parseLong(name, stamp + 1, length, 10),
              Long.parseLong(name, length + 1, number, 10));
      int its = Integer.parseInt(name, number + 1, end, 10);
      // Reject a different spelling of the numbers and a file in the wrong bucket.
      if (!name.equals(name(replica, part, its))
          || !bucket.getName().equals(bucket(replica.block()))) {
        return null;
      }
      return part == Part.CHECKSUM
          ? CleanFile.unmeasured(area, replica, its)
          : CleanFile.found(area, replica, its, new File(bucket, name).length());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
