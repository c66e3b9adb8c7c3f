// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A DataNode's part in the directory of blocks on SSD. Non-blocking; thread-safe. */
public interface BlockDirectory {

  /** The node that holds this DataNode's records. */
  DirectoryNode node();

  /**
   * Looks up the DataNodes that have blocks on SSD. The blocks under way are bounded; beyond that
   * there is no answer, at once.
   *
   * @param user on whose behalf
   * @return for each block, in order, the UUIDs of DataNodes; empty if the directory has no answer.
   *     Completes within a bounded time.
   */
  CompletableFuture<List<Optional<Set<String>>>> holders(String user, List<BlockKey> blocks);

  /** One page of the directory's records of blocks. Immutable. */
  final class Page {
    /** Blocks on one page, at most; clients refuse a larger one. */
    public static final int MAX_BLOCKS = JsonFields.MAX_ITEMS;

    private final List<BlockOnSsd> blocks;
    private final String next;

    /**
     * @param next position of the next page; empty after the last page
     */
    public Page(List<BlockOnSsd> blocks, String next) {
      this.blocks = List.copyOf(blocks);
      this.next = next;
    }

    public List<BlockOnSsd> blocks() {
      return blocks;
    }

    public String next() {
      return next;
    }
  }

  /**
   * Lists the directory's records of blocks, page by page. Completes exceptionally if a member of
   * the directory does not answer within a bounded time.
   *
   * @param at position of the page; empty for the first page
   */
  CompletableFuture<Page> list(String at);
}
