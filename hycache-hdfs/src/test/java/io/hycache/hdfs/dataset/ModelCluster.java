// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsInternals;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.jspecify.annotations.Nullable;

/**
 * Two DataNodes with two SSDs and two DISKs each. They keep their numbers, whatever comes and goes.
 */
final class ModelCluster implements AutoCloseable {
  static final int NODES = 2;
  static final int BLOCK = 64 << 10;
  static final StorageType[] VOLUMES = {
    StorageType.SSD, StorageType.SSD, StorageType.DISK, StorageType.DISK
  };
  private static final String DATA_DIR = DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY;
  private static final List<String> PLUGIN =
      List.of(
          "dfs.datanode.fsdataset.factory",
          "dfs.datanode.fsdataset.volume.choosing.policy",
          "dfs.datanode.plugins");

  final MiniDFSCluster cluster;
  final DistributedFileSystem fs;
  private final DataNode[] nodes = new DataNode[NODES];
  private final List<List<File>> roots = new ArrayList<>();

  /** Counters of the DataNodes that were stopped: a restart begins at 0. */
  private final Map<String, Long> countersOfStopped = new TreeMap<>();

  private boolean plugin;

  private ModelCluster(MiniDFSCluster cluster, boolean plugin) throws IOException {
    this.cluster = cluster;
    this.plugin = plugin;
    this.fs = cluster.getFileSystem();
    for (int i = 0; i < NODES; i++) {
      nodes[i] = cluster.getDataNodes().get(i);
      List<File> of = new ArrayList<>();
      for (int volume = 0; volume < VOLUMES.length; volume++) {
        of.add(cluster.getInstanceStorageDir(i, volume));
      }
      roots.add(of);
    }
  }

  /**
   * @param plugin false: plain HDFS, to see what a model may ask of it
   */
  static ModelCluster start(boolean plugin) throws IOException {
    Configuration conf = conf();
    if (!plugin) {
      PLUGIN.forEach(conf::unset);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(NODES)
            .storagesPerDatanode(VOLUMES.length)
            .storageTypes(new StorageType[][] {VOLUMES, VOLUMES})
            .build();
    cluster.waitActive();
    return new ModelCluster(cluster, plugin);
  }

  private static Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setInt("dfs.bytes-per-checksum", 512);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setInt("dfs.namenode.handler.count", 4);
    conf.setInt("dfs.datanode.handler.count", 3);
    conf.setInt("dfs.datanode.failed.volumes.tolerated", 2);
    conf.setInt("dfs.datanode.directoryscan.interval", -1);
    conf.setInt("dfs.datanode.fileio.profiling.sampling.percentage", 0);
    conf.setLong("dfs.namenode.replication.max-streams", 20);
    conf.setLong("dfs.namenode.lease-recheck-interval-ms", 500);
    // Of two DataNodes none can take the place of one that failed.
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    conf.setInt("dfs.client.retry.window.base", 20);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.client.retry.interval-ms.get-last-block-length", 100);
    conf.setInt("dfs.client.retry.times.get-last-block-length", 10);
    conf.setInt("ipc.client.connect.max.retries", 2);
    conf.setInt("ipc.client.connect.retry.interval", 100);
    conf.setInt("dfs.client.socket-timeout", 15_000);
    conf.set(HyCacheKeys.SSD_CAPACITY, "1MB");
    conf.set(HyCacheKeys.CHECKSUM_SHARE, "0.1");
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.set(HyCacheKeys.DEMOTE_BANDWIDTH, "256MB");
    conf.set(HyCacheKeys.DEMOTE_BANDWIDTH_BUSY, "256MB");
    conf.set(HyCacheKeys.PROMOTE_BANDWIDTH_BUSY, "256MB");
    conf.set(HyCacheKeys.FAILURES_TO_PASS_THROUGH, "1000");
    return conf;
  }

  DataNode dataNode(int i) {
    return nodes[i];
  }

  boolean hasPlugin() {
    return plugin;
  }

  HyCacheNode node(int i) {
    return ((WithHyCache) nodes[i].getFSDataset()).hyCache();
  }

  /** The directories of a DataNode, in the order of {@link #VOLUMES}. */
  List<File> roots(int i) {
    return roots.get(i);
  }

  List<List<String>> rootNames() {
    List<List<String>> names = new ArrayList<>();
    for (List<File> of : roots) {
      List<String> paths = new ArrayList<>();
      of.forEach(root -> paths.add(root.getPath() + File.separatorChar));
      names.add(paths);
    }
    return names;
  }

  String pool() {
    return cluster.getNamesystem().getBlockPoolId();
  }

  /** The plugin's counters of all DataNodes, since the cluster was started. */
  Map<String, Long> counters() throws IOException {
    Map<String, Long> sum = new TreeMap<>(countersOfStopped);
    for (int i = 0; i < NODES; i++) {
      count(i, sum);
    }
    return sum;
  }

  private void count(int i, Map<String, Long> sum) throws IOException {
    if (plugin) {
      node(i).status().counters().forEach((name, n) -> sum.merge(name, n, Long::sum));
    }
  }

  DataNodeProperties stop(int i) throws IOException {
    count(i, countersOfStopped);
    int at = cluster.getDataNodes().indexOf(nodes[i]);
    return Objects.requireNonNull(cluster.stopDataNode(at), "no such DataNode");
  }

  void start(int i, DataNodeProperties stopped) throws IOException {
    cluster.restartDataNode(stopped, true);
    nodes[i] = cluster.getDataNodes().get(cluster.getDataNodes().size() - 1);
  }

  /** With the plugin or as plain HDFS from the next start on. */
  void usePlugin(boolean use, DataNodeProperties... stopped) {
    Configuration with = EmbeddedCluster.conf();
    for (DataNodeProperties properties : stopped) {
      Configuration conf = HdfsInternals.settings(properties);
      for (String key : PLUGIN) {
        if (use) {
          conf.set(key, Objects.requireNonNull(with.get(key)));
        } else {
          conf.unset(key);
        }
      }
    }
    plugin = use;
  }

  void waitActive() throws IOException {
    cluster.waitActive();
  }

  /** The NameNode's directories and each DataNode's replicas, as an upgrade keeps them. */
  static final class Saved {
    final Path dir;

    Saved(Path dir) {
      this.dir = dir;
    }
  }

  /** To be called while nothing is written, moved or deleted. */
  Saved save(Path dir) throws IOException {
    List<URI> names = new ArrayList<>(cluster.getNameDirs(0));
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    fs.saveNamespace();
    for (int i = 0; i < names.size(); i++) {
      copy(Path.of(names.get(i)), dir.resolve("name" + i));
    }
    for (int node = 0; node < NODES; node++) {
      for (int volume = 0; volume < VOLUMES.length; volume++) {
        copy(
            roots.get(node).get(volume).toPath().resolve("current"),
            dir.resolve("data" + node + "." + volume));
      }
    }
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    return new Saved(dir);
  }

  /** Brings back what was saved, but for the clean area; to be started without the plugin or so. */
  DataNodeProperties[] rollBack(Saved saved) throws IOException {
    List<URI> names = new ArrayList<>(cluster.getNameDirs(0));
    DataNodeProperties[] stopped = new DataNodeProperties[NODES];
    for (int node = 0; node < NODES; node++) {
      stopped[node] = stop(node);
    }
    cluster.shutdownNameNode(0);
    for (int i = 0; i < names.size(); i++) {
      remove(Path.of(names.get(i)));
      copy(saved.dir.resolve("name" + i), Path.of(names.get(i)));
    }
    for (int node = 0; node < NODES; node++) {
      for (int volume = 0; volume < VOLUMES.length; volume++) {
        Path current = roots.get(node).get(volume).toPath().resolve("current");
        remove(current);
        copy(saved.dir.resolve("data" + node + "." + volume), current);
      }
    }
    cluster.restartNameNode(0, false);
    return stopped;
  }

  private static void copy(Path from, Path to) throws IOException {
    CopyOption[] options = {StandardCopyOption.COPY_ATTRIBUTES};
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else if (!path.getFileName().toString().equals("in_use.lock")) {
          try {
            Files.copy(path, target, options);
          } catch (NoSuchFileException e) {
            // A file that HDFS writes for itself, such as what it used last.
          }
        }
      }
    }
  }

  static void remove(Path dir) throws IOException {
    if (!Files.exists(dir)) {
      return;
    }
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** True if replicas are, or may soon be, on their way from one DataNode to another. */
  boolean isSending() {
    FSNamesystem namesystem = cluster.getNamesystem();
    return namesystem.getLowRedundancyBlocks() + namesystem.getPendingReconstructionBlocks() > 0;
  }

  /**
   * True if each DataNode has as many replicas as the NameNode knows there, and no other to delete.
   */
  boolean isAtRest() throws IOException {
    if (cluster.getNamesystem().getPendingDeletionBlocks() > 0) {
      return false;
    }
    for (int i = 0; i < NODES; i++) {
      DatanodeDescriptor known =
          cluster
              .getNamesystem()
              .getBlockManager()
              .getDatanodeManager()
              .getDatanode(nodes[i].getDatanodeId());
      if (known == null
          || known.numBlocks() != nodes[i].getFSDataset().getFinalizedBlocks(pool()).size()) {
        return false;
      }
    }
    return true;
  }

  /** Takes a volume out of a running DataNode, as {@code dfsadmin -reconfig} does. */
  void removeVolume(int node, int volume) throws Exception {
    reconfigure(node, volume);
  }

  void addVolumes(int node) throws Exception {
    reconfigure(node, -1);
  }

  private void reconfigure(int node, int without) throws Exception {
    StringBuilder dirs = new StringBuilder();
    for (int volume = 0; volume < VOLUMES.length; volume++) {
      if (volume != without) {
        dirs.append(dirs.length() == 0 ? "" : ",")
            .append('[')
            .append(VOLUMES[volume])
            .append(']')
            .append(roots.get(node).get(volume).toURI());
      }
    }
    String set = nodes[node].reconfigurePropertyImpl(DATA_DIR, dirs.toString());
    nodes[node].getConf().set(DATA_DIR, set == null ? dirs.toString() : set);
  }

  /** What is under way between NameNode and DataNodes goes on at once. */
  void beat() {
    try {
      cluster.triggerHeartbeats();
    } catch (IOException e) {
      // A DataNode that is just going: the next one will do.
    }
  }

  /** Puts something in front of HDFS's own operations on files of this DataNode. */
  void stallHdfs(int node, FaultInjectorFileIoEvents events) {
    try {
      Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
      hook.setAccessible(true);
      hook.set(nodes[node].getFileIoProvider(), events);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("FileIoProvider has no such field", e);
    }
  }

  /** What the NameNode says of blocks that it has work with. */
  String replicasNotFine() {
    StringWriter text = new StringWriter();
    FSNamesystem namesystem = cluster.getNamesystem();
    namesystem.readLock();
    try {
      namesystem.getBlockManager().metaSave(new PrintWriter(text, true));
    } finally {
      namesystem.readUnlock();
    }
    return text.toString();
  }

  /**
   * Null if the NameNode knows no missing block and no corrupt replica.
   *
   * @param outdated a DataNode was away while a file was written: plain HDFS keeps its outdated
   *     replica as corrupt, because there is no third DataNode for another
   */
  @Nullable String health(boolean outdated) {
    long missing = cluster.getNamesystem().getMissingBlocksCount();
    long corrupt = cluster.getNamesystem().getCorruptReplicaBlocks();
    if (corrupt > 0 && outdated) {
      corrupt =
          replicasNotFine()
              .lines()
              .filter(line -> line.startsWith("Block="))
              .filter(line -> !line.endsWith("Reason=GENSTAMP_MISMATCH"))
              .count();
    }
    return missing == 0 && corrupt == 0 ? null : "missing=" + missing + " corrupt=" + corrupt;
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
