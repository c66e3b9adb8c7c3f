// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Manifest;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Residency;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.HyCacheClient.FileOnSsd;
import io.hycache.hdfs.client.ManifestPlaces;
import io.hycache.hdfs.client.ResolvedManifest;
import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.client.SsdUse;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.BlockTokens;
import io.hycache.hdfs.rpc.HintCluster;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsInternals;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory between DataNodes, and who follows it. */
@Timeout(180)
class DirectoryIT {
  private static final ManifestPlaces NO_PLACES =
      new ManifestPlaces() {
        @Override
        public String source() {
          return "manifest";
        }

        @Override
        public String path(String job, int read) {
          return job + " " + read;
        }
      };

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @AfterEach
  void stop() throws Exception {
    if (c != null) {
      c.close();
    }
  }

  private void start(Configuration conf) throws Exception {
    conf.setInt("dfs.replication", 3);
    conf.set(HyCacheKeys.RPC_TIMEOUT, "5s");
    c = EmbeddedCluster.start(conf, 3);
    c.await("whole", c::isDirectoryWhole);
  }

  private static Configuration onDisk() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    return conf;
  }

  private List<String> seeds() {
    List<String> out = new ArrayList<>();
    for (DataNode node : c.cluster.getDataNodes()) {
      out.add("127.0.0.1:" + node.getIpcPort());
    }
    return out;
  }

  /** Who has all blocks of a file on SSD, asked anew. */
  private Set<String> onSsd(String path) throws IOException {
    try (SsdHolders fresh = new SsdHolders(c.fs.getConf(), Duration.ofSeconds(5))) {
      List<BlockKey> keys = c.keys(path);
      var known = fresh.of(keys, BlockTokens.NONE, seeds());
      assertEquals(Set.copyOf(keys), known.keySet());
      Set<Set<String>> all = Set.copyOf(known.values());
      return all.size() == 1 ? all.iterator().next() : Set.of();
    }
  }

  private String uuid(int node) {
    return c.dataNode(node).getDatanodeUuid();
  }

  private void fetch(int node, String path) throws Exception {
    c.hint(node, "fetch" + node, path, 2);
    c.await("fetched", () -> c.locate(node, path).stream().allMatch(b -> b.cleanData));
  }

  private void readAt(int node, String path) throws IOException {
    for (LocatedBlock located : c.blocks(path)) {
      c.readAt(node, located);
    }
  }

  private HyCacheFileSystem open(String locality) throws IOException {
    Configuration conf = new Configuration(c.fs.getConf());
    conf.set("fs.hdfs.impl", HyCacheFileSystem.class.getName());
    conf.set(HyCacheKeys.CLIENT_LOCALITY, locality);
    conf.set(HyCacheKeys.CLIENT_LOCALITY_TIMEOUT, "5s");
    return (HyCacheFileSystem) FileSystem.newInstance(c.fs.getUri(), conf);
  }

  @Test
  void write_onSsd_publishedAndForgottenWhenDeleted() throws Exception {
    start(EmbeddedCluster.conf());
    c.write("/a", 1, 3 * BLOCK);
    List<BlockKey> keys = c.keys("/a");

    c.await("published", () -> onSsd("/a").size() == 3);
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    SsdUse use = client.ssdUse(client.liveNodes());
    FileOnSsd file = client.list("/a").get(0);
    assertEquals(9, use.records().size());
    assertEquals(9L * BLOCK, use.bytes());
    assertEquals(6L * BLOCK, use.duplicateBytes());
    assertEquals(3L * BLOCK, use.bytes(uuid(1), Residency.DIRTY));
    assertEquals(3, use.blocks(uuid(2)));
    assertEquals(List.of(3, 3, 0), List.of(file.blocks, file.ssdBlocks, file.unknownBlocks));
    assertEquals(3L * BLOCK, file.ssdBytes);

    c.fs.delete(new Path("/a"), false);
    c.await(
        "forgotten",
        () -> {
          try (SsdHolders fresh = new SsdHolders(c.fs.getConf(), Duration.ofSeconds(5))) {
            return fresh.of(keys, BlockTokens.NONE, seeds()).values().stream()
                .allMatch(Set::isEmpty);
          }
        });
  }

  @Test
  void passThrough_itsBlocksAreNoLongerListed() throws Exception {
    start(EmbeddedCluster.conf());
    c.write("/a", 1, 3 * BLOCK);
    c.await("published", () -> onSsd("/a").size() == 3);
    c.node(0).stepAside("by the test");
    c.await("withdrawn", () -> onSsd("/a").equals(Set.of(uuid(1), uuid(2))));
  }

  @Test
  void locality_prefer_readsAndSchedulersTurnToTheSsd() throws Exception {
    start(onDisk());
    byte[] data = c.write("/a", 1, 4 * BLOCK);
    fetch(1, "/a");
    c.await("published", () -> onSsd("/a").equals(Set.of(uuid(1))));

    try (HyCacheFileSystem fs = open("prefer")) {
      String first = c.dataNode(1).getXferAddress().getPort() + "";
      BlockLocation[] asked = fs.getFileBlockLocations(new Path("/a"), 0, 4 * BLOCK);
      assertEquals(4, asked.length);
      for (BlockLocation location : asked) {
        assertEquals(3, location.getNames().length);
        assertTrue(location.getNames()[0].endsWith(":" + first), location::toString);
      }
      LocatedFileStatus listed = fs.listLocatedStatus(new Path("/")).next();
      for (BlockLocation location : listed.getBlockLocations()) {
        assertTrue(location.getNames()[0].endsWith(":" + first), location::toString);
      }
      byte[] read = new byte[data.length];
      try (InputStream in = fs.open(new Path("/a"))) {
        IOUtils.readFully(in, read, 0, read.length);
      }
      assertArrayEquals(data, read);
      c.await("from SSD", () -> c.count(1, "SsdBytesRead") >= data.length);
      assertEquals(0, c.count(0, "DiskBytesRead") + c.count(2, "DiskBytesRead"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"only", "off"})
  void locality_onlyAndOff_oneHostAndPlainHdfs(String locality) throws Exception {
    start(onDisk());
    c.write("/a", 1, 2 * BLOCK);
    fetch(2, "/a");
    c.await("published", () -> onSsd("/a").equals(Set.of(uuid(2))));

    try (HyCacheFileSystem fs = open(locality)) {
      int hosts = locality.equals("only") ? 1 : 3;
      LocatedFileStatus listed = fs.listLocatedStatus(new Path("/")).next();
      List<BlockLocation> all =
          new ArrayList<>(Arrays.asList(fs.getFileBlockLocations(new Path("/a"), 0, 2 * BLOCK)));
      all.addAll(Arrays.asList(listed.getBlockLocations()));
      assertEquals(4, all.size());
      for (BlockLocation location : all) {
        assertEquals(hosts, location.getHosts().length, location::toString);
        assertEquals(hosts, location.getNames().length, location::toString);
      }
    }
  }

  @Test
  void locality_noDirectory_plainHdfs() throws Exception {
    Configuration conf = onDisk();
    conf.setInt("dfs.replication", 3);
    conf.set(HyCacheKeys.DIRECTORY, "off");
    c = EmbeddedCluster.start(conf, 3);
    byte[] data = c.write("/a", 1, 2 * BLOCK);

    try (HyCacheFileSystem fs = open("only")) {
      assertEquals(3, fs.getFileBlockLocations(new Path("/a"), 0, 1)[0].getHosts().length);
      byte[] read = new byte[data.length];
      try (InputStream in = fs.open(new Path("/a"))) {
        IOUtils.readFully(in, read, 0, read.length);
      }
      assertArrayEquals(data, read);
    }
  }

  @Test
  void read_blockIsOnAnothersSsd_promotedOnlyWhenHot() throws Exception {
    Configuration conf = onDisk();
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.setInt(HyCacheKeys.COOPERATION_HOT_READS, 3);
    start(conf);
    c.write("/a", 1, 2 * BLOCK);
    readAt(0, "/a");
    c.await("promoted", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
    c.await("published", () -> onSsd("/a").equals(Set.of(uuid(0))));

    readAt(1, "/a");
    c.await("left", () -> c.count(1, "SsdPromotionsLeftToOthers") == 2);
    assertTrue(
        c.locate(1, "/a").stream().allMatch(b -> !b.cleanData && b.reason == Reason.ON_OTHER_SSD));

    readAt(1, "/a");
    readAt(1, "/a");
    c.await("hot here", () -> c.locate(1, "/a").stream().allMatch(b -> b.cleanData));
    c.await("published", () -> onSsd("/a").equals(Set.of(uuid(0), uuid(1))));
  }

  @Test
  void submit_blockIsOnSomeSsd_hintedThere() throws Exception {
    start(onDisk());
    c.write("/a", 1, 4 * BLOCK);
    fetch(2, "/a");
    c.await("published", () -> onSsd("/a").equals(Set.of(uuid(2))));
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    Manifest manifest =
        HintCluster.manifest(
            "{\"version\": 1, \"workflow\": \"w\", \"ttl\": \"1h\", \"jobs\": [{\"name\": \"j\","
                + " \"reads\": [{\"path\": \"/a\"}]}]}");

    ResolvedManifest resolved = client.resolve(NO_PLACES, manifest, Duration.ofMinutes(1));

    resolved
        .nodes()
        .forEach(
            part ->
                assertEquals(
                    part.node().uuid().equals(uuid(2)) ? 4 : 0, part.blocks(), part.node().name()));
  }

  /** A plain client reads a replica that has no hints: the DataNode that has them learns of it. */
  @Test
  void plainClient_readsAnotherReplica_theHintIsUsedUp() throws Exception {
    start(onDisk());
    c.write("/a", 1, 6 * BLOCK);
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    Manifest manifest =
        HintCluster.manifest(
            "{\"version\": 1, \"workflow\": \"w\", \"ttl\": \"1h\", \"jobs\": [{\"name\": \"j\","
                + " \"repeat\": 2, \"reads\": [{\"path\": \"/a\"}]}]}");
    var receipts = client.submit(client.resolve(NO_PLACES, manifest, Duration.ofMinutes(10)));
    assertEquals(3, receipts.size());
    for (int i = 0; i < 3; i++) {
      int node = i;
      assertEquals(4, c.node(node).status().hintsLeft(), "2 blocks, each twice");
      c.await("fetched", () -> copies(node) == 2);
    }

    // Each block is read as a whole, always on the same DataNode, one that has no hint for it.
    // (What
    // is read may be promoted there, and the third DataNode still expects its own two reads.)
    List<LocatedBlock> blocks = c.blocks("/a");
    List<Integer> readers = new ArrayList<>();
    for (LocatedBlock block : blocks) {
      readers.add(withoutCopy(block));
    }
    for (int round = 1; round <= 2; round++) {
      int left = 4 - 2 * round;
      for (int i = 0; i < blocks.size(); i++) {
        c.readAt(readers.get(i), blocks.get(i));
      }
      c.await(
          "used up",
          () -> {
            for (int node = 0; node < 3; node++) {
              if (c.node(node).status().hintsLeft() != left) {
                return false;
              }
            }
            return true;
          });
    }
    for (int node = 0; node < 3; node++) {
      assertEquals(4, c.count(node, "HintsReadElsewhere"));
      assertEquals(0, c.count(node, "HintedReadsUnreported"));
      assertEquals(List.of(), c.node(node).workflows(any -> true));
    }
    long reported = 0;
    for (int node = 0; node < 3; node++) {
      reported += c.count(node, "HintedReadsReported");
    }
    assertEquals(12, reported);

    // No more is expected: what is read now is reported to nobody.
    int reader = readers.get(0);
    long before = c.locate(reader, "/a").get(0).reads;
    c.readAt(reader, blocks.get(0));
    c.await("read", () -> c.locate(reader, "/a").get(0).reads > before);
    for (int node = 0; node < 3; node++) {
      reported -= c.count(node, "HintedReadsReported");
    }
    assertEquals(0, reported);
  }

  private long copies(int node) throws IOException {
    return c.locate(node, "/a").stream().filter(b -> b.cleanData).count();
  }

  private int withoutCopy(LocatedBlock block) throws IOException {
    ExtendedBlock of = block.getBlock();
    BlockKey key = new BlockKey(of.getBlockPoolId(), of.getBlockId());
    for (int node = 0; node < 3; node++) {
      if (!c.node(node).locate(List.of(key)).get(0).cleanData) {
        return node;
      }
    }
    throw new AssertionError("on all SSDs: " + block);
  }

  @Test
  void dataNode_restarted_theDirectoryIsWholeAgain() throws Exception {
    start(EmbeddedCluster.conf());
    c.write("/a", 1, 3 * BLOCK);
    c.await("published", () -> onSsd("/a").size() == 3);

    assertTrue(c.cluster.restartDataNode(1, true));
    c.cluster.waitActive();
    c.await("whole again", c::isDirectoryWhole);
    c.await("published again", () -> onSsd("/a").size() == 3);
  }

  /** As one whose LevelDB can't be opened: it answers, but takes no shard. */
  @Test
  void dataNode_restartedWithoutAPart_isNoMemberAnyMore() throws Exception {
    start(EmbeddedCluster.conf());
    DataNodeProperties stopped = requireNonNull(c.cluster.stopDataNode(2));
    HdfsInternals.settings(stopped).set(HyCacheKeys.DIRECTORY, "off");
    assertTrue(c.cluster.restartDataNode(stopped, true));
    c.cluster.waitActive();
    c.write("/a", 1, 6 * BLOCK);
    c.await("left out", () -> members(0) == 2 && members(1) == 2);
  }

  private int members(int node) {
    return requireNonNull(c.directory(node)).status().members;
  }
}
