// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package advertise;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
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
 * reports of DataNodes that have no disk: each reports so many ids as cached, which no directive
 * covers, and goes on to whatever it is asked. They are ids of no blocks: all that the NameNode
 * does of cached blocks without a directive is the same for them, but that it finds no block. One
 * line of JSON for each number of ids.
 *
 * <pre>AdvertiseCost DATANODES SECONDS BLOCKS...</pre>
 */
public final class AdvertiseCost {
  private static final AtomicLong FIRST_IDS = new AtomicLong(1 << 30);
  private static final AtomicLong COMMANDS = new AtomicLong();
  private static final AtomicLong IDS_ASKED = new AtomicLong();
  private static final AtomicLong REPORTS = new AtomicLong();
  private static volatile int advertised;

  private AdvertiseCost() {}

  /** A DataNode without blocks that reports ids of its own as cached. */
  public static final class Dataset extends SimulatedFSDataset {
    private final long firstId = FIRST_IDS.getAndAdd(1 << 20);

    Dataset(DataNode datanode, DataStorage storage, Configuration conf) {
      super(datanode, storage, conf);
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
      List<Long> ids = new ArrayList<>();
      for (int i = 0; i < advertised; i++) {
        ids.add(firstId + i);
      }
      return ids;
    }
  }

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
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.datanode.fsdataset.factory", Factory.class.getName());
    conf.setBoolean("dfs.namenode.lock.detailed-metrics.enabled", true);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(dataNodes).build();
    try {
      cluster.waitActive();
      for (int i = 2; i < args.length; i++) {
        advertised = Integer.parseInt(args[i]);
        Thread.sleep(70_000); // two rescans, and what was listed before is forgotten
        System.out.println(measure(cluster, dataNodes, seconds));
      }
    } finally {
      cluster.shutdown();
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
