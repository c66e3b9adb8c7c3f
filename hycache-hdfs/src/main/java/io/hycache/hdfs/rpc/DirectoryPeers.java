package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/*
 * A write is answered when the other replicas have it: a thread that waits for one node's answer waits
 * for what that node asks of others. What nodes tell each other about changes therefore has threads of
 * its own: with the same ones, nodes whose threads all wait for writes would wait for each other.
 */
/**
 * The directory's calls over Hadoop RPC. Calls to one node share a connection and don't wait for
 * each other; at most as many operations are under way as there are threads, and as many calls
 * between replicas. A bounded number waits for these, more fail at once. Nodes without the plugin
 * are left alone, see {@link Rests}. Thread-safe.
 */
public final class DirectoryPeers implements Peers, Closeable {
  private static final int MOST_WAITING = 10_000;
  private static final int IDLE_SECONDS = 30;

  private final Configuration conf;
  private final Duration timeout;
  private final UserGroupInformation user;

  /** For operations, whose answers may wait for other nodes. */
  private final ThreadPoolExecutor operations;

  /** For what is answered at once. */
  private final ThreadPoolExecutor replicas;

  private final Map<String, PeerClient> clients = new ConcurrentHashMap<>();

  private final Rests rests;
  private volatile boolean closed;

  /**
   * @param timeout of a connect and of an answer, &gt; 0
   * @param threads operations, and calls between replicas, under way at a time, &gt; 0
   */
  public DirectoryPeers(Configuration conf, Duration timeout, int threads) throws IOException {
    this(conf, timeout, threads, System::nanoTime);
  }

  DirectoryPeers(Configuration conf, Duration timeout, int threads, LongSupplier nanoTime)
      throws IOException {
    this.rests = new Rests(nanoTime);
    this.conf = conf;
    this.timeout = timeout;
    this.user = UserGroupInformation.getCurrentUser();
    this.operations = pool("HyCacheDirectory-", threads);
    this.replicas = pool("HyCacheDirectoryReplicas-", threads);
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @FunctionalInterface
  private interface Call<T> {
    T ask(PeerClient client) throws IOException;
  }

  private <T> CompletableFuture<T> ask(ThreadPoolExecutor threads, Member node, Call<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      rests.check(node.address());
      threads.execute(
          () -> {
            try {
              rests.check(node.address());
              T value = call.ask(client(node));
              rests.answered(node.address());
              answer.complete(value);
            } catch (NotActiveException e) {
              rests.notActive(node.address(), node.id(), e);
              answer.completeExceptionally(e);
            } catch (IOException | RuntimeException | Error e) {
              answer.completeExceptionally(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              answer.completeExceptionally(e);
            }
          });
    } catch (NotActiveException | RejectedExecutionException | Error e) {
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
                () -> new PeerClient(NetUtils.createSocketAddr(node.address()), conf, timeout));
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

  /** Asks the node at an address, host:port, who it is. */
  public CompletableFuture<Member> identity(String address) {
    return ask(
        replicas,
        new Member("", address),
        client -> {
          String id = client.view().id;
          if (id.isEmpty()) {
            throw new IOException("node does not say who it is: address=" + address);
          }
          return new Member(id, address);
        });
  }

  @Override
  public void heard(String id) {
    rests.heard(id);
  }

  /** Ends; what is under way may still be answered. */
  @Override
  public void close() {
    closed = true;
    operations.shutdownNow();
    replicas.shutdownNow();
    clients.values().forEach(PeerClient::close);
    clients.clear();
  }
}
