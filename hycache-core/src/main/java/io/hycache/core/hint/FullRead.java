// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

/** Counts the bytes read of a block until they make a full read. Single-threaded. */
class FullRead {
  /** Bytes read since the last full read. */
  private long readBytes;

  /** Adds bytes read; returns true, and counts from 0 again, once they make a full read. */
  final boolean isCompletedBy(long lengthBytes, long bytes) {
    readBytes = BlockReferences.saturatedSum(readBytes, Math.max(0, bytes));
    if (readBytes < nineTenths(lengthBytes)) {
      return false;
    }
    readBytes = 0;
    return true;
  }

  private static long nineTenths(long lengthBytes) {
    return lengthBytes - lengthBytes / 10;
  }
}
