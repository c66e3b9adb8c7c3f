package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a policy knows, by block.
 *
 * <p>Idea: with a million blocks a look-up is as long as the memory takes to answer, so there are
 * no nodes, only the values and their hash codes, which tell at once that a block isn't in here;
 * and as a policy is told several things about one block in a row, the last answer is kept.
 *
 * <p>Open addressing with linear probing; a removal moves back what it leaves behind (Knuth, The
 * Art of Computer Programming 3, section 6.4, Algorithms L and R). O(1); 16 to 32 bytes for each
 * value besides. Owned by one thread.
 */
final class BlockMap<V extends BlockMap.Value> {
  /** What is known of one block. */
  abstract static class Value {
    final BlockKey block;

    Value(BlockKey block) {
      this.block = block;
    }
  }

  private static final int LEAST = 16;

  /** By slot; 0: nothing is there. The length is a power of two. */
  private int[] hashes = new int[LEAST];

  private @Nullable Value[] values = new Value[LEAST];
  private int size;

  /** What was asked for last, and the answer. */
  private @Nullable BlockKey asked;

  private @Nullable V answer;

  private final int[] soonSlots = new int[Replay.AHEAD];
  private final @Nullable Value[] soonValues = new Value[Replay.AHEAD];

  /** The same ids in another pool collide; there are few pools. */
  private static int hash(BlockKey block) {
    int hash = block.idHash();
    return hash == 0 ? 1 : hash;
  }

  @SuppressWarnings("unchecked") // only add() puts any in
  private @Nullable V at(int slot) {
    return (V) values[slot];
  }

  /** Where it is, or the free slot where it would be. */
  private int slotOf(BlockKey block, int hash) {
    int mask = hashes.length - 1;
    int slot = hash & mask;
    while (hashes[slot] != 0) {
      Value value = values[slot];
      if (hashes[slot] == hash && value != null && value.block.equals(block)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  @Nullable V get(BlockKey block) {
    BlockKey recent = asked;
    if (recent == null || !recent.equals(block)) {
      answer = at(slotOf(block, hash(block)));
      asked = block;
    }
    return answer;
  }

  /**
   * Looks at what {@link #get} of these blocks will look at soon. Looks that don't wait for each
   * other take little longer together than one that the processor's caches can't answer; so no step
   * of one is between two of another.
   *
   * @param count how many of the blocks, &lt;= {@link Replay#AHEAD}
   * @return means nothing; to be used, so that no look is optimized away
   */
  @SuppressWarnings("ReferenceEquality") // what it finds doesn't matter
  int warm(BlockKey[] blocks, int count) {
    int seen = 0;
    int mask = hashes.length - 1;
    for (int i = 0; i < count; i++) {
      soonSlots[i] = hash(blocks[i]) & mask;
    }
    for (int i = 0; i < count; i++) {
      seen += hashes[soonSlots[i]];
      soonValues[i] = values[soonSlots[i]];
    }
    for (int i = 0; i < count; i++) {
      Value value = soonValues[i];
      seen += value != null && value.block == blocks[i] ? 1 : 0;
    }
    Arrays.fill(soonValues, null);
    return seen;
  }

  /** Puts in a value whose block isn't in here. */
  void add(V value) {
    if (2 * (size + 1) > hashes.length) {
      grow();
    }
    put(value, hash(value.block));
    size++;
    asked = value.block;
    answer = value;
  }

  private void put(Value value, int hash) {
    int slot = slotOf(value.block, hash);
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

  /** Takes out what is there for the block, if anything. */
  @Nullable V remove(BlockKey block) {
    int mask = hashes.length - 1;
    int hole = slotOf(block, hash(block));
    V removed = at(hole);
    if (removed == null) {
      return null;
    }
    size--;
    if (removed == answer) {
      answer = null;
    }
    int slot = hole;
    while (true) {
      slot = (slot + 1) & mask;
      if (hashes[slot] == 0) {
        break;
      }
      // Back into the hole, unless its search begins behind the hole.
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

  /** In no order that means anything. */
  void forEach(Consumer<? super V> action) {
    for (int slot = 0; slot < values.length; slot++) {
      V value = at(slot);
      if (value != null) {
        action.accept(value);
      }
    }
  }
}
