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
 * between replicas. A bounded number waits for these, more fail at once. Thread-safe.
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

  private final Map<String, NodeClient> clients = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param timeout of a connect and of an answer, &gt; 0
   * @param threads operations, and calls between replicas, under way at a time, &gt; 0
   */
  public DirectoryPeers(Configuration conf, Duration timeout, int threads) throws IOException {
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
    T ask(NodeClient client) throws IOException;
  }

  private <T> CompletableFuture<T> ask(ThreadPoolExecutor threads, Member node, Call<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      threads.execute(
          () -> {
            try {
              answer.complete(call.ask(client(node)));
            } catch (IOException | RuntimeException | Error e) {
              answer.completeExceptionally(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              answer.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException | Error e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private NodeClient client(Member node) throws IOException, InterruptedException {
    NodeClient known = clients.get(node.address());
    if (known != null) {
      return known;
    }
    NodeClient made =
        user.doAs(
            (PrivilegedExceptionAction<NodeClient>)
                () ->
                    new NodeClient(
                        NetUtils.createSocketAddr(node.address()),
                        conf,
                        timeout,
                        NodeClient.DEFAULT_BATCH_STEPS));
    NodeClient other = clients.putIfAbsent(node.address(), made);
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
    return ask(replicas, node, NodeClient::view);
  }

  /** Ends; what is under way may still be answered. */
  @Override
  public void close() {
    closed = true;
    operations.shutdownNow();
    replicas.shutdownNow();
    clients.values().forEach(NodeClient::close);
    clients.clear();
  }
}
