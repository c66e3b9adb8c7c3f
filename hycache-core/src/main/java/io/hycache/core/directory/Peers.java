// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Calls to other nodes: a transport implements them on the calling side, a {@link DirectoryNode}
 * answers them. No method waits: each returns a future, which completes exceptionally if the node
 * can't be reached or does not answer in a bounded time. Thread-safe.
 */
public interface Peers {

  /**
   * Runs operations on a node, in order.
   *
   * @param publisher id of the member whose soft state the puts are; empty if they are permanent
   * @param epoch the publisher's epoch: records that it put in an earlier one are void from now on,
   *     and writes of an earlier one are refused
   * @return one outcome for each operation
   */
  CompletableFuture<List<Outcome>> run(
      Member node, String publisher, long epoch, List<Operation> operations);

  /**
   * Passes changes of a primary to a replica, in order.
   *
   * @param from id of the primary
   * @param missed whether earlier changes were not sent: the replica must pull
   * @return keys whose record the replica does not have as it was before the change: it needs the
   *     whole record
   */
  CompletableFuture<List<String>> replicate(
      Member node, String from, boolean missed, List<Change> changes);

  /** Some of the records that a node holds. */
  final class Pulled {
    private final List<Change> changes;
    private final List<Finished> finished;
    private final String next;

    /**
     * @param finished writes whose tokens the node remembers; with the last part
     * @param next where the next part begins; empty at the end
     */
    public Pulled(List<Change> changes, List<Finished> finished, String next) {
      this.changes = changes;
      this.finished = finished;
      this.next = next;
    }

    public List<Change> changes() {
      return changes;
    }

    public String next() {
      return next;
    }

    public List<Finished> finished() {
      return finished;
    }
  }

  /**
   * Pulls the records that a node holds of some shards.
   *
   * @param view the caller's members, which the node learns; if it knows later ones, it refuses
   * @param takeOver shards whose primary the caller is from now on: the node no longer answers for
   *     them
   * @param shards the shards to pull
   * @param at where to begin; empty for the first part
   */
  CompletableFuture<Pulled> pull(Member node, View view, BitSet takeOver, BitSet shards, String at);

  /** Asks a node for its members. */
  CompletableFuture<View> view(Member node);

  /**
   * Records that a member called this node, so it is reachable.
   *
   * @param id id of that member
   */
  default void heard(String id) {}
}
