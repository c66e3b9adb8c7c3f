// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestParser;
import io.hycache.core.model.BlockKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.jspecify.annotations.Nullable;

/** A cluster of 3 DataNodes, each of which serves a {@link FakeNode} with the real protocol. */
public final class HintCluster implements AutoCloseable {
  public static final int BLOCK_SIZE = 4096;
  public static final int MAX_REFERENCES = 10_000;

  private final MiniDFSCluster cluster;
  private final List<FakeNode> nodes = new ArrayList<>();

  /** What the directory of all DataNodes says; null: there is none. */
  public volatile @Nullable List<BlockOnSsd> onSsd;

  public HintCluster(Configuration conf) throws IOException {
    Path base = Files.createDirectories(Path.of(System.getProperty("test.build.data", "target")));
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory(base, "hints").toString());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
    cluster.waitActive();
    for (DataNode dataNode : cluster.getDataNodes()) {
      FakeNode node = new FakeNode();
      node.uuid = dataNode.getDatanodeUuid();
      nodes.add(node);
      register(dataNode, node);
    }
  }

  private void register(DataNode dataNode, FakeNode node) throws IOException {
    NodeServer.register(
        dataNode.ipcServer,
        dataNode.getConf(),
        node,
        this::directory,
        BlockAccess.tokens(dataNode.getConf(), dataNode.getBlockPoolTokenSecretManager()),
        MAX_REFERENCES);
  }

  private @Nullable BlockDirectory directory() {
    List<BlockOnSsd> records = onSsd;
    return records == null ? null : new FixedDirectory(records);
  }

  /** Records that do not change. */
  private static final class FixedDirectory implements BlockDirectory {
    private final List<BlockOnSsd> records;

    FixedDirectory(List<BlockOnSsd> records) {
      this.records = records;
    }

    @Override
    public DirectoryNode node() {
      throw new UnsupportedOperationException("no DataNode asks another");
    }

    @Override
    public CompletableFuture<List<Optional<Set<String>>>> holders(
        String user, List<BlockKey> blocks) {
      List<Optional<Set<String>>> out = new ArrayList<>();
      for (BlockKey block : blocks) {
        out.add(
            Optional.of(
                records.stream()
                    .filter(record -> record.block().equals(block))
                    .map(BlockOnSsd::datanode)
                    .collect(Collectors.toSet())));
      }
      return CompletableFuture.completedFuture(out);
    }

    @Override
    public CompletableFuture<Page> list(String at) {
      return CompletableFuture.completedFuture(new Page(records, ""));
    }
  }

  public static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_SIZE);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 2);
    return conf;
  }

  /** Configuration for clients. */
  public Configuration clientConf() throws IOException {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("fs.defaultFS", fs().getUri().toString());
    return conf;
  }

  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  public List<FakeNode> nodes() {
    return nodes;
  }

  /** Every DataNode holds every block, so that only the client decides which one gets hints. */
  public void write(String path, int blocks) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    short all = (short) cluster.getDataNodes().size();
    DFSTestUtil.createFile(fs(), file, (long) blocks * BLOCK_SIZE, all, 1);
    try {
      DFSTestUtil.waitReplication(fs(), file, all);
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new IOException("not replicated: " + path, e);
    }
  }

  /** Stops a DataNode, which the NameNode takes minutes to notice. */
  public void stopNode(int index) {
    cluster.stopDataNode(index);
  }

  /** The IPC server of a DataNode. */
  public String ipcAddress(int index) {
    return "127.0.0.1:" + cluster.getDataNodes().get(index).getIpcPort();
  }

  /** The port of a DataNode's web server. */
  public int webPort(int index) {
    return cluster.getDataNodes().get(index).getInfoPort();
  }

  /** Ids of the references that a workflow has on a node, in order. */
  public List<Long> references(int node, String workflow) {
    return nodes.get(node).references(workflow).stream()
        .map(reference -> reference.block().id())
        .collect(Collectors.toList());
  }

  /** References that a workflow has on all nodes. */
  public int references(String workflow) {
    return nodes.stream().mapToInt(n -> n.references(workflow).size()).sum();
  }

  /** All hints by user and workflow. */
  public void forgetAll() throws IOException {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).batches.clear();
      register(cluster.getDataNodes().get(i), nodes.get(i));
    }
  }

  public static Manifest manifest(String json) {
    try {
      return ManifestParser.parse(
          "test.json",
          new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
