// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import com.google.common.collect.Iterables;
import io.hycache.core.hint.AuditLine;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.rpc.AwayException;
import io.hycache.hdfs.rpc.BlockTokens;
import io.hycache.hdfs.rpc.CallBackoff;
import io.hycache.hdfs.rpc.NodeClient;
import io.hycache.hdfs.rpc.NotActiveException;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Any DataNode with a part in the directory answers for all blocks, so that a client needs one connection: it
 * stays with the DataNode that answered last, and begins with one that holds a block of the file in question.
 * The DataNode checks the blocks' access tokens, which also authenticate a client without a Kerberos ticket.
 * Answers are kept for some seconds. When the time is up before there is an answer, no DataNode is asked for a while. If the
 * answer comes after all, and a connection was made for it, that took the time, and the next question finds the connection:
 * DataNodes are asked again. An answer that was late without that ends no pause, or each question would wait in vain where
 * the directory is always late. The first question of a process loads classes, makes a connection and negotiates its
 * security, which takes a second where the machine is busy: a task would not get its only answer in the time of the others.
 * A block without a token can't be asked for where there are tokens: one of them would have all of the question refused.
 */
/**
 * Asks the directory which DataNodes have blocks on SSD, in a bounded time. What it says may be
 * old. Thread-safe.
 */
public final class SsdHolders implements Closeable {
  /** Context of calls that the NameNode takes for an open, and that read nothing. */
  public static final CallerContext LOOK_UP = new CallerContext.Builder(AuditLine.LOOK_UP).build();

  private static final Logger LOG = LoggerFactory.getLogger(SsdHolders.class);
  private static final long FAILURE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int QUERY_THREADS = 8;

  /** Blocks of one question of a client that resolves a manifest: those of one call. */
  private static final int PART_BLOCKS = NodeClient.DEFAULT_CHUNK_REFERENCES;

  /** Questions that wait for a thread; while there are more, no DataNode is asked. */
  private static final int MAX_WAITING = 64;

  /**
   * DataNodes that one question may find away, or be refused by: each costs the time of a call. One
   * without the plugin or a part in the directory does not count, as it is seldom asked again.
   */
  private static final int MAX_FAILURES = 3;

  /** Threads end when nothing is asked for so long, as file systems are not always closed. */
  private static final long THREAD_IDLE_SECONDS = 10;

  /** The first question of a schedule or a read may take so many times as long as the others. */
  private static final int FIRST_QUERY_TIMEOUT_FACTOR = 5;

  /** A block token that a connection was made with may have expired when it is made again. */
  private static final long MAX_CONNECTION_AGE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Configuration conf;
  private final Duration timeout;
  private final Duration firstTimeout;
  private final Duration callTimeout;
  private final boolean withTokens;
  private final UserGroupInformation user;
  private final ThreadPoolExecutor threads;
  private final CallBackoff backoff = new CallBackoff(System::nanoTime);
  private final RecentAnswers kept = new RecentAnswers(System::nanoTime);

  /** Guarded by this. */
  private NodeClient.@Nullable Settings calls;

  private volatile @Nullable Answering last;
  private volatile long pausedUntilNanos = System.nanoTime();
  private volatile boolean failed;
  private volatile boolean asked;

  /** The DataNode that answered last. */
  private static final class Answering {
    final String address;
    final NodeClient client;
    final long sinceNanos = System.nanoTime();

    Answering(String address, NodeClient client) {
      this.address = address;
      this.client = client;
    }
  }

  /**
   * @param timeout most that a question takes, &gt; 0
   * @throws IllegalArgumentException if a setting is out of range
   */
  public SsdHolders(Configuration conf, Duration timeout) throws IOException {
    this(conf, timeout, timeout, DataNodes::daemon);
  }

  /**
   * @param firstTimeout most that the first question takes, &gt; 0
   * @param threads of the questions
   */
  SsdHolders(Configuration conf, Duration timeout, Duration firstTimeout, ThreadFactory threads)
      throws IOException {
    this.conf = conf;
    this.timeout = timeout;
    this.firstTimeout = firstTimeout;
    this.withTokens =
        UserGroupInformation.isSecurityEnabled()
            || conf.getBoolean(
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    this.callTimeout = new ClientSettings(conf).timeout;
    this.threads =
        new ThreadPoolExecutor(
            QUERY_THREADS,
            QUERY_THREADS,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            threads);
    this.threads.allowCoreThreadTimeOut(true);
    this.user = UserGroupInformation.getCurrentUser();
  }

  /** A located block's access token; null if the cluster uses none. */
  public static @Nullable Token<BlockTokenIdentifier> token(LocatedBlock block) {
    Token<BlockTokenIdentifier> token = block.getBlockToken();
    return token == null || token.getIdentifier().length == 0 ? null : token;
  }

  /**
   * Who has these blocks on SSD, as UUIDs of DataNodes. Blocks of which nothing is known in time
   * are left out; those that are known to be on no SSD have an empty set.
   *
   * @param tokens of the blocks
   * @param seeds IPC addresses, host:port, of DataNodes that may have a part in the directory, such
   *     as those that hold the blocks
   */
  public Map<BlockKey, Set<String>> of(
      Collection<BlockKey> blocks, BlockTokens tokens, Collection<String> seeds) {
    Map<BlockKey, Set<String>> out = kept.of(blocks);
    Set<BlockKey> unknown = new LinkedHashSet<>(blocks);
    unknown.removeAll(out.keySet());
    if (withTokens) {
      unknown.removeIf(block -> tokens.of(block) == null);
    }
    if (unknown.isEmpty() || isResting()) {
      return out;
    }
    try {
      // Goes on when the time is up: the next question finds its answer, or its connection.
      Future<?> answer = threads.submit(() -> ask(List.copyOf(unknown), tokens, seeds));
      Duration limit = asked ? timeout : firstTimeout;
      asked = true;
      answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      failed = false;
      out.putAll(kept.of(unknown));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | RejectedExecutionException e) {
      rest("no answer in time");
    } catch (ExecutionException e) {
      rest(String.valueOf(e.getCause()));
    } catch (OutOfMemoryError e) {
      rest(e.toString()); // no thread could be started
    }
    return out;
  }

  /**
   * True if a block can't be asked for without its token. The NameNode gives tokens with a file's
   * blocks, but none with those of a listing.
   */
  public boolean isWithTokens() {
    return withTokens;
  }

  /** True while no DataNode is asked. */
  public boolean isResting() {
    return System.nanoTime() - pausedUntilNanos < 0;
  }

  /** Most that a question takes, but for the first. */
  public Duration timeout() {
    return timeout;
  }

  /** A recent answer; null if there is none. Makes no call. */
  public @Nullable Set<String> known(BlockKey block) {
    return kept.get(block);
  }

  private void rest(String cause) {
    pausedUntilNanos = System.nanoTime() + FAILURE_PAUSE_NANOS;
    if (!failed) {
      LOG.info("The directory of blocks on SSD did not answer; going on as plain HDFS: {}", cause);
    }
    failed = true;
  }

  /**
   * As {@link #of(Collection, BlockTokens, Collection)}, for any number of blocks: more than the
   * answers that are kept, and each part in the time of a question. Of their holders one is asked.
   */
  Map<BlockKey, Set<String>> of(Collection<BlockReplicas> blocks) {
    Map<BlockKey, Set<String>> out = new HashMap<>();
    for (List<BlockReplicas> part : Iterables.partition(blocks, PART_BLOCKS)) {
      out.putAll(ofPart(part));
    }
    return out;
  }

  private Map<BlockKey, Set<String>> ofPart(List<BlockReplicas> blocks) {
    Map<BlockKey, BlockReplicas> keyed = new LinkedHashMap<>();
    Set<String> seeds = new LinkedHashSet<>();
    for (BlockReplicas block : blocks) {
      keyed.put(block.block, block);
      block.holders.forEach(holder -> seeds.add(holder.ipcAddress()));
    }
    return of(
        keyed.keySet(),
        key -> {
          BlockReplicas block = keyed.get(key);
          return block == null ? null : block.token;
        },
        seeds);
  }

  /** Asks one DataNode after the other until one answers. */
  private @Nullable Void ask(List<BlockKey> blocks, BlockTokens tokens, Collection<String> seeds)
      throws IOException, InterruptedException {
    Answering before = last;
    if (before != null && System.nanoTime() - before.sinceNanos < MAX_CONNECTION_AGE_NANOS) {
      try {
        keep(blocks, before.client.holders(blocks, tokens));
        return null;
      } catch (IOException e) {
        LOG.debug("the DataNode that answered last does not: {}", before.address, e);
      }
    }
    forget(before);
    List<String> order = new ArrayList<>(seeds);
    Collections.shuffle(order);
    IOException failure = new IOException("no DataNode is known that could be asked");
    int failures = 0;
    for (String seed : order) {
      if (failures == MAX_FAILURES) {
        break;
      }
      try {
        backoff.check(seed);
      } catch (IOException e) {
        failure = e;
        continue;
      }
      try {
        NodeClient client = connect(seed, tokens.of(blocks.get(0)));
        try {
          keep(blocks, client.holders(blocks, tokens));
        } catch (IOException | RuntimeException | Error e) {
          client.close();
          throw e;
        }
        backoff.answered(seed);
        replace(new Answering(seed, client));
        pausedUntilNanos = System.nanoTime();
        return null;
      } catch (NotActiveException e) {
        backoff.notActive(seed, "", e);
        failure = e;
      } catch (AwayException e) {
        backoff.away(seed, "", e);
        failure = e;
        failures++;
      } catch (IOException e) {
        // Such as a token that has expired, or a user whom the service's ACL excludes: says nothing
        // about the DataNode, and the others may do the same.
        failure = e;
        failures++;
      }
    }
    throw failure;
  }

  /** For tests: DataNodes that are not asked again yet. */
  int away() {
    return backoff.size();
  }

  private NodeClient connect(String address, @Nullable Token<BlockTokenIdentifier> token)
      throws IOException, InterruptedException {
    return NodeClient.caller(user, token)
        .doAs(
            (PrivilegedExceptionAction<NodeClient>)
                () -> new NodeClient(NetUtils.createSocketAddr(address), calls()));
  }

  /** Made with the first connection, which many clients never need. */
  private synchronized NodeClient.Settings calls() {
    NodeClient.Settings known = calls;
    if (known == null) {
      known = new NodeClient.Settings(conf, callTimeout, NodeClient.DEFAULT_CHUNK_REFERENCES);
      calls = known;
    }
    return known;
  }

  private synchronized void replace(Answering next) {
    Answering before = last;
    last = threads.isShutdown() ? null : next;
    if (last == null) {
      next.client.close();
    }
    if (before != null) {
      before.client.close();
    }
  }

  private synchronized void forget(@Nullable Answering old) {
    if (old != null && last == old) {
      last = null;
      old.client.close();
    }
  }

  private void keep(List<BlockKey> blocks, List<Optional<Set<String>>> answers) throws IOException {
    int known = 0;
    for (int i = 0; i < blocks.size(); i++) {
      Optional<Set<String>> holders = answers.get(i);
      if (holders.isPresent()) {
        kept.put(blocks.get(i), holders.get());
        known++;
      }
    }
    if (known == 0) {
      throw new IOException("the directory does not answer");
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    forget(last);
  }

  /** How a schedule is asked to follow the directory. */
  public enum Locality {
    OFF,
    PREFER,
    ONLY
  }

  /** As the client's settings say; null if it is off. */
  public static @Nullable SsdHolders from(Configuration conf) throws IOException {
    ClientSettings settings = new ClientSettings(conf);
    return settings.locality == Locality.OFF
        ? null
        : new SsdHolders(
            conf,
            settings.localityTimeout,
            settings.localityTimeout.multipliedBy(FIRST_QUERY_TIMEOUT_FACTOR),
            DataNodes::daemon);
  }

  /** What the client's settings say. */
  public static Locality locality(Configuration conf) {
    return new ClientSettings(conf).locality;
  }
}
