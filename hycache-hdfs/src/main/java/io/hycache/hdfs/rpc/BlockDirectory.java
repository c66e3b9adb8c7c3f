package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A DataNode's part in the directory of blocks on SSD. Nothing waits; thread-safe. */
public interface BlockDirectory {

  /** Its share of the records. */
  DirectoryNode node();

  /**
   * Asks which DataNodes have blocks on SSD.
   *
   * @return for each block, in order, UUIDs of DataNodes; empty if nothing is known of it. Ends in
   *     a bounded time.
   */
  CompletableFuture<List<Optional<Set<String>>>> holders(List<BlockKey> blocks);

  /** A part of all that the directory knows of blocks. */
  final class Page {
    private final List<BlockOnSsd> blocks;
    private final String next;

    /**
     * @param next where to go on; empty at the end
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
   * Asks for all that is known of blocks, a part at a time. Fails if a part of the directory does
   * not answer in a bounded time.
   *
   * @param at where to go on; empty: at the first
   */
  CompletableFuture<Page> list(String at);
}
