// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a member: operations on its own node do not take the network. Thread-safe if the
 * remote peers are.
 */
public final class NearPeers extends ForwardingPeers {
  private final String id;
  private final Supplier<@Nullable DirectoryNode> near;

  /**
   * @param id of the own node
   * @param near supplies the own node; while it is null, the own node is called over the network
   * @param remote the network to all nodes
   */
  public NearPeers(String id, Supplier<@Nullable DirectoryNode> near, Peers remote) {
    super(remote);
    this.id = id;
    this.near = near;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member to, String publisher, long epoch, List<Operation> operations) {
    DirectoryNode own = to.id().equals(id) ? near.get() : null;
    return own != null
        ? own.run(publisher, epoch, operations)
        : super.run(to, publisher, epoch, operations);
  }
}
