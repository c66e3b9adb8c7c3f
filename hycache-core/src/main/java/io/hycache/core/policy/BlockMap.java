// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from blocks to a policy's values.
 *
 * <p>Idea: with a million blocks, the cost of a look-up is that of its cache misses. So there are
 * no nodes, only values and their hash codes; most look-ups of absent blocks end at the hash codes.
 * The last result is not cached: a repeated look-up finds all it needs in the processor's cache,
 * and storing two references costs more than that (G1 orders each by a fence).
 *
 * <p>Open addressing with linear probing; a removal moves later entries back (Knuth, The Art of
 * Computer Programming 3, section 6.4, Algorithms L and R). O(1); 16 to 32 bytes per entry plus the
 * value. Not thread-safe.
 */
final class BlockMap<V extends BlockMap.Value> {
  /** What the policy keeps about one block. */
  abstract static class Value {
    final CacheKey key;

    Value(CacheKey key) {
      this.key = key;
    }
  }

  private static final int MIN_SLOTS = 16;

  /** Hash codes by slot; 0 marks a free slot. The length is a power of two. */
  private int[] hashes = new int[MIN_SLOTS];

  private @Nullable Value[] values = new Value[MIN_SLOTS];
  private int size;

  private final int[] soonHashes = new int[Replay.AHEAD];

  /** Equal ids in different namespaces collide; there are few namespaces. */
  private static int hash(CacheKey key) {
    int hash = key.idHash();
    return hash == 0 ? 1 : hash;
  }

  @SuppressWarnings("unchecked") // only add() stores values, all of type V
  private @Nullable V at(int slot) {
    return (V) values[slot];
  }

  /** The slot of the block, or the free slot where it would be inserted. */
  private int slotOf(CacheKey key, int hash) {
    int mask = hashes.length - 1;
    int slot = hash & mask;
    while (hashes[slot] != 0) {
      Value value = values[slot];
      if (hashes[slot] == hash && value != null && value.key.equals(key)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  @Nullable V get(CacheKey key) {
    return at(slotOf(key, hash(key)));
  }

  /**
   * Prefetches the memory that {@link #get} of these blocks will read soon. Independent loads
   * overlap, so many together take little longer than one cache miss. The loop therefore performs
   * each step for all blocks before the next step, and stores no reference, which G1 would order
   * before the next load.
   *
   * @param count number of blocks, &lt;= {@link Replay#AHEAD}
   * @return meaningless; use it, so that the loads are not optimized away
   */
  int warm(CacheKey[] keys, int count) {
    return warm(keys, count, value -> 0);
  }

  /**
   * The same, and what else a value's policy will read.
   *
   * @param more reads it; may be passed values of other blocks
   */
  @SuppressWarnings("ReferenceEquality") // only the load matters
  int warm(CacheKey[] keys, int count, ToIntFunction<? super V> more) {
    for (int i = 0; i < count; i++) {
      soonHashes[i] = hash(keys[i]);
    }
    int seen = warm(soonHashes, count);
    int mask = hashes.length - 1;
    for (int i = 0; i < count; i++) {
      Value value = values[soonHashes[i] & mask];
      seen += value != null && value.key == keys[i] ? 1 : 0;
    }
    for (int i = 0; i < count; i++) {
      V value = at(soonHashes[i] & mask);
      seen += value == null ? 0 : more.applyAsInt(value);
    }
    return seen;
  }

  /** As {@link #warm(CacheKey[], int)}, less the values: of the {@link CacheKey#idHash}es. */
  int warm(int[] idHashes, int count) {
    int seen = 0;
    int mask = hashes.length - 1;
    for (int i = 0; i < count; i++) {
      int slot = idHashes[i] & mask;
      seen += hashes[slot] + (values[slot] == null ? 0 : 1);
    }
    return seen;
  }

  /** Adds a value whose block is not in the map. */
  void add(V value) {
    if (2 * (size + 1) > hashes.length) {
      grow();
    }
    put(value, hash(value.key));
    size++;
  }

  private void put(Value value, int hash) {
    int slot = slotOf(value.key, hash);
    hashes[slot] = hash;
    values[slot] = value;
  }

  private void grow() {
    int[] oldHashes = hashes;
    @Nullable Value[] oldValues = values;
    hashes = new int[2 * oldHashes.length];
    values = new Value[2 * oldHashes.length];
    for (int slot = 0; slot < oldHashes.length; slot++) {
      Value value = oldValues[slot];
      if (value != null) {
        put(value, oldHashes[slot]);
      }
    }
  }

  /** Removes the block's value, if there is one. */
  @Nullable V remove(CacheKey key) {
    int mask = hashes.length - 1;
    int hole = slotOf(key, hash(key));
    V removed = at(hole);
    if (removed == null) {
      return null;
    }
    size--;
    int slot = hole;
    while (true) {
      slot = (slot + 1) & mask;
      if (hashes[slot] == 0) {
        break;
      }
      // Move it back into the hole unless its probe sequence begins after the hole.
      if (((slot - (hashes[slot] & mask)) & mask) >= ((slot - hole) & mask)) {
        hashes[hole] = hashes[slot];
        values[hole] = values[slot];
        hole = slot;
      }
    }
    hashes[hole] = 0;
    values[hole] = null;
    return removed;
  }

  int size() {
    return size;
  }

  /** Visits all values in unspecified order. */
  void forEach(Consumer<? super V> action) {
    for (int slot = 0; slot < values.length; slot++) {
      V value = at(slot);
      if (value != null) {
        action.accept(value);
      }
    }
  }
}
