// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import java.util.Arrays;

/**
 * Column storage for very many replicas: 43 bytes each, in chunks, so that growing copies nothing.
 * Numbers of freed rows are reused. All operations are O(1). Not thread-safe.
 */
final class Rows {
  private static final int CHUNK_BITS = 12;
  private static final int CHUNK_ROWS = 1 << CHUNK_BITS;

  private static final int HOME_MASK = 0x3;
  private static final int MOVING_SHIFT = 2;
  private static final int MOVING_MASK = 0x3 << MOVING_SHIFT;
  static final int CLEAN_DATA = 1 << 4;
  static final int UNREAD_PROMOTION = 1 << 5;
  private static final int TAKEN = 1 << 6;

  private static final class Chunk {
    final long[] id;
    final long[] generationStamp;
    final long[] length;
    final short[] pool;
    final byte[] state;
    final byte[] reason;
    final byte[] device;
    final byte[] checksumDevice;

    /** Negative: what the file took when it was kept last. */
    final int[] checksumBytes;

    final int[] reads;

    /** Bytes read since the last access, and number of reads. */
    final float[] heat;

    final byte[] heatReads;

    Chunk(int rows) {
      id = new long[rows];
      generationStamp = new long[rows];
      length = new long[rows];
      pool = new short[rows];
      state = new byte[rows];
      reason = new byte[rows];
      device = new byte[rows];
      checksumDevice = new byte[rows];
      checksumBytes = new int[rows];
      reads = new int[rows];
      heat = new float[rows];
      heatReads = new byte[rows];
    }
  }

  private final int chunkRows;
  private Chunk[] chunks;

  /** Number of rows ever used. */
  private int used;

  /** Head of the free list, which is linked through the id column; -1 if empty. */
  private int free = -1;

  Rows() {
    this(16, CHUNK_ROWS);
  }

  private Rows(int chunks, int chunkRows) {
    this.chunks = new Chunk[chunks];
    this.chunkRows = chunkRows;
  }

  private Chunk of(int row) {
    return chunks[row >> CHUNK_BITS];
  }

  private static int at(int row) {
    return row & (CHUNK_ROWS - 1);
  }

  /** Allocates a row with all columns 0. */
  int allocate() {
    int row = free;
    if (row >= 0) {
      free = (int) of(row).id[at(row)];
    } else {
      row = used;
      int chunk = row >> CHUNK_BITS;
      if (chunk == chunks.length) {
        chunks = Arrays.copyOf(chunks, chunk * 2);
      }
      if (at(row) == 0) {
        chunks[chunk] = new Chunk(chunkRows);
      }
      used++; // memory for the row exists
    }
    Chunk c = of(row);
    int i = at(row);
    c.id[i] = 0;
    c.generationStamp[i] = 0;
    c.length[i] = 0;
    c.pool[i] = 0;
    c.state[i] = TAKEN;
    c.reason[i] = 0;
    c.device[i] = 0;
    c.checksumDevice[i] = 0;
    c.checksumBytes[i] = 0;
    c.reads[i] = 0;
    c.heat[i] = 0;
    c.heatReads[i] = 0;
    return row;
  }

  void free(int row) {
    of(row).state[at(row)] = 0;
    of(row).id[at(row)] = free;
    free = row;
  }

  /** The largest row number ever used, plus one. */
  int limit() {
    return used;
  }

  boolean isTaken(int row) {
    return (of(row).state[at(row)] & TAKEN) != 0;
  }

  /** Copies one row, as row 0 of a new instance. */
  Rows copyOf(int row) {
    Rows copy = new Rows(1, 1);
    int to = copy.allocate();
    copy.setId(to, id(row));
    copy.setPool(to, pool(row));
    copy.setGenerationStamp(to, generationStamp(row));
    copy.setLength(to, length(row));
    copy.of(to).state[at(to)] = of(row).state[at(row)];
    copy.setReason(to, reason(row));
    copy.setDevice(to, device(row));
    copy.setChecksums(to, checksumBytes(row), checksumDevice(row));
    copy.setReads(to, reads(row));
    copy.setHeat(to, heat(row), heatReads(row));
    return copy;
  }

  long id(int row) {
    return of(row).id[at(row)];
  }

  void setId(int row, long value) {
    of(row).id[at(row)] = value;
  }

  int pool(int row) {
    return of(row).pool[at(row)] & 0xffff;
  }

  void setPool(int row, int value) {
    of(row).pool[at(row)] = (short) value;
  }

  long generationStamp(int row) {
    return of(row).generationStamp[at(row)];
  }

  void setGenerationStamp(int row, long value) {
    of(row).generationStamp[at(row)] = value;
  }

  long length(int row) {
    return of(row).length[at(row)];
  }

  void setLength(int row, long value) {
    of(row).length[at(row)] = value;
  }

  int home(int row) {
    return of(row).state[at(row)] & HOME_MASK;
  }

  void setHome(int row, int value) {
    setState(row, HOME_MASK, value);
  }

  int moving(int row) {
    return (of(row).state[at(row)] & MOVING_MASK) >> MOVING_SHIFT;
  }

  void setMoving(int row, int value) {
    setState(row, MOVING_MASK, value << MOVING_SHIFT);
  }

  boolean flag(int row, int flag) {
    return (of(row).state[at(row)] & flag) != 0;
  }

  void setFlag(int row, int flag, boolean value) {
    setState(row, flag, value ? flag : 0);
  }

  private void setState(int row, int mask, int bits) {
    byte[] state = of(row).state;
    state[at(row)] = (byte) ((state[at(row)] & ~mask) | bits);
  }

  int reason(int row) {
    return of(row).reason[at(row)];
  }

  void setReason(int row, int value) {
    of(row).reason[at(row)] = (byte) value;
  }

  int device(int row) {
    return of(row).device[at(row)] & 0xff;
  }

  void setDevice(int row, int value) {
    of(row).device[at(row)] = (byte) value;
  }

  int checksumDevice(int row) {
    return of(row).checksumDevice[at(row)] & 0xff;
  }

  int checksumBytes(int row) {
    return of(row).checksumBytes[at(row)];
  }

  void setChecksums(int row, int bytes, int device) {
    of(row).checksumBytes[at(row)] = bytes;
    of(row).checksumDevice[at(row)] = (byte) device;
  }

  int reads(int row) {
    return of(row).reads[at(row)];
  }

  void setReads(int row, int value) {
    of(row).reads[at(row)] = value;
  }

  float heat(int row) {
    return of(row).heat[at(row)];
  }

  int heatReads(int row) {
    return of(row).heatReads[at(row)];
  }

  void setHeat(int row, float bytes, int reads) {
    of(row).heat[at(row)] = bytes;
    of(row).heatReads[at(row)] = (byte) reads;
  }
}
