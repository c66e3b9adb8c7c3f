// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import java.util.Objects;

/** One state of a finalized replica: block, generation stamp, length in bytes. Immutable. */
public final class Replica {
  private final BlockKey block;
  private final long generationStamp;
  private final long lengthBytes;

  public Replica(BlockKey block, long generationStamp, long lengthBytes) {
    this.block = Objects.requireNonNull(block);
    this.generationStamp = generationStamp;
    this.lengthBytes = lengthBytes;
  }

  public BlockKey block() {
    return block;
  }

  public long generationStamp() {
    return generationStamp;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  /**
   * Estimated size of a replica's checksum file in bytes: a header of 7 bytes and 4 bytes for each
   * 512 bytes of data, HDFS's default.
   *
   * @param dataBytes length of the replica, &gt;= 0
   */
  public static long estimatedChecksumBytes(long dataBytes) {
    return 7 + 4 * ((dataBytes + 511) / 512);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Replica)) {
      return false;
    }
    Replica that = (Replica) other;
    return generationStamp == that.generationStamp
        && lengthBytes == that.lengthBytes
        && block.equals(that.block);
  }

  @Override
  public int hashCode() {
    return Objects.hash(block, generationStamp, lengthBytes);
  }

  @Override
  public String toString() {
    return block + "_" + generationStamp + " lengthBytes=" + lengthBytes;
  }
}
