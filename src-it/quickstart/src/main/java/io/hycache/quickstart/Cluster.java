// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.quickstart;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.cli.HyCache;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** HDFS in this JVM: two DataNodes with the plugin, on directories of their own. */
final class Cluster implements AutoCloseable {
  private static final int DATANODES = 2;
  private static final long WAIT_NANOS = Duration.ofMinutes(1).toNanos();

  /** Its default is a folder that the users of a machine share, and of which one is the owner. */
  private static final String STAGING = "mapreduce.jobtracker.staging.root.dir";

  /** Bytes that the DataNodes have read for clients so far, by where they came from. */
  record BytesRead(long ssd, long disk) {
    BytesRead minus(BytesRead before) {
      return new BytesRead(ssd - before.ssd, disk - before.disk);
    }

    BytesRead plus(BytesRead more) {
      return new BytesRead(ssd + more.ssd, disk + more.disk);
    }

    long total() {
      return ssd + disk;
    }
  }

  final DistributedFileSystem fs;

  /** A folder with the settings of a client. */
  final Path clientConf;

  private final MiniDFSCluster hdfs;
  private final Configuration conf;
  private final HyCacheClient client;

  private Cluster(MiniDFSCluster hdfs, Path directory) throws IOException {
    this.hdfs = hdfs;
    this.fs = hdfs.getFileSystem();
    this.conf = new Configuration(hdfs.getConfiguration(0));
    this.client = new HyCacheClient(conf, (what, done, total) -> {});
    this.clientConf = Files.createDirectories(directory.resolve("conf"));
    site(
        "core",
        "fs.defaultFS",
        hdfs.getURI().toString(),
        "hadoop.tmp.dir",
        conf.get("hadoop.tmp.dir"));
    site("hdfs", "dfs.blocksize", conf.get("dfs.blocksize"), "dfs.replication", "1");
    site("mapred", STAGING, conf.get(STAGING), "mapreduce.task.io.sort.mb", "16");
  }

  private void site(String name, String... keysAndValues) throws IOException {
    Configuration site = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      site.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    try (OutputStream out = Files.newOutputStream(clientConf.resolve(name + "-site.xml"))) {
      site.writeXml(out);
    }
  }

  static Cluster start(String policy, Path directory) throws IOException {
    Configuration conf = new HdfsConfiguration();
    // The three plug-in points: what a user adds to hdfs-site.xml.
    conf.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy");
    conf.set("dfs.datanode.plugins", "io.hycache.hdfs.dataset.HyCachePlugin");
    conf.set("hycache.policy", policy);
    // Everything small, to be done in minutes.
    conf.set("hycache.ssd.capacity", "64MB");
    conf.set("hycache.write.min-block-size", "8MB");
    // Its "disks" are folders of one fast disk: demotion need not wait for readers.
    conf.set("hycache.demote.bandwidth.busy", "64MB");
    conf.set("dfs.blocksize", "8m");
    conf.set("dfs.replication", "1");
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set(STAGING, directory.resolve("tmp/staging").toString());
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("hdfs").toString());
    StorageType[][] types = new StorageType[DATANODES][];
    for (int i = 0; i < DATANODES; i++) {
      types[i] = new StorageType[] {StorageType.SSD, StorageType.DISK};
    }
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(DATANODES)
            .storagesPerDatanode(2)
            .storageTypes(types)
            .build();
    hdfs.waitActive();
    return new Cluster(hdfs, directory);
  }

  /** The class of the DataNodes' data sets. */
  Class<?> datasetClass() {
    return hdfs.getDataNodes().get(0).getFSDataset().getClass();
  }

  /** Runs a command of the plugin's command line in this JVM, with what a user would type. */
  void hycache(String... args) throws Exception {
    System.out.println("\n$ hycache " + String.join(" ", args));
    tool(new HyCache(), args);
  }

  /** Runs a Hadoop tool in this JVM. */
  void tool(Tool tool, String... args) throws Exception {
    int code = ToolRunner.run(new Configuration(conf), tool, args);
    if (code != 0) {
      throw new IllegalStateException(
          tool.getClass().getSimpleName() + " " + String.join(" ", args) + ": exit code " + code);
    }
  }

  List<NodeStatus> status() throws IOException {
    List<NodeStatus> all = new ArrayList<>();
    for (NodeAnswer<NodeStatus> answer : client.status(client.liveNodes())) {
      all.add(answer.value());
    }
    return all;
  }

  long count(String counter) throws IOException {
    return status().stream().mapToLong(s -> s.counters().get(counter)).sum();
  }

  BytesRead bytesRead() throws IOException {
    List<NodeStatus> all = status();
    return new BytesRead(
        all.stream().mapToLong(s -> s.counters().get("SsdBytesRead")).sum(),
        all.stream().mapToLong(s -> s.counters().get("DiskBytesRead")).sum());
  }

  HyCacheClient client() {
    return client;
  }

  /** Waits until no move waits and what is only on SSD is below its high watermark. */
  void awaitQuiet() throws Exception {
    await(
        "the background moves to end",
        () ->
            status().stream()
                .allMatch(s -> s.movesQueued() == 0 && s.dirtyBytes() <= s.capacityBytes() / 2));
  }

  void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      Thread.sleep(50);
    }
  }

  @Override
  public void close() {
    hdfs.shutdown();
  }
}
