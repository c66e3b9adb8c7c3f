package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.NearPeers;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import io.hycache.core.spi.Neighbours;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.rpc.DirectoryPeers;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DataNode's part in the directory: its share of the records, the members, and what it tells of
 * its own blocks. Two daemon threads of its own and those of its calls; nobody waits for them.
 */
public final class DirectoryHost implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryHost.class);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);
  private static final int CALL_THREADS = 16;
  private static final long FLUSH_MILLIS = 20;

  private final DirectoryNode node;
  private final DirectoryPeers remote;
  private final BlockPublisher publisher;
  private final LiveDataNodes nameNode;
  private final MemberWatch members;
  private final ScheduledExecutorService timer;
  private final ScheduledExecutorService watcher;
  private final Rounds rounds = new Rounds(System::nanoTime);
  private volatile View toldTo = View.NONE;

  /**
   * Starts.
   *
   * @param id the DataNode's UUID
   * @param nameNode lists the live DataNodes
   * @param republish all that is on SSD is told again so often
   */
  DirectoryHost(
      Configuration conf,
      String id,
      LiveDataNodes nameNode,
      RecordJournal journal,
      int replicas,
      long mostBytes,
      Duration republish)
      throws IOException {
    this.remote = new DirectoryPeers(conf, CALL_TIMEOUT, CALL_THREADS);
    this.nameNode = nameNode;
    Peers peers = new NearPeers(id, this::own, remote);
    this.node =
        new DirectoryNode(id, replicas, mostBytes, peers, journal, System::currentTimeMillis);
    this.timer = Executors.newSingleThreadScheduledExecutor(daemons("HyCacheDirectoryTimer"));
    this.watcher = Executors.newSingleThreadScheduledExecutor(daemons("HyCacheDirectoryMembers"));
    DirectoryClient client =
        new DirectoryClient(
            node::ring,
            () -> {},
            peers,
            this::after,
            System::currentTimeMillis,
            () -> ThreadLocalRandom.current().nextLong() | 1);
    this.publisher =
        new BlockPublisher(
            id,
            System.currentTimeMillis(),
            republish.toMillis() * 5 / 2,
            client,
            () -> node.ring().members().size() > 1);
    Random random = new Random(new SecureRandom().nextLong());
    this.members = new MemberWatch(node, id, nameNode, peers, System::currentTimeMillis, random);
    rounds.every(FLUSH_MILLIS, timer, publisher::flush);
    rounds.every(DirectoryNode.TICK_MILLIS, timer, this::tick);
    rounds.every(republish.toMillis(), timer, publisher::tellAll);
    rounds.every(MemberWatch.ROUND_MILLIS, watcher, members::round);
  }

  /**
   * Starts as the settings say.
   *
   * @param id the DataNode's UUID
   * @throws IllegalArgumentException if a setting can't be
   */
  public static DirectoryHost start(Configuration hadoop, HyCacheConf conf, String id)
      throws IOException {
    int replicas = conf.directoryReplicas();
    long bytes = conf.directoryBytes();
    Duration republish = conf.directoryRepublish();
    RecordJournal journal =
        conf.directoryStore() == HyCacheConf.DirectoryStore.LEVELDB
            ? new LevelDbJournal(new File(conf.directoryDir(), id))
            : RecordJournal.NONE;
    return new DirectoryHost(
        hadoop, id, new LiveDataNodes(hadoop), journal, replicas, bytes, republish);
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

  /** Members that come or go may have had what this one published. */
  private void tick() {
    node.tick();
    View view = node.view();
    if (!view.members().equals(toldTo.members())) {
      LOG.info("Members of the directory: {}", view.members());
      toldTo = view;
      publisher.tellAll();
    }
  }

  /** This node's share. */
  public DirectoryNode node() {
    return node;
  }

  private DirectoryNode own() {
    return node;
  }

  /** What the engine tells and asks. */
  public Neighbours neighbours() {
    return publisher;
  }

  public DirectoryStatus status() {
    return node.status();
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
