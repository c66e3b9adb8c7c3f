// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Whole numbers by position, 4 or 8 bytes each, in segments that {@link Spill} puts on the heap or
 * into a file. O(1) a call, and nothing is copied as it grows. Not thread-safe while it is written.
 */
final class Column {
  private static final int SEGMENT_BITS = 20;
  private static final int SEGMENT = 1 << SEGMENT_BITS;

  /** The first segment grows to its full length, so that a short column takes little. */
  private static final int FIRST = 1 << 10;

  /** As many as an array can have on any JVM. */
  private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private final Spill spill;

  /** 2: values of 4 bytes; 3: of 8. */
  private final int shift;

  private ByteBuffer[] segments = new ByteBuffer[1];
  private int length;
  private int room;

  private Column(Spill spill, int shift) {
    this.spill = spill;
    this.shift = shift;
  }

  /** Of values that fit an int. */
  static Column ofInts(Spill spill) {
    return new Column(spill, 2);
  }

  static Column ofLongs(Spill spill) {
    return new Column(spill, 3);
  }

  /** Of ints, all zero. */
  static Column ofInts(Spill spill, int length) {
    Column column = ofInts(spill);
    while (column.room < length) {
      column.grow();
    }
    column.length = length;
    return column;
  }

  int length() {
    return length;
  }

  long get(int at) {
    ByteBuffer segment = segments[at >>> SEGMENT_BITS];
    int offset = (at & (SEGMENT - 1)) << shift;
    return shift == 2 ? segment.getInt(offset) : segment.getLong(offset);
  }

  /** {@link #get} of a column of ints. */
  int getInt(int at) {
    return segments[at >>> SEGMENT_BITS].getInt((at & (SEGMENT - 1)) << 2);
  }

  void set(int at, long value) {
    ByteBuffer segment = segments[at >>> SEGMENT_BITS];
    int offset = (at & (SEGMENT - 1)) << shift;
    if (shift == 2) {
      segment.putInt(offset, (int) value);
    } else {
      segment.putLong(offset, value);
    }
  }

  /**
   * Appends a value.
   *
   * @throws IllegalStateException if the column is full
   */
  void add(long value) {
    if (length == room) {
      grow();
    }
    set(length++, value);
  }

  private void grow() {
    if (room == MAX_LENGTH) {
      throw new IllegalStateException(
          "expected a trace of at most " + MAX_LENGTH + " accesses, found more");
    }
    if (room < SEGMENT) {
      int values = room == 0 ? FIRST : 2 * room;
      ByteBuffer larger = spill.allocate(values << shift);
      if (room > 0) {
        ByteBuffer old = segments[0].duplicate();
        larger.duplicate().put(old.clear());
      }
      segments[0] = larger;
      room = values;
      return;
    }
    int number = room >>> SEGMENT_BITS;
    if (number == segments.length) {
      segments = Arrays.copyOf(segments, 2 * number);
    }
    segments[number] = spill.allocate(SEGMENT << shift);
    room = (int) Math.min(MAX_LENGTH, (long) room + SEGMENT);
  }
}
