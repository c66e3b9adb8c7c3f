// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.hdfs.directory.BlockRecords;
import io.hycache.hdfs.rpc.BlockOnSsd;
import io.hycache.hdfs.rpc.BlockTokens;
import io.hycache.hdfs.rpc.DirectoryPeers;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks all blocks of some files up in the directory, again and again, and holds what it says
 * against what each DataNode says of itself. A line of JSON a second: look-ups, those that got no
 * answer, their slowest, blocks with a wrong answer: missing (a DataNode that answers has it on SSD
 * and the directory doesn't say so) and stale (the directory says so, and the DataNode has it not,
 * or is gone). The block ids are asked of the NameNode once, at the start. Whatever happens then,
 * it goes on.
 */
public final class DirectoryProbe {
  private static final long LOOKUP_MILLIS = 2000;
  private static final long PAUSE_MILLIS = 100;

  private final Configuration conf = new Configuration();
  private final List<BlockKey> blocks = new ArrayList<>();
  private final Map<String, NodeClient> nodes = new LinkedHashMap<>();
  private final DirectoryPeers peers;
  private final DirectoryClient client;
  private volatile Ring ring = new Ring(List.of(), 2);
  private volatile long viewMillis;

  private DirectoryProbe() throws IOException {
    peers = new DirectoryPeers(conf, Duration.ofSeconds(2), 16);
    client =
        new DirectoryClient(
            () -> ring,
            () -> {},
            peers,
            (millis, action) ->
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(action),
            System::currentTimeMillis,
            () -> ThreadLocalRandom.current().nextLong() | 1);
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println("DirectoryProbe --path P --seconds N");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    DirectoryProbe probe = new DirectoryProbe();
    probe.begin(new Path(options.get("path")));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(options.get("seconds")));
    while (System.nanoTime() - end < 0) {
      probe.second();
    }
    System.exit(0);
  }

  private void begin(Path path) throws Exception {
    DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(conf);
    for (FileStatus file : fs.listStatus(path)) {
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(file.getPath().toUri().getPath(), 0).getLocatedBlocks()) {
        ExtendedBlock of = block.getBlock();
        blocks.add(new BlockKey(of.getBlockPoolId(), of.getBlockId()));
      }
    }
    for (DatanodeInfo node : fs.getClient().datanodeReport(DatanodeReportType.ALL)) {
      node(new Member(node.getDatanodeUuid(), node.getIpcAddr(false)));
    }
    learn();
  }

  private void node(Member member) throws IOException {
    if (!nodes.containsKey(member.id())) {
      String[] address = member.address().split(":", 2);
      nodes.put(
          member.id(),
          new NodeClient(
              new InetSocketAddress(address[0], Integer.parseInt(address[1])),
              conf,
              Duration.ofSeconds(2),
              NodeClient.DEFAULT_CHUNK_REFERENCES));
      known.put(member.id(), member);
    }
  }

  private final Map<String, Member> known = new HashMap<>();

  /** The latest news of the members that any of them has. */
  private void learn() {
    View latest = View.NONE;
    for (Member member : List.copyOf(known.values())) {
      try {
        View view = peers.view(member).get(2, TimeUnit.SECONDS);
        latest = view.reportedMillis() > latest.reportedMillis() ? view : latest;
      } catch (Exception e) {
        // Another will know.
      }
    }
    if (latest.reportedMillis() > viewMillis) {
      viewMillis = latest.reportedMillis();
      ring = new Ring(latest.members(), 2);
      for (Member member : latest.members()) {
        try {
          node(member);
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private void second() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    int asked = 0;
    int unanswered = 0;
    long slowest = 0;
    Map<BlockKey, Set<String>> holders = new HashMap<>();
    do {
      List<Operation> operations = new ArrayList<>();
      blocks.forEach(block -> operations.add(BlockRecords.asked(block)));
      long begun = System.nanoTime();
      List<Outcome> outcomes = client.run(operations, LOOKUP_MILLIS).get();
      slowest = Math.max(slowest, System.nanoTime() - begun);
      asked += outcomes.size();
      holders.clear();
      for (int i = 0; i < blocks.size(); i++) {
        Outcome outcome = outcomes.get(i);
        unanswered += outcome.isOk() ? 0 : 1;
        if (outcome.isOk()) {
          Set<String> on = new HashSet<>();
          for (Row row : outcome.rows()) {
            BlockOnSsd one = BlockRecords.read(row);
            if (one != null) {
              on.add(one.datanode());
            }
          }
          holders.put(blocks.get(i), on);
        }
      }
      Thread.sleep(PAUSE_MILLIS);
    } while (System.nanoTime() - end < 0);
    learn();
    Map<BlockKey, Set<String>> truth = truth();
    int missing = 0;
    int stale = 0;
    for (BlockKey block : holders.keySet()) {
      Set<String> has = truth.getOrDefault(block, Set.of());
      Set<String> says = holders.get(block);
      for (String one : has) {
        missing += says.contains(one) ? 0 : 1;
      }
      for (String one : says) {
        stale += has.contains(one) ? 0 : 1;
      }
    }
    int copies = truth.values().stream().mapToInt(Set::size).sum();
    System.out.printf(
        Locale.ROOT,
        "{\"at\":%d,\"members\":%d,\"lookups\":%d,\"unanswered\":%d,\"slowestMs\":%.1f,\"copies\":%d,"
            + "\"missing\":%d,\"stale\":%d}%n",
        System.currentTimeMillis(),
        ring.members().size(),
        asked,
        unanswered,
        slowest / 1e6,
        copies,
        missing,
        stale);
    System.out.flush();
  }

  /** Who has what on SSD, of the DataNodes that answer. */
  private Map<BlockKey, Set<String>> truth() {
    Map<BlockKey, Set<String>> out = new HashMap<>();
    for (Map.Entry<String, NodeClient> node : nodes.entrySet()) {
      try {
        for (BlockStatus status : node.getValue().locate(blocks, BlockTokens.NONE)) {
          if (status.cleanData || status.storage.equals("SSD")) {
            out.computeIfAbsent(status.block, b -> new HashSet<>()).add(node.getKey());
          }
        }
      } catch (IOException e) {
        // Gone, or starting.
      }
    }
    return out;
  }
}
