// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;

/** The record that one DataNode published about one block. Immutable. */
public final class BlockOnSsd {
  private final BlockKey block;
  private final String datanode;
  private final Residency residency;
  private final long sizeBytes;

  /**
   * @param datanode UUID of the DataNode
   */
  public BlockOnSsd(BlockKey block, String datanode, Residency residency, long sizeBytes) {
    this.block = block;
    this.datanode = datanode;
    this.residency = residency;
    this.sizeBytes = sizeBytes;
  }

  public BlockKey block() {
    return block;
  }

  /** UUID of the DataNode. */
  public String datanode() {
    return datanode;
  }

  public Residency residency() {
    return residency;
  }

  public long sizeBytes() {
    return sizeBytes;
  }
}
