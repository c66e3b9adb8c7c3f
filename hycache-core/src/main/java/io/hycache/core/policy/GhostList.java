// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Blocks remembered without their data, in order of insertion, bounded by the bytes that they would
 * occupy and, as blocks may be small or empty, by their number. All operations O(1), O(k) where k
 * blocks are dropped; about 130 bytes per block.
 */
final class GhostList {
  private final Map<CacheKey, Long> sizes = new LinkedHashMap<>();
  private long bytes;

  boolean has(CacheKey key) {
    return sizes.containsKey(key);
  }

  /** Removes a block. Returns whether it was in the list. */
  boolean remove(CacheKey key) {
    Long size = sizes.remove(key);
    if (size == null) {
      return false;
    }
    bytes -= size;
    return true;
  }

  void add(CacheKey key, long sizeBytes) {
    remove(key);
    sizes.put(key, sizeBytes);
    bytes += sizeBytes;
  }

  /** Drops the oldest blocks until at most so many bytes and blocks are left. */
  void trim(long maxBytes, int maxBlocks) {
    trim(maxBytes, maxBlocks, key -> {});
  }

  /** As {@link #trim(long, int)}; passes each dropped block to {@code forgotten}. */
  void trim(long maxBytes, int maxBlocks, Consumer<CacheKey> forgotten) {
    Iterator<Map.Entry<CacheKey, Long>> oldest = sizes.entrySet().iterator();
    while ((bytes > maxBytes || sizes.size() > maxBlocks) && oldest.hasNext()) {
      Map.Entry<CacheKey, Long> next = oldest.next();
      bytes -= next.getValue();
      oldest.remove();
      forgotten.accept(next.getKey());
    }
  }

  long bytes() {
    return bytes;
  }
}
