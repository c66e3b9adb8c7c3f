// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the directory says of the SSDs of all DataNodes, summed up. Immutable once it is made. */
public final class SsdUse {
  private final Map<String, EnumMap<Residency, Long>> bytesByDataNode = new HashMap<>();
  private final Map<String, Integer> blocksByDataNode = new HashMap<>();
  private final List<BlockOnSsd> records;
  private long bytes;
  private long duplicateBytes;

  SsdUse(List<BlockOnSsd> records) {
    this.records = List.copyOf(records);
    Map<BlockKey, Integer> copies = new HashMap<>();
    for (BlockOnSsd one : this.records) {
      bytesByDataNode
          .computeIfAbsent(one.datanode(), d -> new EnumMap<>(Residency.class))
          .merge(one.residency(), one.sizeBytes(), Long::sum);
      blocksByDataNode.merge(one.datanode(), 1, Integer::sum);
      bytes += one.sizeBytes();
      if (copies.merge(one.block(), 1, Integer::sum) > 1) {
        duplicateBytes += one.sizeBytes();
      }
    }
  }

  /** All that is known, a record for each block and DataNode. */
  public List<BlockOnSsd> records() {
    return records;
  }

  /** Bytes on the SSDs of a DataNode in some form. */
  public long bytes(String dataNodeUuid, Residency residency) {
    EnumMap<Residency, Long> of = bytesByDataNode.get(dataNodeUuid);
    return of == null ? 0 : of.getOrDefault(residency, 0L);
  }

  /** Blocks on the SSDs of a DataNode. */
  public int blocks(String dataNodeUuid) {
    return blocksByDataNode.getOrDefault(dataNodeUuid, 0);
  }

  /** Bytes on all SSDs. */
  public long bytes() {
    return bytes;
  }

  /** Of these, what is there more than once: all but one copy of each block. */
  public long duplicateBytes() {
    return duplicateBytes;
  }

  /** UUIDs of the DataNodes that have something on SSD. */
  public List<String> dataNodes() {
    return new ArrayList<>(blocksByDataNode.keySet());
  }
}
