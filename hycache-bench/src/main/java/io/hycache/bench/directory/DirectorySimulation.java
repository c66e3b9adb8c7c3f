// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/*
 * The nodes and clients of the directory, the very classes that DataNodes run, over calls in virtual
 * time. What they do is real, how long it takes is not:
 *
 * - A node is one server of CPU work, first come first served; or all nodes share a number of them,
 *   as processes on one machine do. A call of k operations costs a + b k, with an a and a b of its own
 *   at the asking node, at the owner, and for each call to a replica at both ends (Costs). What is
 *   asked of the own node costs no call.
 * - A message takes a constant time on the network, which is never full.
 * - No garbage collection, no compiler, no failures, no news of members, no disk.
 *
 * Two kinds of clients, each in a closed loop, that create files:
 *
 * - SPLIT: `batch` operations under names of their own, whatever their owners are. A client has as
 *   many operations under way as `batch` says: the more owners, the smaller the calls.
 * - FULL: a client gathers operations for each owner and sends them when they are `batch`, so that all
 *   calls are full whatever the number of nodes; the operations that wait in it grow with it. Gathering
 *   is skipped: an owner is drawn in proportion to its shards, and `batch` names are drawn from these,
 *   through the part of the name in braces. A file is therefore in a random shard, as before.
 *
 * Memory: about 150 KB a node, and 300 bytes for each copy of a record and what its node remembers of
 * the write.
 */
/** Creates files in a directory of many nodes, in virtual time. Deterministic; used once. */
final class DirectorySimulation {
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;
  private static final long TIMEOUT_MILLIS = 10_000_000;
  private static final long NODE_BYTES = 1L << 40;
  private static final int[] NO_SHARDS = {};

  /** How the nodes are and what their clients do. */
  static final class Form {
    final int nodes;

    /** That all nodes share; 0: each has one of its own. */
    final int sharedCores;

    final Row.Calls calls;
    final int clients;
    final int batch;
    final double latencyMicros;
    final int replicas;
    final long seed;

    Form(
        int nodes,
        int sharedCores,
        Row.Calls calls,
        int clients,
        int batch,
        double latencyMicros,
        int replicas,
        long seed) {
      this.nodes = nodes;
      this.sharedCores = sharedCores;
      this.calls = calls;
      this.clients = clients;
      this.batch = batch;
      this.latencyMicros = latencyMicros;
      this.replicas = replicas;
      this.seed = seed;
    }
  }

  private final Form form;
  private final Costs costs;
  private final Events events = new Events();
  private final Random random;
  private final Ring ring;
  private final String[] tags;
  private final Map<Member, int[]> shards = new HashMap<>();
  private final Histogram latency = PhaseResult.newHistogram();
  private double fromMicros = Double.MAX_VALUE;
  private double toMicros = Double.MAX_VALUE;
  private long tokens;
  private long operations;
  private long errors;

  /** A thread of a node. */
  private final class Client {
    private final DirectoryClient directory;
    private final String owner;
    private final byte[] record;
    private long created;

    Client(DirectoryClient directory, String owner) {
      this.directory = directory;
      this.owner = owner;
      this.record = FileRecord.empty("127.0.0.1:9867", true);
    }

    void next() {
      double begin = events.nowMicros();
      List<Operation> batch = new ArrayList<>(form.batch);
      int[] of = form.calls == Row.Calls.FULL ? shardsOfSome() : NO_SHARDS;
      for (int i = 0; i < form.batch; i++) {
        String tag = of.length == 0 ? "" : tags[of[random.nextInt(of.length)]];
        batch.add(Operation.cas("/f/" + owner + "/" + tag + created++, 0, record));
      }
      CompletableFuture<?> unused =
          directory.run(batch, TIMEOUT_MILLIS).thenAccept(outcomes -> took(outcomes, begin));
    }

    private void took(List<Outcome> outcomes, double begin) {
      double now = events.nowMicros();
      long failed = outcomes.stream().filter(outcome -> !outcome.isOk()).count();
      errors += failed;
      if (now >= fromMicros && now < toMicros) {
        operations += outcomes.size() - failed;
        latency.recordValue((long) ((now - begin) * 1000));
      }
      if (now < toMicros) {
        next();
      }
    }
  }

  /** Builds the nodes. O(nodes * shards). */
  DirectorySimulation(Form form, Costs costs) {
    this.form = form;
    this.costs = costs;
    this.random = new Random(form.seed);
    this.tags = form.calls == Row.Calls.FULL ? tags() : new String[0];
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < form.nodes; i++) {
      members.add(new Member("n" + i, "n" + i + ":9867"));
    }
    this.ring = new Ring(members, form.replicas);
    Cores shared = new Cores(events, Math.max(1, form.sharedCores));
    Map<String, SimulatedPeers.Place> places = new HashMap<>();
    for (Member member : members) {
      Cores cores = form.sharedCores > 0 ? shared : new Cores(events, 1);
      places.put(member.id(), new SimulatedPeers.Place(cores));
    }
    View view = new View(EPOCH_MILLIS, members);
    for (Member member : members) {
      begin(member, view, places);
    }
  }

  private long millis() {
    return EPOCH_MILLIS + (long) (events.nowMicros() / 1000);
  }

  private void begin(Member member, View view, Map<String, SimulatedPeers.Place> places) {
    SimulatedPeers peers =
        new SimulatedPeers(events, costs, form.latencyMicros, member.id(), places);
    DirectoryNode node =
        new DirectoryNode(
            member.id(), form.replicas, NODE_BYTES, peers, RecordJournal.NONE, this::millis);
    node.found(view, ring);
    SimulatedPeers.Place place = places.get(member.id());
    if (place != null) {
      place.node.add(node);
    }
    DirectoryClient client =
        new DirectoryClient(
            () -> ring,
            () -> {},
            peers,
            (millis, action) -> events.at(events.nowMicros() + millis * 1000.0, action),
            this::millis,
            () -> ++tokens);
    for (int i = 0; i < form.clients; i++) {
      Client one = new Client(client, member.id() + "-" + i);
      events.at(random.nextDouble() * form.latencyMicros, one::next);
    }
  }

  /** About what all clients' next calls take, if the nodes never wait. */
  private double roundMicros() {
    double copies = Math.min(form.nodes, form.replicas) - 1.0;
    int k = form.calls == Row.Calls.FULL ? form.batch : Math.max(1, form.batch / form.nodes);
    Costs.Side all =
        form.nodes == 1
            ? costs.near
            : costs.ask.plus(costs.serve).plus(costs.replicate.plus(costs.take).times(copies));
    double cores = form.sharedCores > 0 ? form.sharedCores / (double) form.nodes : 1;
    double micros = form.clients * (form.batch / (double) k) * all.of(k) / cores;
    return micros + 4 * form.latencyMicros;
  }

  /** The shards of the primary of one of them. */
  private int[] shardsOfSome() {
    Member owner = ring.owner(random.nextInt(Ring.SHARDS), 0);
    return shards.computeIfAbsent(owner, m -> ring.shards(m, 0).stream().toArray());
  }

  /** For each shard a text that names with it are in. */
  private static String[] tags() {
    String[] out = new String[Ring.SHARDS];
    int left = out.length;
    for (int i = 0; left > 0; i++) {
      String tag = "{" + Integer.toString(i, Character.MAX_RADIX) + "}";
      int shard = Ring.shardOf(tag);
      if (out[shard] == null) {
        out[shard] = tag;
        left--;
      }
    }
    return out;
  }

  /** Runs it for about as many calls of each client. The first third is not measured. */
  Row run(int rounds, Row.Setting setting) {
    double round = roundMicros();
    double warmupMicros = rounds * round / 3;
    double micros = rounds * round - warmupMicros;
    fromMicros = warmupMicros;
    toMicros = warmupMicros + micros;
    events.runTo(toMicros);
    Phase phase =
        new Phase(
            Phase.Operation.CREATE,
            "",
            form.clients,
            form.batch,
            (long) (warmupMicros / 1000),
            (long) (micros / 1000),
            form.seed);
    int cores = form.sharedCores > 0 ? form.sharedCores : form.nodes;
    return new Row(
        Row.SIMULATION,
        phase,
        form.nodes,
        form.calls,
        operations * 1e6 / micros,
        latency,
        errors,
        cores,
        setting);
  }
}
