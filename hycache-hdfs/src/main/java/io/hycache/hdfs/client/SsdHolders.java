package io.hycache.hdfs.client;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.directory.BlockRecords;
import io.hycache.hdfs.rpc.DirectoryPeers;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The members come from any DataNode that is at hand, such as one that holds a block of the file in
 * question, and are asked for again in the background. All blocks of a question go out at once: one
 * call to each owner, and neighbouring blocks have the same one. Answers are kept for some seconds.
 * When the time is up before there is an answer, nobody is asked for a while.
 */
/**
 * Asks the directory which DataNodes have blocks on SSD, in a bounded time. What it says may be
 * old. Thread-safe.
 */
public final class SsdHolders implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SsdHolders.class);
  private static final long MEMBERS_OLD_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int KEPT_SECONDS = 5;
  private static final int MOST_KEPT = 100_000;
  private static final int CALL_THREADS = 8;

  private final DirectoryPeers peers;
  private final DirectoryClient client;
  private final int replicas;
  private final Duration timeout;
  private final Cache<BlockKey, Set<String>> kept =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_KEPT)
          .expireAfterWrite(Duration.ofSeconds(KEPT_SECONDS))
          .build();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Ring ring;
  private volatile long askedNanos;
  private volatile long restUntilNanos = System.nanoTime();
  private volatile boolean failed;

  /**
   * @param timeout most that a question takes, &gt; 0
   * @throws IllegalArgumentException if a setting is out of range
   */
  public SsdHolders(Configuration conf, Duration timeout) throws IOException {
    ClientSettings settings = new ClientSettings(conf);
    this.timeout = timeout;
    this.replicas = settings.directoryReplicas;
    this.ring = new Ring(List.of(), replicas);
    this.peers = new DirectoryPeers(conf, settings.timeout, CALL_THREADS);
    this.client =
        new DirectoryClient(
            () -> ring,
            this::askMembersAgain,
            peers,
            (millis, action) ->
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(action),
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
            () -> ThreadLocalRandom.current().nextLong() | 1);
  }

  /**
   * Who has these blocks on SSD, as UUIDs of DataNodes. Blocks of which nothing is known in time
   * are left out; those that are known to be on no SSD have an empty set.
   *
   * @param seeds DataNodes that may know the members
   */
  public Map<BlockKey, Set<String>> of(Collection<BlockKey> blocks, Collection<Member> seeds) {
    Map<BlockKey, Set<String>> out = new HashMap<>(kept.getAllPresent(blocks));
    Set<BlockKey> unknown = new LinkedHashSet<>(blocks);
    unknown.removeAll(out.keySet());
    if (unknown.isEmpty() || System.nanoTime() - restUntilNanos < 0) {
      return out;
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      learnMembers(seeds, deadline);
      ask(new ArrayList<>(unknown), deadline, out);
      failed = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      restUntilNanos = System.nanoTime() + REST_NANOS;
      if (!failed) {
        LOG.info("The directory of blocks on SSD did not answer; going on as plain HDFS: {}", e);
      }
      failed = true;
    }
    return out;
  }

  /** As {@link #of(Collection, Collection)}; their holders may know the members. */
  Map<BlockKey, Set<String>> of(Collection<BlockReplicas> blocks) {
    List<BlockKey> keys = new ArrayList<>();
    Set<DataNode> seeds = new LinkedHashSet<>();
    for (BlockReplicas block : blocks) {
      keys.add(block.block);
      seeds.addAll(block.holders);
    }
    return of(keys, DataNode.members(seeds));
  }

  private void ask(List<BlockKey> blocks, long deadline, Map<BlockKey, Set<String>> out)
      throws IOException, InterruptedException {
    List<Operation> operations = new ArrayList<>(blocks.size());
    blocks.forEach(block -> operations.add(BlockRecords.asked(block)));
    List<Outcome> outcomes = await(client.run(operations, timeout.toMillis()), deadline);
    int answered = 0;
    for (int i = 0; i < blocks.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (outcome.isOk()) {
        Set<String> holders = new HashSet<>();
        for (Row row : outcome.rows()) {
          BlockRecords.OnSsd one = BlockRecords.read(row);
          if (one != null) {
            holders.add(one.datanode());
          }
        }
        answered++;
        kept.put(blocks.get(i), holders);
        out.put(blocks.get(i), holders);
      }
    }
    if (answered == 0) {
      throw new IOException(outcomes.get(0).toString());
    }
  }

  /** All that the directory knows of blocks, newest first of each key; for an overview. */
  public List<BlockRecords.OnSsd> all(Collection<Member> seeds)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    learnMembers(seeds, deadline);
    List<BlockRecords.OnSsd> out = new ArrayList<>();
    String after = "";
    while (true) {
      Outcome part =
          await(
                  client.run(
                      List.of(Operation.list(BlockRecords.all(), after)), timeout.toMillis()),
                  System.nanoTime() + timeout.toNanos())
              .get(0);
      if (!part.isOk()) {
        throw new IOException("the directory did not answer: " + part);
      }
      for (Row row : part.rows()) {
        BlockRecords.OnSsd one = BlockRecords.read(row);
        if (one != null) {
          out.add(one);
        }
        after = row.key();
      }
      if (!part.more()) {
        return out;
      }
    }
  }

  // ---- members ----------------------------------------------------------------------------------

  private void learnMembers(Collection<Member> seeds, long deadline)
      throws IOException, InterruptedException {
    if (ring.replicas() > 0) {
      if (System.nanoTime() - askedNanos > MEMBERS_OLD_NANOS) {
        askMembersAgain();
      }
      return;
    }
    IOException last = new IOException("no DataNode is known that could tell the members");
    for (Member seed : seeds) {
      try {
        learn(await(peers.view(seed), deadline));
      } catch (IOException e) {
        last = e;
      }
      if (ring.replicas() > 0) {
        return;
      }
    }
    throw last;
  }

  private void learn(View view) {
    askedNanos = System.nanoTime();
    if (!view.members().isEmpty() && !view.members().equals(ring.members())) {
      ring = new Ring(view.members(), replicas);
    }
  }

  /** In the background, from any member. */
  private void askMembersAgain() {
    List<Member> members = ring.members();
    if (members.isEmpty() || !asking.compareAndSet(false, true)) {
      return;
    }
    Member any = members.get(ThreadLocalRandom.current().nextInt(members.size()));
    CompletableFuture<?> unused =
        peers
            .view(any)
            .whenComplete(
                (view, failure) -> {
                  if (failure == null) {
                    learn(view);
                  }
                  asking.set(false);
                });
  }

  private static <T> T await(CompletableFuture<T> answer, long deadline)
      throws IOException, InterruptedException {
    try {
      return answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer in time", e);
    }
  }

  @Override
  public void close() {
    peers.close();
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
        : new SsdHolders(conf, settings.localityTimeout);
  }

  /** What the client's settings say. */
  public static Locality locality(Configuration conf) {
    return new ClientSettings(conf).locality;
  }
}
