// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.NearPeers;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.SharedCalls;
import io.hycache.core.directory.View;
import io.hycache.hdfs.rpc.DirectoryPeers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.jspecify.annotations.Nullable;

/**
 * A node of the directory, wired as in a DataNode: its share behind a Hadoop RPC server, and
 * clients that reach their own node at once and the others over Hadoop RPC. Or clients alone.
 */
final class DirectoryPart implements Part {
  private static final String HOST = "127.0.0.1";
  private static final int HANDLERS = 8;
  private static final int CALL_THREADS = 16;
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
  private static final long JOIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final String id;
  private final int replicas;
  private final boolean asks;
  private final DirectoryPeers remote;
  private final @Nullable DirectoryNode node;
  private final RPC.@Nullable Server server;
  private final DirectoryClient client;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<DirectoryWorkload> clients = new ArrayList<>();
  private volatile Ring ring;

  /**
   * Starts.
   *
   * @param member whether it has a share
   * @param asks whether it has clients
   */
  DirectoryPart(String id, int replicas, boolean member, boolean asks) throws IOException {
    this.id = id;
    this.asks = asks;
    this.replicas = replicas;
    this.ring = new Ring(List.of(), replicas);
    Configuration conf = new Configuration();
    this.remote = new DirectoryPeers(conf, CALL_TIMEOUT, CALL_THREADS);
    DirectoryNode share = null;
    if (member) {
      share =
          new DirectoryNode(
              id,
              replicas,
              Runtime.getRuntime().maxMemory() / 2,
              remote,
              RecordJournal.NONE,
              System::currentTimeMillis);
      ScheduledFuture<?> unused =
          timer.scheduleWithFixedDelay(
              share::tick, 0, DirectoryNode.TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
    DirectoryNode own = share;
    this.node = own;
    this.server = own == null ? null : DirectoryServer.start(conf, HOST, HANDLERS, own);
    DirectoryClient.Timer later =
        (millis, action) -> {
          ScheduledFuture<?> unused = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
        };
    Peers others = new SharedCalls(remote, later, System::currentTimeMillis);
    Peers peers = new NearPeers(id, () -> own, others);
    this.client =
        new DirectoryClient(
            () -> ring,
            () -> {},
            peers,
            later,
            System::currentTimeMillis,
            () -> ThreadLocalRandom.current().nextLong() | 1);
  }

  @Override
  public String address() {
    return server == null ? "" : HOST + ":" + server.getListenerAddress().getPort();
  }

  @Override
  public void join(List<Member> members) throws IOException, InterruptedException {
    ring = new Ring(members, replicas);
    if (node == null) {
      return;
    }
    node.learn(new View(System.currentTimeMillis(), members));
    long end = System.nanoTime() + JOIN_TIMEOUT_NANOS;
    while (node.status().pullingShards > 0) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(id + " waits for " + node.status().pullingShards + " shards");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Override
  public List<Workload> workloads(Phase phase) {
    if (!asks) {
      return List.of();
    }
    for (int i = clients.size(); i < phase.clients; i++) {
      clients.add(new DirectoryWorkload(client, id + "-" + i, address(), phase));
    }
    List<DirectoryWorkload> of = clients.subList(0, phase.clients);
    of.forEach(one -> one.begin(phase));
    return new ArrayList<>(of);
  }

  @Override
  public AppendedNames appended(String phase) throws Exception {
    AppendedNames names = new AppendedNames();
    for (int number = 0; ; number++) {
      String key = DirectoryWorkload.shared(phase, number);
      int from = 0;
      Outcome part;
      do {
        part = client.run(List.of(Operation.get(key, from)), CALL_TIMEOUT.toMillis()).get().get(0);
        part.entries().forEach(entry -> names.add(new String(entry, UTF_8)));
        from += part.entries().size();
      } while (part.more());
      if (!part.isOk()) {
        return names;
      }
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop();
    }
    remote.close();
    timer.shutdownNow();
  }
}
