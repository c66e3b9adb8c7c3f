// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package advertise;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * What advertised blocks cost a NameNode. A real NameNode, with the default intervals, gets cache
 * reports of DataNodes that have no disk: each reports so many of its blocks as cached, although no
 * directive covers them, and goes on to whatever it is asked. One line of JSON for each number of
 * blocks.
 *
 * <pre>AdvertiseCost DATANODES SECONDS BLOCKS...</pre>
 */
public final class AdvertiseCost {
  private static final AtomicLong COMMANDS = new AtomicLong();
  private static final AtomicLong IDS_ASKED = new AtomicLong();
  private static final AtomicLong REPORTS = new AtomicLong();
  private static volatile int advertised;

  private AdvertiseCost() {}

  /** A DataNode's blocks without bytes, the first of which it reports as cached. */
  public static final class Dataset extends SimulatedFSDataset {
    private final DataNode datanode;

    Dataset(DataNode datanode, DataStorage storage, Configuration conf) {
      super(datanode, storage, conf);
      this.datanode = datanode;
    }

    @Override
    public void uncache(String bpid, long[] blockIds) {
      COMMANDS.incrementAndGet();
      IDS_ASKED.addAndGet(blockIds.length);
    }

    @Override
    public void cache(String bpid, long[] blockIds) {
      throw new IllegalStateException("there are no directives");
    }

    @Override
    public long getCacheCapacity() {
      return 1 << 20;
    }

    @Override
    public long getCacheUsed() {
      return 1 << 20;
    }

    @Override
    public List<Long> getCacheReport(String bpid) {
      REPORTS.incrementAndGet();
      List<Long> ids = BLOCKS.getOrDefault(datanode.getDatanodeUuid(), List.of());
      return ids.subList(0, Math.min(advertised, ids.size()));
    }
  }

  /** By DataNode. */
  private static final Map<String, List<Long>> BLOCKS = new ConcurrentHashMap<>();

  /** Makes a {@link Dataset}. */
  public static final class Factory extends FsDatasetSpi.Factory<SimulatedFSDataset> {
    @Override
    public SimulatedFSDataset newInstance(DataNode datanode, DataStorage storage, Configuration conf)
        throws IOException {
      return new Dataset(datanode, storage, conf);
    }

    @Override
    public boolean isSimulated() {
      return true;
    }
  }

  public static void main(String[] args) throws Exception {
    int dataNodes = Integer.parseInt(args[0]);
    int seconds = Integer.parseInt(args[1]);
    int most = 0;
    for (int i = 2; i < args.length; i++) {
      most = Math.max(most, Integer.parseInt(args[i]));
    }
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.datanode.fsdataset.factory", Factory.class.getName());
    conf.setBoolean("dfs.namenode.lock.detailed-metrics.enabled", true);
    conf.setInt("dfs.blocksize", 512);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(dataNodes).build();
    try {
      cluster.waitActive();
      write(cluster.getFileSystem(), (int) (most * dataNodes * 1.1));
      for (int i = 2; i < args.length; i++) {
        advertised = Integer.parseInt(args[i]);
        Thread.sleep(70_000); // two rescans, and what was listed before is forgotten
        System.out.println(measure(cluster, dataNodes, seconds));
      }
    } finally {
      cluster.shutdown();
    }
  }

  /** Files of 1,000 blocks of 512 bytes. */
  private static void write(DistributedFileSystem fs, int blocks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> files = new ArrayList<>();
    for (int i = 0; i * 1000 < blocks; i++) {
      Path path = new Path("/f" + i);
      files.add(
          threads.submit(
              () -> {
                try (FSDataOutputStream out = fs.create(path, true, 4096, (short) 1, 512)) {
                  out.write(new byte[512 * 1000]);
                }
                return null;
              }));
    }
    for (Future<?> file : files) {
      file.get();
    }
    threads.shutdown();
    for (int i = 0; i * 1000 < blocks; i++) {
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks("/f" + i, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        ExtendedBlock b = block.getBlock();
        BLOCKS
            .computeIfAbsent(block.getLocations()[0].getDatanodeUuid(), uuid -> new ArrayList<>())
            .add(b.getBlockId());
      }
    }
  }

  private static String measure(MiniDFSCluster cluster, int dataNodes, int seconds)
      throws Exception {
    String rpc = "ForPort" + cluster.getNameNodePort();
    Map<String, Number> before = snapshot(rpc);
    long commands = COMMANDS.get();
    long ids = IDS_ASKED.get();
    long reports = REPORTS.get();
    Thread.sleep(seconds * 1000L);
    Map<String, Number> after = snapshot(rpc);
    double minutes = seconds / 60.0;
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "{\"dataNodes\": %d, \"advertised\": %d, \"seconds\": %d, \"reportsPerMinute\": %.1f,"
                + " \"commandsPerMinute\": %.1f, \"idsAskedPerMinute\": %.0f",
            dataNodes,
            advertised,
            seconds,
            (REPORTS.get() - reports) / minutes,
            (COMMANDS.get() - commands) / minutes,
            (IDS_ASKED.get() - ids) / minutes));
    for (Map.Entry<String, Number> entry : after.entrySet()) {
      String name = entry.getKey();
      if (name.endsWith("NumOps") || name.endsWith("Bytes")) {
        long delta = entry.getValue().longValue() - before.getOrDefault(name, 0).longValue();
        out.append(String.format(Locale.ROOT, ", \"%s\": %d", name, delta));
      } else {
        out.append(
            String.format(Locale.ROOT, ", \"%s\": %.4f", name, entry.getValue().doubleValue()));
      }
    }
    return out.append('}').toString();
  }

  /** What the NameNode says; averages are of the time since the snapshot before. */
  private static Map<String, Number> snapshot(String rpc) {
    Map<String, Number> found = new TreeMap<>();
    for (String source :
        new String[] {
          "NameNodeActivity", "FSNamesystem", "RpcActivity" + rpc, "RpcDetailedActivity" + rpc
        }) {
      MetricsSource from = DefaultMetricsSystem.instance().getSource(source);
      if (from == null) {
        System.err.println("no source " + source);
        continue;
      }
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      from.getMetrics(collector, true);
      collector
          .getRecords()
          .forEach(
              record -> {
                for (AbstractMetric metric : record.metrics()) {
                  String name = metric.name();
                  String lower = name.toLowerCase(Locale.ROOT);
                  if (lower.contains("cachere")
                      || name.equals("ReceivedBytes")
                      || name.equals("SentBytes")
                      || name.startsWith("FSNWriteLockOverall")) {
                    found.put(
                        (source.startsWith("RpcDetailed") ? "Rpc" : "") + name, metric.value());
                  }
                }
              });
    }
    return found;
  }
}
