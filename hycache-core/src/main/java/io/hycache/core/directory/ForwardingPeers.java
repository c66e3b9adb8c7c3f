// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Passes calls on to other peers; a subclass changes what operations do. */
abstract class ForwardingPeers implements Peers {
  private final Peers others;

  ForwardingPeers(Peers others) {
    this.others = others;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member node, String publisher, long epoch, List<Operation> operations) {
    return others.run(node, publisher, epoch, operations);
  }

  @Override
  public CompletableFuture<List<String>> replicate(
      Member node, String from, boolean missed, List<Change> changes) {
    return others.replicate(node, from, missed, changes);
  }

  @Override
  public CompletableFuture<Pulled> pull(
      Member node, View view, BitSet takeOver, BitSet shards, String at) {
    return others.pull(node, view, takeOver, shards, at);
  }

  @Override
  public CompletableFuture<View> view(Member node) {
    return others.view(node);
  }

  @Override
  public void heard(String id) {
    others.heard(id);
  }
}
