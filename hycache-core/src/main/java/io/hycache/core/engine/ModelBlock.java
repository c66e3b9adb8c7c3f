// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;

/** A block that would be on a fast device, in whole or in part. Guarded by its store. */
final class ModelBlock {
  final Replica replica;
  final long sinceNanos;
  String device;

  /** True for a dirty replica; false for a clean copy of the parts that are true below. */
  boolean guest;

  boolean data;
  boolean checksums;

  /** Bytes allocated on the device, as of the last {@link #resize}. */
  private long takenBytes;

  ModelBlock(Replica replica, String device, long sinceNanos) {
    this.replica = replica;
    this.device = device;
    this.sinceNanos = sinceNanos;
  }

  /** True if reads of the data would be served from the device. */
  boolean isFast() {
    return guest || data;
  }

  /** True if there is a clean copy of the part. */
  boolean has(Part part) {
    return !guest && (part == Part.DATA ? data : checksums);
  }

  void set(Part part) {
    data |= part == Part.DATA;
    checksums |= part == Part.CHECKSUM;
  }

  long takenBytes() {
    return takenBytes;
  }

  /**
   * Brings the bytes that it takes up to date.
   *
   * @param unitBytes multiple in which the device allocates space
   * @return by how many bytes it has grown
   */
  long resize(long unitBytes) {
    long length = replica.lengthBytes();
    long sums = Replica.estimatedChecksumBytes(length);
    long before = takenBytes;
    takenBytes =
        (isFast() ? FastDevice.allocatedBytes(length, unitBytes) : 0)
            + (guest || checksums ? FastDevice.allocatedBytes(sums, unitBytes) : 0);
    return takenBytes - before;
  }

  /** Moves the block to another device, where it takes nothing until the next {@link #resize}. */
  void moveTo(String other) {
    takenBytes = 0;
    device = other;
  }
}
