// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What threads other than the planner's see of the pins: a copy that the planner keeps up to date.
 * Each figure is right by itself; two of them may be a moment apart. Thread-safe; no method waits
 * or takes a lock, and all but {@link #blocks} are O(1).
 */
public final class PinnedBlocks {
  private final PublishedBlocks here = new PublishedBlocks();

  /** Bytes that the pinned clean copies take on each device. */
  private final Map<String, Long> copyBytes = new ConcurrentHashMap<>();

  private volatile long capacityBytes;
  private volatile long usedBytes;
  private volatile long cachedBytes;

  PinnedBlocks() {}

  /** Most bytes that pins may take in all, &gt;= 0; a multiple of the page size. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /**
   * Bytes reserved for all pins, those that have no copy yet included; a multiple of the page size.
   * More than {@link #capacityBytes} after an SSD was lost.
   */
  public long usedBytes() {
    return usedBytes;
  }

  /**
   * Those of {@link #usedBytes} that belong to pins whose data is on a fast device or is being
   * copied there: what HDFS calls used. A pin that still waits for its copy is in none of them, and
   * neither is one on a device out of use, which is no part of the capacity.
   */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** Number of pinned blocks whose data is on a fast device. */
  public int count() {
    return here.count();
  }

  /** True for a pinned block whose data is on a fast device. */
  public boolean contains(BlockKey block) {
    return here.contains(block);
  }

  /** The pinned blocks of a pool whose data is on a fast device, in no order. O(pins). */
  public List<BlockKey> blocks(String pool) {
    return here.blocks(pool);
  }

  /** Bytes allocated to the data of pinned clean copies on a device: they never make way. */
  public long copyBytes(String device) {
    return copyBytes.getOrDefault(device, 0L);
  }

  // ---- by the planner -----------------------------------------------------------------------

  void setCapacity(long bytes) {
    capacityBytes = bytes;
  }

  void setUsed(long bytes) {
    usedBytes = bytes;
  }

  void setCached(long bytes) {
    cachedBytes = bytes;
  }

  void add(BlockKey block) {
    here.add(block);
  }

  void remove(BlockKey block) {
    here.remove(block);
  }

  void addCopyBytes(String device, long bytes) {
    copyBytes.merge(device, bytes, Long::sum);
  }

  /** Replaces the bytes of all devices; there are none on those that are not named. */
  void setCopyBytes(Map<String, Long> bytes) {
    copyBytes.keySet().retainAll(bytes.keySet());
    copyBytes.putAll(bytes);
  }

  /** The blocks of all pools, in no order. O(pins). */
  List<BlockKey> all() {
    return here.all();
  }
}
