// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * Numbers names in order of their first appearance, without keeping them: a hash table with open
 * addressing and linear probing of 64-bit fingerprints (MurmurHash3) and numbers.
 *
 * <p>O(1) a call; 16 to 32 bytes a name. Two of n names are taken for one with a probability of
 * about n^2 / 2^65: 3 in a million for 10 million names. Not thread-safe.
 */
final class NameTable {
  private static final int MIN_SLOTS = 1 << 10;
  private static final HashFunction FINGERPRINT = Hashing.murmur3_128();

  /** 0 marks a free slot. The length is a power of two. */
  private long[] fingerprints = new long[MIN_SLOTS];

  private int[] numbers = new int[MIN_SLOTS];
  private int size;

  int size() {
    return size;
  }

  /** The number of a name: {@link #size} as it was before the call if the name is new. */
  int number(CharSequence name) {
    long fingerprint = fingerprint(name);
    int slot = slotOf(fingerprint);
    if (fingerprints[slot] == 0) {
      if (4L * (size + 1) > 3L * fingerprints.length) {
        grow();
        slot = slotOf(fingerprint);
      }
      fingerprints[slot] = fingerprint;
      numbers[slot] = size++;
    }
    return numbers[slot];
  }

  /** The number of a name; -1 if it has none. */
  int find(CharSequence name) {
    int slot = slotOf(fingerprint(name));
    return fingerprints[slot] == 0 ? -1 : numbers[slot];
  }

  private static long fingerprint(CharSequence name) {
    long hash = FINGERPRINT.hashUnencodedChars(name).asLong();
    return hash == 0 ? 1 : hash;
  }

  private int slotOf(long fingerprint) {
    int mask = fingerprints.length - 1;
    int slot = (int) fingerprint & mask;
    while (fingerprints[slot] != 0 && fingerprints[slot] != fingerprint) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = fingerprints;
    int[] oldNumbers = numbers;
    fingerprints = new long[2 * old.length];
    numbers = new int[2 * old.length];
    for (int i = 0; i < old.length; i++) {
      if (old[i] != 0) {
        int slot = slotOf(old[i]);
        fingerprints[slot] = old[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }
}
