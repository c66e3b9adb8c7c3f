// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.stats.BlockStatus;
import java.util.List;

/** Where a file's blocks are: on each DataNode that holds one. Immutable. */
public final class FilePlaces {

  /** A block of the file. */
  public static final class BlockPlaces {
    private final String pool;
    private final long blockId;
    private final long offset;
    private final long lengthBytes;
    private final List<NodeAnswer<BlockStatus>> replicas;

    BlockPlaces(
        String pool,
        long blockId,
        long offset,
        long lengthBytes,
        List<NodeAnswer<BlockStatus>> replicas) {
      this.pool = pool;
      this.blockId = blockId;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
      this.replicas = List.copyOf(replicas);
    }

    /** The block pool. */
    public String pool() {
      return pool;
    }

    public long blockId() {
      return blockId;
    }

    /** Of its first byte in the file. */
    public long offset() {
      return offset;
    }

    public long lengthBytes() {
      return lengthBytes;
    }

    /** One for each holder, by name. */
    public List<NodeAnswer<BlockStatus>> replicas() {
      return replicas;
    }
  }

  private final String path;
  private final List<BlockPlaces> blocks;
  private final List<String> notes;

  FilePlaces(String path, List<BlockPlaces> blocks, List<String> notes) {
    this.path = path;
    this.blocks = List.copyOf(blocks);
    this.notes = List.copyOf(notes);
  }

  public String path() {
    return path;
  }

  /** By offset. */
  public List<BlockPlaces> blocks() {
    return blocks;
  }

  /** What was left out, and why; one line each. */
  public List<String> notes() {
    return notes;
  }
}
