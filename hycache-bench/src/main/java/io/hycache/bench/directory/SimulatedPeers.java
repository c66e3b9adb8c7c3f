// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One node's calls in virtual time: work at both ends, a constant time on the way. */
final class SimulatedPeers implements Peers {
  /** A node as the others see it. */
  static final class Place {
    final Cores cores;
    final List<DirectoryNode> node = new ArrayList<>(1);

    Place(Cores cores) {
      this.cores = cores;
    }

    DirectoryNode node() {
      return node.get(0);
    }
  }

  private final Events events;
  private final Costs costs;
  private final double latencyMicros;
  private final String id;
  private final Map<String, Place> places;
  private final Cores own;

  /**
   * @param latencyMicros of a message, one way
   * @param id of the own node
   * @param places all nodes, the own one among them, by id
   */
  SimulatedPeers(
      Events events, Costs costs, double latencyMicros, String id, Map<String, Place> places) {
    this.events = events;
    this.costs = costs;
    this.latencyMicros = latencyMicros;
    this.id = id;
    this.places = places;
    this.own = place(id).cores;
  }

  private Place place(String of) {
    Place place = places.get(of);
    if (place == null) {
      throw new IllegalStateException("no node " + of);
    }
    return place;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member to, String publisher, long epoch, List<Operation> operations) {
    Place there = place(to.id());
    int count = operations.size();
    CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
    if (to.id().equals(id)) {
      own.work(
          costs.near.of(count),
          () -> pass(there.node().run(publisher, epoch, operations), answer, 0));
    } else {
      call(
          costs.ask.of(count),
          there.cores,
          costs.serve.of(count),
          () -> there.node().run(publisher, epoch, operations),
          answer);
    }
    return answer;
  }

  @Override
  public CompletableFuture<List<String>> replicate(
      Member to, String from, boolean missed, List<Change> changes) {
    Place there = place(to.id());
    int count = changes.size();
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    call(
        costs.replicate.of(count),
        there.cores,
        costs.take.of(count),
        () -> CompletableFuture.completedFuture(there.node().replicate(from, missed, changes)),
        answer);
    return answer;
  }

  private <T> void call(
      double here,
      Cores cores,
      double there,
      Supplier<CompletableFuture<T>> action,
      CompletableFuture<T> answer) {
    own.work(
        here,
        () ->
            events.at(
                events.nowMicros() + latencyMicros,
                () -> cores.work(there, () -> pass(action.get(), answer, latencyMicros))));
  }

  private <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to, double afterMicros) {
    CompletableFuture<?> unused =
        from.whenComplete(
            (value, failure) ->
                events.at(
                    events.nowMicros() + afterMicros,
                    () -> {
                      if (failure == null) {
                        to.complete(value);
                      } else {
                        to.completeExceptionally(failure);
                      }
                    }));
  }

  @Override
  public CompletableFuture<Pulled> pull(
      Member to, View view, BitSet takeOver, BitSet shards, String at) {
    throw new UnsupportedOperationException("all nodes begin with nothing");
  }

  @Override
  public CompletableFuture<View> view(Member of) {
    throw new UnsupportedOperationException("the members stay");
  }
}
