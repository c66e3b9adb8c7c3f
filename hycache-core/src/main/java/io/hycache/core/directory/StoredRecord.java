// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One record as a node holds it. An append is amortized O(1). All fields except the key and shard
 * are guarded by the object's own lock.
 */
final class StoredRecord {
  private static final byte[][] NOTHING = {};

  final String key;
  final int shard;
  long version;

  /**
   * The record does not exist; its version is kept for some time, so that nothing older returns.
   */
  boolean removed = true;

  /** The object is no longer in the table: look the key up again. */
  boolean dead;

  String publisher = "";
  long epoch;

  /** When it ends, or may be forgotten if it is removed; {@code Long.MAX_VALUE} for never. */
  long endsMillis = Long.MAX_VALUE;

  private byte[][] entries = NOTHING;
  private int size;
  private long bytes;

  StoredRecord(String key) {
    this.key = key;
    this.shard = Ring.shardOf(key);
  }

  int size() {
    return size;
  }

  /** Bytes of its entries. */
  long bytes() {
    return bytes;
  }

  void clear() {
    entries = NOTHING;
    size = 0;
    bytes = 0;
  }

  void add(byte[] entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, Math.max(1, size * 2));
    }
    entries[size++] = entry;
    bytes += entry.length;
  }

  /** The entries from one on, until they reach a size; at least one if there is one. */
  List<byte[]> entries(int from, int mostBytes) {
    List<byte[]> out = new ArrayList<>(Math.max(0, Math.min(size - from, 16)));
    int sum = 0;
    for (int at = from; at < size && (out.isEmpty() || sum < mostBytes); at++) {
      out.add(entries[at]);
      sum += entries[at].length + 8;
    }
    return out;
  }

  byte[] first() {
    return size == 0 ? new byte[0] : entries[0];
  }

  /** Whether it is neither removed, nor ended, nor of an earlier epoch of its publisher. */
  boolean holds(long nowMillis, long epochNow) {
    return !removed && endsMillis > nowMillis && !isVoid(epochNow);
  }

  private boolean isVoid(long epochNow) {
    return !publisher.isEmpty() && epoch < epochNow;
  }

  /** What is left of its life; 0 if it is removed or does not end. */
  long ttlMillis(long nowMillis) {
    return removed || endsMillis == Long.MAX_VALUE ? 0 : Math.max(1, endsMillis - nowMillis);
  }

  /**
   * The whole record from an entry on, or as much as fits into one part. A record of an earlier
   * epoch is passed on as removed, because the receiver may not know of the later epoch yet.
   */
  Change part(int from, int mostBytes, long nowMillis, long epochNow) {
    boolean gone = removed || isVoid(epochNow);
    return new Change(
        key,
        Change.WHOLE,
        version,
        gone,
        gone ? 0 : from,
        gone ? 0 : size,
        gone ? List.of() : entries(from, mostBytes),
        gone ? 0 : ttlMillis(nowMillis),
        publisher,
        epoch,
        0);
  }
}
