// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values by number, from 0 on; numbers of removed values are given again.
 *
 * <p>For what refers to values often and changes the references often: a number can be stored
 * without notifying the garbage collector. O(1), amortized; 8 to 16 bytes per value. Not
 * thread-safe.
 */
final class Rows<V> {
  private static final int MIN_ROWS = 64;

  private @Nullable Object[] values = new Object[MIN_ROWS];

  /** Numbers ever given, and those of them that are free. */
  private int given;

  private int[] free = new int[MIN_ROWS];
  private int freeCount;

  /** Adds a value; returns its number. */
  int add(V value) {
    if (freeCount == 0 && given == values.length) {
      values = Arrays.copyOf(values, 2 * given);
      free = Arrays.copyOf(free, 2 * given);
    }
    int row = freeCount > 0 ? free[--freeCount] : given++;
    values[row] = value;
    return row;
  }

  /** The value with a number that is in use. */
  @SuppressWarnings("unchecked") // only add() stores values, all of type V
  V get(int row) {
    Object value = values[row];
    if (value == null) {
      throw new IllegalStateException("expected a value, found none: row=" + row);
    }
    return (V) value;
  }

  /** Removes the value with a number that is in use. */
  void remove(int row) {
    values[row] = null;
    free[freeCount++] = row;
  }
}
