// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.QuietLog;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.LoggerFactory;

/*
 * A node answers a write after the other replicas have acknowledged it, so a thread that waits for the
 * answer also waits for the calls between replicas. These calls have a thread pool of their own: with a
 * shared pool, nodes whose threads all wait for writes would deadlock. So do calls that look for the
 * plugin: DataNodes that do not answer them hold up no change.
 */
/**
 * The directory's calls over Hadoop RPC. Calls to one node share a connection and are independent.
 * Each pool, such as those for operations and for calls between replicas, bounds the calls in
 * progress and those that wait, of all nodes and of one, see {@link CallThreads}. Nodes without the
 * plugin, and those that are away, are called rarely, see {@link CallBackoff}. Notices of reads
 * have a small pool, and a backoff of DataNodes that do not take them. Thread-safe.
 */
public final class DirectoryPeers implements Peers, PluginProbe, Closeable {
  private static final int NOTICE_THREADS = 2;
  private static final int PROBE_THREADS = 8;

  private final NodeConnection.Settings<HyCacheDatanodeProtocolPB> settings;
  private final UserGroupInformation user;

  /** For operations, whose answers may depend on other nodes. */
  private final CallThreads operations;

  /** For calls between replicas, which are answered immediately. */
  private final CallThreads replicas;

  private final CallThreads notices;

  /** For calls that look for the plugin. */
  private final CallThreads probes;

  /** Addresses of the members by id. */
  private volatile Map<String, String> addresses = Map.of();

  /** By address; once the members changed, only those of members, or called since. */
  private final Map<String, PeerClient> clients = new ConcurrentHashMap<>();

  private final CallBackoff backoff;
  private final CallBackoff noticeBackoff;
  private final QuietLog awayLog;
  private volatile boolean closed;

  /**
   * Makes a transport.
   *
   * @param timeout of a connect and of an answer, &gt; 0
   * @param threads operations, and calls between replicas, in progress at a time, &gt; 0
   */
  public DirectoryPeers(Configuration conf, Duration timeout, int threads) throws IOException {
    this(conf, timeout, threads, System::nanoTime);
  }

  DirectoryPeers(Configuration conf, Duration timeout, int threads, LongSupplier nanoTime)
      throws IOException {
    this.backoff = new CallBackoff(nanoTime);
    this.noticeBackoff = new CallBackoff(nanoTime);
    this.awayLog = new QuietLog(LoggerFactory.getLogger(DirectoryPeers.class), nanoTime);
    this.settings = new NodeConnection.Settings<>(HyCacheDatanodeProtocolPB.class, conf, timeout);
    this.user = UserGroupInformation.getCurrentUser();
    this.operations = new CallThreads("HyCacheDirectory-", threads);
    this.replicas = new CallThreads("HyCacheDirectoryReplicas-", threads);
    this.notices = new CallThreads("HyCacheReadNotices-", Math.min(NOTICE_THREADS, threads));
    this.probes = new CallThreads("HyCacheDirectoryProbes-", Math.min(PROBE_THREADS, threads));
  }

  @FunctionalInterface
  private interface Call<T> {
    T ask(PeerClient client) throws IOException;
  }

  private <T> CompletableFuture<T> ask(CallThreads threads, Member node, Call<T> call) {
    return ask(threads, backoff, node, call);
  }

  private <T> CompletableFuture<T> ask(
      CallThreads threads, CallBackoff backoff, Member node, Call<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      backoff.check(node.address());
      threads.execute(
          node.address(),
          answer,
          () -> {
            try {
              backoff.check(node.address());
              T value = call.ask(client(node));
              backoff.answered(node.address());
              answer.complete(value);
            } catch (NotActiveException e) {
              backoff.notActive(node.address(), node.id(), e);
              answer.completeExceptionally(e);
            } catch (AwayException e) {
              backoff.away(node.address(), node.id(), e);
              awayLog.warn(
                  e,
                  "A DataNode of the directory is away; it is left out, and asked again after"
                      + " pauses of up to 30 s: address={}",
                  node.address());
              answer.completeExceptionally(e);
            } catch (IOException | RuntimeException | Error e) {
              answer.completeExceptionally(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              answer.completeExceptionally(e);
            }
          });
    } catch (IOException | RejectedExecutionException | Error e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private PeerClient client(Member node) throws IOException, InterruptedException {
    PeerClient known = clients.get(node.address());
    if (known != null) {
      return known;
    }
    PeerClient made =
        user.doAs(
            (PrivilegedExceptionAction<PeerClient>)
                () -> new PeerClient(NetUtils.createSocketAddr(node.address()), settings));
    PeerClient other = clients.putIfAbsent(node.address(), made);
    if (other != null || closed) {
      made.close();
    }
    return other != null ? other : made;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member node, String publisher, long epoch, List<Operation> batch) {
    return ask(operations, node, client -> client.run(publisher, epoch, batch));
  }

  @Override
  public CompletableFuture<List<String>> replicate(
      Member node, String from, boolean missed, List<Change> changes) {
    return ask(replicas, node, client -> client.replicate(from, missed, changes));
  }

  @Override
  public CompletableFuture<Pulled> pull(
      Member node, View view, BitSet takeOver, BitSet shards, String at) {
    return ask(replicas, node, client -> client.pull(view, takeOver, shards, at));
  }

  @Override
  public CompletableFuture<View> view(Member node) {
    return ask(replicas, node, client -> client.view().view);
  }

  /** Reports full reads of blocks to the DataNode to which they are hinted. */
  public CompletableFuture<Boolean> reads(Member node, List<BlockKey> blocks) {
    return ask(notices, noticeBackoff, node, client -> client.reads(blocks));
  }

  @Override
  public CompletableFuture<View> membersOf(Member node) {
    return ask(probes, node, client -> client.view().view);
  }

  @Override
  public boolean hadNoPlugin(Member node) {
    return backoff.hadNoPlugin(node.address());
  }

  @Override
  public boolean isResting(Member node) {
    return backoff.isResting(node.address());
  }

  /** Whether calls to a member are paused: it was away, or without the plugin. */
  public boolean isAway(String id) {
    String address = addresses.get(id);
    return address != null && backoff.isResting(address);
  }

  @Override
  public CompletableFuture<Member> identity(String address) {
    return ask(
        probes,
        new Member("", address),
        client -> {
          String id = client.view().id;
          if (id.isEmpty()) {
            throw new IOException("node did not send its id: address=" + address);
          }
          return new Member(id, address);
        });
  }

  @Override
  public void heard(String id) {
    backoff.called(id);
    String address = addresses.get(id);
    if (address != null) { // its id may not have been known when it was called
      backoff.answered(address);
    }
    noticeBackoff.calledIfAway(id);
  }

  /**
   * Closes the clients of addresses that are no member's; calls in progress may still be answered.
   * New members are called again at once if they had no plugin before. One thread at a time.
   */
  public void retainMembers(Collection<Member> members) {
    Map<String, String> before = addresses;
    Map<String, String> now = new HashMap<>();
    members.forEach(member -> now.put(member.id(), member.address()));
    addresses = Map.copyOf(now);
    now.forEach(
        (id, address) -> {
          if (!address.equals(before.get(id))) {
            backoff.joined(address);
          }
        });
    Set<String> used = new HashSet<>(now.values());
    clients.forEach(
        (address, client) -> {
          if (!used.contains(address) && clients.remove(address, client)) {
            client.close();
          }
        });
  }

  /** Clients that are open, for tests. */
  int clients() {
    return clients.size();
  }

  /** Closes the connections; calls in progress may still be answered. */
  @Override
  public void close() {
    closed = true;
    operations.close();
    replicas.close();
    notices.close();
    probes.close();
    clients.values().forEach(PeerClient::close);
    clients.clear();
  }
}
