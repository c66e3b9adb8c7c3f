package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Blocks that are remembered without their data, in order of arrival, bounded by the bytes that
 * they would take. All steps O(1), O(k) for k that are dropped; about 130 bytes a block.
 */
final class GhostList {
  private final Map<BlockKey, Long> sizes = new LinkedHashMap<>();
  private long bytes;

  boolean has(BlockKey block) {
    return sizes.containsKey(block);
  }

  /** Takes it out. Returns whether it was here. */
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

  /** Forgets the oldest until what is left is at most this. */
  void trim(long maxBytes) {
    trim(maxBytes, block -> {});
  }

  /** {@link #trim(long)}, and tells which. */
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
