// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.NearPeers;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.SharedCalls;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.core.move.RequestedTask;
import io.hycache.core.spi.Neighbours;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.rpc.BlockDirectory;
import io.hycache.hdfs.rpc.DirectoryPeers;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DataNode's part in the directory: its share of the records, the members, and the publisher of
 * its own blocks. Two daemon threads, those of its calls, and one for a journal; no other thread
 * waits for them.
 */
public final class DirectoryHost implements BlockDirectory, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryHost.class);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);
  private static final int CALL_THREADS = 16;
  private static final long FLUSH_MILLIS = 20;
  private static final long NOTICE_MILLIS = 200;

  private final DirectoryNode node;
  private final DirectoryPeers remote;
  private final BlockLookUps lookUps;
  private final ReadNotices notices;
  private final BlockPublisher publisher;
  private final EpochAnnouncer announcer;
  private final LiveDataNodes nameNode;
  private final MemberWatch members;
  private final ScheduledExecutorService timer;

  /** A tick before the next periodic one. */
  private final RequestedTask nextTick;

  /** Its thread waits for the NameNode, and ends when there is nothing to ask. */
  private final ThreadPoolExecutor watcher;

  private final Rounds rounds = new Rounds(System::nanoTime);
  private volatile View publishedView = View.NONE;

  /**
   * Starts.
   *
   * @param id the DataNode's UUID
   * @param remote the other members; closed with this
   * @param nameNode lists the live DataNodes; closed with this
   * @param republish interval at which all blocks on SSD are published again
   */
  DirectoryHost(
      String id,
      DirectoryPeers remote,
      LiveDataNodes nameNode,
      RecordJournal journal,
      int replicas,
      long mostBytes,
      Duration republish) {
    this.remote = remote;
    this.nameNode = nameNode;
    LongSupplier steady = new SteadyClock();
    Peers others = new SharedCalls(remote, this::after, steady);
    Peers peers = new NearPeers(id, this::own, others);
    this.node =
        new DirectoryNode(
            id, replicas, mostBytes, peers, journal, System::currentTimeMillis, steady);
    this.timer = Executors.newSingleThreadScheduledExecutor(daemons("HyCacheDirectoryTimer"));
    this.watcher =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("HyCacheDirectoryMembers"));
    DirectoryClient client =
        new DirectoryClient(
            node::ring,
            () -> {},
            peers,
            this::after,
            steady,
            () -> ThreadLocalRandom.current().nextLong() | 1);
    this.lookUps = new BlockLookUps(client, remote::isAway);
    this.notices =
        new ReadNotices(
            id,
            member -> node.ring().member(member),
            remote::reads,
            rounds.soon(NOTICE_MILLIS, timer, this::flushNotices)::request);
    this.publisher =
        new BlockPublisher(
            id,
            System.currentTimeMillis(),
            republish.toMillis() * 5 / 2,
            client,
            () -> node.ring().members().size() > 1,
            notices,
            rounds.soon(FLUSH_MILLIS, timer, this::flushPublisher)::request);
    this.announcer = new EpochAnnouncer(id, peers);
    Random random = new Random(new SecureRandom().nextLong());
    this.members =
        new MemberWatch(node, id, nameNode, peers, System::currentTimeMillis, steady, random);
    this.nextTick = rounds.soon(DirectoryNode.TICK_MILLIS, timer, this::tick);
    rounds.every(DirectoryNode.IDLE_TICK_MILLIS, timer, this::tick);
    rounds.every(republish.toMillis(), timer, publisher::publishAll);
    Runnable watch = rounds.guarded(MemberWatch.ROUND_INTERVAL_MILLIS, members::round);
    rounds.every(MemberWatch.ROUND_INTERVAL_MILLIS, timer, () -> watchMembers(watch));
  }

  /**
   * Starts as the settings say.
   *
   * @param id the DataNode's UUID
   * @param levelDb directory of the DataNode's LevelDB; null: its share is in memory only
   * @param ipcPort of the DataNode
   * @param infoPort of the DataNode's web server; 0: it has none
   * @throws IllegalArgumentException if a setting can't be
   */
  public static DirectoryHost start(
      Configuration hadoop,
      HyCacheConf conf,
      String id,
      @Nullable File levelDb,
      int ipcPort,
      int infoPort)
      throws IOException {
    int replicas = conf.directoryReplicas();
    long bytes = conf.directoryBytes();
    Duration republish = conf.directoryRepublish();
    List<String> configured = conf.directoryMembers(ipcPort);
    RecordJournal journal =
        levelDb == null ? RecordJournal.NONE : new QueuedJournal(new LevelDbJournal(levelDb));
    DirectoryPeers remote = new DirectoryPeers(hadoop, CALL_TIMEOUT, CALL_THREADS);
    LiveDataNodes nameNode =
        new LiveDataNodes(
            id,
            configured,
            new DataNodeReport(hadoop),
            () -> new NameNodePages(hadoop, ipcPort, infoPort, DataNodeReport.useHostname(hadoop)),
            remote,
            System::nanoTime);
    try {
      return new DirectoryHost(id, remote, nameNode, journal, replicas, bytes, republish);
    } catch (RuntimeException | Error e) {
      remote.close();
      journal.close();
      throw e;
    }
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private void after(long millis, Runnable action) {
    try {
      ScheduledFuture<?> unused = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping", e);
    }
  }

  private void flushPublisher() {
    publisher.flush();
  }

  private void flushNotices() {
    notices.flush();
  }

  /** Has the members looked up if it is time, unless the last look-up still waits. */
  private void watchMembers(Runnable round) {
    if (members.isDue() && watcher.getActiveCount() == 0) {
      try {
        watcher.execute(round);
      } catch (RejectedExecutionException e) {
        LOG.debug("the last look-up is just ending, or this is being closed", e);
      }
    }
  }

  /** Members that come or go may have had what this one published. */
  private void tick() {
    if (node.tick()) {
      nextTick.request();
    }
    publisher.flushIfWaiting(); // after a round that failed
    notices.flushIfWaiting();
    View view = node.view();
    if (!view.sameMembers(publishedView)) {
      LOG.info("Members of the directory: {}", view.members());
      publishedView = view;
      remote.retainMembers(view.members());
      announcer.retainMembers(view.members());
      publisher.publishAll();
    }
    announcer.round(view.members(), publisher.epoch());
  }

  @Override
  public DirectoryNode node() {
    return node;
  }

  @Override
  public CompletableFuture<List<Optional<Set<String>>>> holders(
      String user, List<BlockKey> blocks) {
    return lookUps.holders(user, blocks);
  }

  @Override
  public CompletableFuture<Page> list(String at) {
    return lookUps.list(at);
  }

  private DirectoryNode own() {
    return node;
  }

  /** What the engine publishes to and asks. */
  public Neighbours neighbours() {
    return publisher;
  }

  /** Publishes nothing any more, and ends what was published. Does not wait for the members. */
  public void withdraw() {
    publisher.withdraw();
    nextTick.request();
  }

  public DirectoryStatus status() {
    return node.status().withMoreShed(lookUps.refused());
  }

  /** Why the members may not be all; empty if there is no doubt. For operators. */
  public String trouble() {
    String trouble = members.trouble();
    return trouble == null ? nameNode.doubt() : trouble;
  }

  /** Rounds of its threads that threw; a rising value is trouble. */
  public long failures() {
    return rounds.failures();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    watcher.shutdownNow();
    remote.close();
    node.close();
    nameNode.close();
  }
}
