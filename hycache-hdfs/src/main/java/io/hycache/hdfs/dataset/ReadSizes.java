// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;

/**
 * How much of a block its last reads took, so that the next one can be foreseen: a block is read by
 * streams or by small reads.
 *
 * <p>One slot of one byte per hash of a block; blocks with equal hashes share it. O(1), no lock.
 * Concurrent writes to a slot may lose one of them. Thread-safe.
 */
final class ReadSizes {
  private static final int SLOTS = 1 << 16;

  /** Twice the logarithm to base 2 of the mean size of reads; 0 if nothing was read. */
  private final byte[] slots = new byte[SLOTS];

  private static int slot(BlockKey block) {
    int hash = block.hashCode() * 0x9E3779B9;
    return hash >>> 16;
  }

  /** Records a read of a block. */
  void record(BlockKey block, long bytes) {
    if (bytes <= 0) {
      return;
    }
    int slot = slot(block);
    int size = 2 * (Long.SIZE - Long.numberOfLeadingZeros(bytes));
    int before = slots[slot];
    slots[slot] = (byte) (before == 0 ? size : (before + size + 1) / 2);
  }

  /**
   * Returns about how many bytes the next read of a block takes, to a factor of two.
   *
   * @param ifUnknown returned if the block was not read
   */
  long expected(BlockKey block, long ifUnknown) {
    int size = slots[slot(block)];
    return size == 0 ? ifUnknown : Math.min(ifUnknown, 1L << (size / 2));
  }
}
