package io.hycache.core.directory;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The way to other nodes: what a transport implements on the calling side, and a {@link
 * DirectoryNode} answers. Nothing waits: every call answers a future, which ends exceptionally if
 * the node can't be asked or does not answer in a bounded time. Thread-safe.
 */
public interface Peers {

  /**
   * Has a node do operations, in order.
   *
   * @param publisher id of the member whose soft state the puts are; empty: nobody's, they stay
   * @param epoch of the publisher: what it published in an earlier one is void from then on, and
   *     writes of an earlier one are refused
   * @return one outcome for each operation
   */
  CompletableFuture<List<Outcome>> run(
      Member node, String publisher, long epoch, List<Operation> operations);

  /**
   * Tells a replica what its primary changed, in order.
   *
   * @param from id of the primary
   * @param missed whether changes before these were not told: the replica has to pull
   * @return keys whose record it doesn't have as it was before the change: it needs the whole
   */
  CompletableFuture<List<String>> replicate(
      Member node, String from, boolean missed, List<Change> changes);

  /** A part of what a node holds. */
  final class Pulled {
    private final List<Change> changes;
    private final List<Finished> finished;
    private final String next;

    /**
     * @param finished operations that it would know again; with the last part
     * @param next where to go on; empty at the end
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
   * Asks a node for all that it holds of some shards.
   *
   * @param view what the asker knows: the node learns it; one that knows later members refuses
   * @param takeOver shards whose primary the asker is from now on: the node answers for them no
   *     more
   * @param shards all that are wanted
   * @param at where to go on; empty: at the first
   */
  CompletableFuture<Pulled> pull(Member node, View view, BitSet takeOver, BitSet shards, String at);

  /** Asks a node which members it knows. */
  CompletableFuture<View> view(Member node);

  /**
   * Notes that a member called this node: it is there.
   *
   * @param id of that member
   */
  default void heard(String id) {}
}
