// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.impl.BlockReaderTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/** A MiniDFSCluster whose DataNodes have one SSD and one DISK directory and run HyCache. */
final class EmbeddedCluster implements AutoCloseable {
  static final int BLOCK = 1 << 20;

  /** Whose the hints are. */
  static final String USER = "alice";

  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  final MiniDFSCluster cluster;
  final DistributedFileSystem fs;
  private boolean closed;

  private EmbeddedCluster(MiniDFSCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = cluster.getFileSystem();
  }

  static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    conf.setInt("dfs.replication", 1);
    conf.setLong("dfs.heartbeat.interval", 1);
    conf.setLong("dfs.namenode.redundancy.interval.seconds", 1);
    conf.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy");
    conf.set("dfs.datanode.plugins", "io.hycache.hdfs.dataset.HyCachePlugin");
    conf.set(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "0");
    conf.set(HyCacheKeys.SSD_CAPACITY, "40MB");
    conf.set(HyCacheKeys.DEMOTE_BANDWIDTH_BUSY, "64MB");
    return conf;
  }

  /** As {@link #conf}; all that is written becomes a clean copy. */
  static Configuration cleanConf() {
    Configuration conf = conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    return conf;
  }

  /** As {@link #conf}; what is written to SSD stays dirty. */
  static Configuration dirtyConf() {
    Configuration conf = conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    return conf;
  }

  /** What is written to DISK gets a copy of its checksum file only. */
  static Configuration onDisk(Configuration conf) {
    conf.set(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "64MB");
    conf.set(HyCacheKeys.POLICY, "heuristic");
    return conf;
  }

  static EmbeddedCluster start(Configuration conf, int dataNodes) throws IOException {
    return build(conf, dataNodes, true, null);
  }

  /** Each DataNode's volumes have so many bytes. */
  static EmbeddedCluster start(Configuration conf, int dataNodes, long ssdBytes, long diskBytes)
      throws IOException {
    return build(conf, dataNodes, true, new long[] {ssdBytes, diskBytes});
  }

  /** One DataNode with a volume of each of these types. */
  static EmbeddedCluster start(Configuration conf, StorageType... volumes) throws IOException {
    return build(conf, new StorageType[][] {volumes}, true, null);
  }

  /** As {@link #start(Configuration, StorageType...)}, with volumes of so many bytes. */
  static EmbeddedCluster start(Configuration conf, StorageType[] volumes, long... bytes)
      throws IOException {
    return build(conf, new StorageType[][] {volumes}, true, bytes);
  }

  /** Starts it on the directories of the cluster that was closed last. */
  static EmbeddedCluster restart(Configuration conf, StorageType... volumes) throws IOException {
    return build(conf, new StorageType[][] {volumes}, false, null);
  }

  /** Starts on the directories of the cluster that was closed last. */
  static EmbeddedCluster restart(Configuration conf, int dataNodes) throws IOException {
    return build(conf, dataNodes, false, null);
  }

  private static EmbeddedCluster build(
      Configuration conf, int dataNodes, boolean format, long @Nullable [] capacities)
      throws IOException {
    StorageType[][] types = new StorageType[dataNodes][];
    for (int i = 0; i < dataNodes; i++) {
      types[i] = new StorageType[] {StorageType.SSD, StorageType.DISK};
    }
    return build(conf, types, format, capacities);
  }

  private static EmbeddedCluster build(
      Configuration conf, StorageType[][] types, boolean format, long @Nullable [] capacities)
      throws IOException {
    int dataNodes = types.length;
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(dataNodes)
            .storagesPerDatanode(types[0].length)
            .storageTypes(types)
            .format(format);
    if (capacities != null) {
      long[][] each = new long[dataNodes][];
      Arrays.fill(each, capacities);
      builder.storageCapacities(each);
    }
    MiniDFSCluster cluster = builder.build();
    cluster.waitActive();
    return new EmbeddedCluster(cluster);
  }

  DataNode dataNode(int i) {
    return cluster.getDataNodes().get(i);
  }

  HyCacheNode node(int i) {
    return ((WithHyCache) dataNode(i).getFSDataset()).hyCache();
  }

  /** A DataNode's share of the directory; null as long as it has none. */
  @Nullable DirectoryNode directory(int i) {
    return node(i).directory();
  }

  /** True if each DataNode knows all others as members of the directory, and has its share. */
  boolean isDirectoryWhole() {
    int nodes = cluster.getDataNodes().size();
    for (int i = 0; i < nodes; i++) {
      DirectoryNode directory = directory(i);
      if (directory == null
          || directory.status().members != nodes
          || directory.status().pullingShards > 0) {
        return false;
      }
    }
    return true;
  }

  static byte[] content(long seed, int bytes) {
    byte[] data = new byte[bytes];
    new Random(seed).nextBytes(data);
    return data;
  }

  /** Writes a file, and returns when the NameNode knows all its replicas, not just the first. */
  byte[] write(String path, long seed, int bytes) throws IOException {
    byte[] data = content(seed, bytes);
    Path file = new Path(path);
    try (OutputStream out = fs.create(file)) {
      out.write(data);
    }
    int replicas = Math.min(fs.getFileStatus(file).getReplication(), cluster.getDataNodes().size());
    try {
      DFSTestUtil.waitReplication(fs, file, (short) replicas);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(path).initCause(e);
    } catch (TimeoutException e) {
      throw new IOException(path + ": fewer than " + replicas + " replicas", e);
    }
    return data;
  }

  /** A configuration for {@link #writeWithCopy} of a file. */
  static Configuration confForCopy(int bytes) {
    Configuration conf = conf();
    conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 2 * bytes);
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.SSD_CAPACITY, "200MB");
    return conf;
  }

  /**
   * Writes a file of one block to DISK, the first of the cluster, and waits until it has a clean
   * copy.
   */
  byte[] writeWithCopy(String path, int bytes) throws Exception {
    byte[] data = write(path, 1, bytes);
    await("tracked", () -> node(0).status().trackedBlocks() == 1);
    hint(0, "job", path, 9);
    await("promoted", () -> locate(0, path).get(0).reason == Reason.ON_SSD_CLEAN);
    return data;
  }

  byte[] read(String path) throws IOException {
    int length = (int) fs.getFileStatus(new Path(path)).getLen();
    byte[] data = new byte[length];
    try (InputStream in = fs.open(new Path(path))) {
      IOUtils.readFully(in, data, 0, length);
    }
    return data;
  }

  /** Reads a block as a client that has chosen this DataNode, which must have a replica. */
  void readAt(int node, LocatedBlock block) throws IOException {
    DatanodeInfo here =
        Arrays.stream(block.getLocations())
            .filter(holder -> holder.getDatanodeUuid().equals(dataNode(node).getDatanodeUuid()))
            .findFirst()
            .orElseThrow();
    LocatedBlock only = new LocatedBlock(block.getBlock(), new DatanodeInfo[] {here});
    only.setBlockToken(block.getBlockToken());
    int length = (int) block.getBlockSize();
    try (BlockReader reader = BlockReaderTestUtil.getBlockReader(fs, only, 0, length)) {
      reader.readFully(new byte[length], 0, length);
    }
  }

  List<LocatedBlock> blocks(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  /** Storage types of all replicas of a file, as the NameNode sees them. */
  List<StorageType> types(String path) throws IOException {
    List<StorageType> types = new ArrayList<>();
    for (LocatedBlock block : blocks(path)) {
      types.addAll(List.of(block.getStorageTypes()));
    }
    return types;
  }

  List<BlockKey> keys(String path) throws IOException {
    List<BlockKey> keys = new ArrayList<>();
    for (LocatedBlock block : blocks(path)) {
      ExtendedBlock b = block.getBlock();
      keys.add(new BlockKey(b.getBlockPoolId(), b.getBlockId()));
    }
    return keys;
  }

  List<BlockStatus> locate(int node, String path) throws IOException {
    return node(node).locate(keys(path));
  }

  /** Hints the whole file {@code times} times to a DataNode. */
  void hint(int node, String workflow, String path, int times) throws IOException {
    List<Hints.Reference> references = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      for (LocatedBlock block : blocks(path)) {
        ExtendedBlock b = block.getBlock();
        references.add(
            new Hints.Reference(
                new BlockKey(b.getBlockPoolId(), b.getBlockId()), b.getNumBytes(), false));
      }
    }
    node(node).submitHints(new Hints(workflow, 600_000, references), USER, false);
  }

  /** Forgets what {@link #hint} submitted. */
  void withdraw(int node, String workflow) throws IOException {
    node(node).withdraw(new WorkflowId(USER, workflow));
  }

  long count(int node, String counter) throws IOException {
    NodeStatus status = node(node).status();
    Long value = status.counters().get(counter);
    if (value == null) {
      throw new IllegalArgumentException("no such counter: " + counter);
    }
    return value;
  }

  /** Polls until the condition holds; fails with {@code what} and the node's status. */
  void await(String what, Callable<Boolean> condition) throws Exception {
    await(what, MAX_WAIT, condition);
  }

  /** As {@link #await(String, Callable)}, for at most so long. */
  void await(String what, Duration most, Callable<Boolean> condition) throws Exception {
    long end = System.currentTimeMillis() + most.toMillis();
    while (!condition.call()) {
      if (System.currentTimeMillis() > end) {
        NodeStatus s = node(0).status();
        throw new AssertionError(
            "never happened: "
                + what
                + "; dirty="
                + s.dirtyBytes()
                + " clean="
                + s.cleanBytes()
                + " checksums="
                + s.checksumBytes()
                + " free="
                + s.freeBytes()
                + " queued="
                + s.movesQueued()
                + " tracked="
                + s.trackedBlocks()
                + " counters="
                + s.counters());
      }
      Thread.sleep(50);
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      cluster.shutdown();
    }
  }
}
