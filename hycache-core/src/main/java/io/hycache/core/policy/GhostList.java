package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Blocks remembered without their data, in order of insertion, bounded by the bytes that they would
 * occupy. All operations O(1), O(k) where k blocks are dropped; about 130 bytes per block.
 */
final class GhostList {
  private final Map<BlockKey, Long> sizes = new LinkedHashMap<>();
  private long bytes;

  boolean has(BlockKey block) {
    return sizes.containsKey(block);
  }

  /** Removes a block. Returns whether it was in the list. */
  boolean remove(BlockKey block) {
    Long size = sizes.remove(block);
    if (size == null) {
      return false;
    }
    bytes -= size;
    return true;
  }

  void add(BlockKey block, long sizeBytes) {
    remove(block);
    sizes.put(block, sizeBytes);
    bytes += sizeBytes;
  }

  /** Drops the oldest blocks until at most {@code maxBytes} are left. */
  void trim(long maxBytes) {
    trim(maxBytes, block -> {});
  }

  /** As {@link #trim(long)}; passes each dropped block to {@code forgotten}. */
  void trim(long maxBytes, Consumer<BlockKey> forgotten) {
    Iterator<Map.Entry<BlockKey, Long>> oldest = sizes.entrySet().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      Map.Entry<BlockKey, Long> next = oldest.next();
      bytes -= next.getValue();
      oldest.remove();
      forgotten.accept(next.getKey());
    }
  }

  long bytes() {
    return bytes;
  }
}
