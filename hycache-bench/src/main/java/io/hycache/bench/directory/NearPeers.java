package io.hycache.bench.directory;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is asked of the own node takes no way over the network, as in a DataNode. */
final class NearPeers implements Peers {
  private final String id;
  private final Supplier<@Nullable DirectoryNode> near;
  private final Peers remote;

  /**
   * @param id of the own node
   * @param near the own node; null: none
   */
  NearPeers(String id, Supplier<@Nullable DirectoryNode> near, Peers remote) {
    this.id = id;
    this.near = near;
    this.remote = remote;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member to, String publisher, long epoch, List<Operation> operations) {
    DirectoryNode own = to.id().equals(id) ? near.get() : null;
    return own != null
        ? own.run(publisher, epoch, operations)
        : remote.run(to, publisher, epoch, operations);
  }

  @Override
  public CompletableFuture<List<String>> replicate(
      Member to, String from, boolean missed, List<Change> changes) {
    return remote.replicate(to, from, missed, changes);
  }

  @Override
  public CompletableFuture<Pulled> pull(
      Member to, View view, BitSet takeOver, BitSet shards, String at) {
    return remote.pull(to, view, takeOver, shards, at);
  }

  @Override
  public CompletableFuture<View> view(Member of) {
    return remote.view(of);
  }
}
