package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports.Line;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that changes while it is being reported: the NameNode ends with what is true. */
@Timeout(180)
class HyCacheScheduledReportsIT {
  private static final Path FILE = new Path("/a");

  @SuppressWarnings("NullAway.Init") // before each test
  private MiniDFSCluster cluster;

  @SuppressWarnings("NullAway.Init") // before each test
  private DistributedFileSystem fs;

  @SuppressWarnings("NullAway.Init") // before each test
  private FsDatasetImpl dataset;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("dfs.replication", 1);
    conf.setLong("dfs.heartbeat.interval", 1);
    cluster =
        new MiniDFSCluster.Builder(conf)
            .storagesPerDatanode(2)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    dataset = (FsDatasetImpl) cluster.getDataNodes().get(0).getFSDataset();
    try (OutputStream out = fs.create(FILE)) {
      out.write(new byte[1000]);
    }
  }

  @AfterEach
  void stop() {
    cluster.shutdown();
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Reports the file's block again; runs one step just before the call and one just after it. */
  private void report(Step before, Step after) throws Exception {
    ExtendedBlock block = located().getBlock();
    HyCacheScheduledReports reports =
        new HyCacheScheduledReports(dataset) {
          @Override
          void report(String pool, List<Line> lines) throws IOException {
            try {
              before.run();
              super.report(pool, lines);
              after.run();
            } catch (IOException | RuntimeException | Error e) {
              throw e;
            } catch (Exception e) {
              throw new IOException(e);
            }
          }
        };
    assertTrue(
        reports.receivedAgain(
            new BlockKey(block.getBlockPoolId(), block.getBlockId()), StorageType.DISK, 3));
  }

  private LocatedBlock located() throws IOException {
    return fs.getClient().getLocatedBlocks("/a", 0).get(0);
  }

  private List<StorageType> types() throws IOException {
    return List.of(located().getStorageTypes());
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.currentTimeMillis() + 20_000;
    while (!condition.call()) {
      assertTrue(System.currentTimeMillis() < end, "never happened: " + what);
      Thread.sleep(20);
    }
  }

  @Test
  void receivedAgain_replicaDeletedMeanwhile_isNotLeftInTheNameNode() throws Exception {
    ExtendedBlock block = located().getBlock();
    report(
        () -> {
          dataset.invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
          await("the NameNode knows of the deletion", () -> types().isEmpty());
        },
        () -> await("the old report overtook", () -> types().size() == 1));
    await("no replica", () -> types().isEmpty());
  }

  @Test
  void receivedAgain_replicaMovedMeanwhile_isKnownWhereItIs() throws Exception {
    ExtendedBlock block = located().getBlock();
    report(
        () -> {
          dataset.moveBlockAcrossStorage(block, StorageType.SSD, "");
          await("on SSD", () -> types().equals(List.of(StorageType.SSD)));
        },
        () -> await("the old report overtook", () -> types().equals(List.of(StorageType.DISK))));
    await("on SSD again", () -> types().equals(List.of(StorageType.SSD)));
  }

  @Test
  void receivedAgain_replicaAppendedToMeanwhile_isNotCorrupt() throws Exception {
    report(
        () -> {
          try (OutputStream out = fs.append(FILE)) {
            out.write(new byte[500]);
          }
        },
        () -> await("the old report overtook", () -> located().isCorrupt()));
    await("well again", () -> !located().isCorrupt());
    assertEquals(1500, fs.open(FILE).readAllBytes().length);
  }
}
