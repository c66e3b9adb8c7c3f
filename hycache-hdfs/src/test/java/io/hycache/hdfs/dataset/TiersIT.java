// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A DataNode with a volume of type NVDIMM, one of type SSD and one of type DISK. The fast ones have
 * room for 20 blocks each; above 6 dirty blocks they are written to the next.
 */
@Timeout(180)
class TiersIT {
  private static final StorageType NVDIMM =
      Arrays.stream(StorageType.values())
          .filter(type -> type.name().equals("NVDIMM"))
          .findFirst()
          .orElse(StorageType.SSD);

  private static final StorageType[] VOLUMES = {NVDIMM, StorageType.SSD, StorageType.DISK};

  private @Nullable EmbeddedCluster cluster;
  private final Map<String, byte[]> written = new HashMap<>();

  @BeforeEach
  void needsNvdimm() {
    assumeTrue(NVDIMM != StorageType.SSD, "storage type NVDIMM: Hadoop 3.4 or later");
  }

  private static Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.TIERS, "NVDIMM,SSD,DISK");
    conf.set(HyCacheKeys.SSD_CAPACITY, "20MB");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0.3");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0.6");
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.set(HyCacheKeys.BALANCE, "false");
    return conf;
  }

  private EmbeddedCluster use(EmbeddedCluster next) {
    cluster = next;
    return next;
  }

  private EmbeddedCluster start(Configuration conf) throws Exception {
    EmbeddedCluster c = use(EmbeddedCluster.start(conf, VOLUMES));
    c.await("the devices are known", () -> c.node(0).status().capacityBytes() == 40L * BLOCK);
    return c;
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void write(EmbeddedCluster c, String path, int blocks) throws IOException {
    written.put(path, c.write(path, path.hashCode(), blocks * BLOCK));
  }

  private void assertAllReadable(EmbeddedCluster c) throws IOException {
    for (Map.Entry<String, byte[]> file : written.entrySet()) {
      assertArrayEquals(file.getValue(), c.read(file.getKey()), file.getKey());
    }
  }

  private static List<StorageType> times(int count, StorageType type) {
    return Collections.nCopies(count, type);
  }

  private static void awaitTypes(EmbeddedCluster c, String path, List<StorageType> types)
      throws Exception {
    c.await(path + " on " + types, () -> c.types(path).equals(types));
  }

  private static long dirtyBytes(EmbeddedCluster c, String type) throws IOException {
    return bytes(c, type, DeviceStatus.Figure.DIRTY_BYTES);
  }

  private static long cleanBytes(EmbeddedCluster c, String type) throws IOException {
    return bytes(c, type, DeviceStatus.Figure.CLEAN_BYTES);
  }

  private static long bytes(EmbeddedCluster c, String type, DeviceStatus.Figure figure)
      throws IOException {
    return c.node(0).status().devices().stream()
        .filter(device -> device.storageType().equals(type))
        .mapToLong(device -> device.figure(figure))
        .sum();
  }

  private static void assertHealthy(EmbeddedCluster c) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      Configuration conf = new Configuration(c.fs.getConf());
      assertEquals(0, ToolRunner.run(new DFSck(conf, print), new String[] {"/"}));
    }
    String report = out.toString(StandardCharsets.UTF_8);
    assertTrue(report.contains("is HEALTHY"), report);
  }

  /** Ten blocks: the four oldest have stepped down to SSD, six are on NVDIMM. */
  private EmbeddedCluster tenBlocks() throws Exception {
    EmbeddedCluster c = start(conf());
    write(c, "/old", 4);
    awaitTypes(c, "/old", times(4, NVDIMM));
    write(c, "/new", 6);
    awaitTypes(c, "/new", times(6, NVDIMM));
    awaitTypes(c, "/old", times(4, StorageType.SSD));
    c.await("all steps are booked", () -> dirtyBytes(c, "SSD") == 4L * BLOCK);
    return c;
  }

  @Test
  void guestsThatCool_stepDownOneTier_asGuests_readableAndKnownToTheNameNode() throws Exception {
    EmbeddedCluster c = tenBlocks();
    assertAllReadable(c);
    assertEquals(6L * BLOCK, dirtyBytes(c, "NVDIMM"));
    assertEquals(4, c.count(0, "SsdBlocksSteppedDown"));
    assertEquals(4L * BLOCK, c.count(0, "SsdBytesSteppedDown"));
    assertEquals(0, c.count(0, "SsdBlocksDemoted"));
    for (BlockStatus block : c.locate(0, "/old")) {
      assertEquals("SSD", block.storage);
      assertTrue(block.dirty);
    }
    for (BlockStatus block : c.locate(0, "/new")) {
      assertEquals("NVDIMM", block.storage);
    }
    NodeStatus status = c.node(0).status();
    assertEquals(10L * BLOCK, status.dirtyBytes());
    assertHealthy(c);
  }

  @Test
  void whatCoolsFurther_goesToDisk_andStaysAsACleanCopyOnSsd() throws Exception {
    EmbeddedCluster c = tenBlocks();
    write(c, "/newer", 6);
    awaitTypes(c, "/new", times(6, StorageType.SSD));
    awaitTypes(c, "/old", times(4, StorageType.DISK));
    c.await("copies", () -> c.locate(0, "/old").stream().allMatch(block -> block.cleanData));
    assertAllReadable(c);
    assertHealthy(c);
  }

  @Test
  void append_toAGuestThatSteppedDown_givesItsBytes() throws Exception {
    EmbeddedCluster c = start(conf());
    written.put("/log", c.write("/log", 1, BLOCK / 2));
    write(c, "/new", 6);
    awaitTypes(c, "/log", times(1, StorageType.SSD));
    byte[] more = EmbeddedCluster.content(2, BLOCK);
    try (FSDataOutputStream out = c.fs.append(new Path("/log"))) {
      out.write(more);
    }
    byte[] before = assertNotNullAnd(written.get("/log"));
    byte[] all = Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, all, before.length, more.length);
    written.put("/log", all);
    assertAllReadable(c);
    assertHealthy(c);
  }

  private static byte[] assertNotNullAnd(byte @Nullable [] bytes) {
    assertNotNull(bytes);
    return bytes;
  }

  @Test
  void restart_guestsOfBothTiersAreGuestsStill() throws Exception {
    tenBlocks().close();
    EmbeddedCluster c = use(EmbeddedCluster.restart(conf(), VOLUMES));
    c.await("scan", () -> c.node(0).status().dirtyBytes() == 10L * BLOCK);
    assertEquals(4L * BLOCK, dirtyBytes(c, "SSD"));
    assertEquals(6L * BLOCK, dirtyBytes(c, "NVDIMM"));
    assertAllReadable(c);
    // The reads are the newest heat, so any block may be the coldest now.
    write(c, "/newer", 6);
    c.await("demoted", () -> c.count(0, "SsdBlocksDemoted") == 4);
    assertEquals(6, c.count(0, "SsdBlocksSteppedDown"));
    assertAllReadable(c);
    assertHealthy(c);
  }

  @Test
  void tierRemovedFromTheList_whatLiesThereIsItsOwners() throws Exception {
    tenBlocks().close();
    Configuration two = conf();
    two.unset(HyCacheKeys.TIERS);
    EmbeddedCluster c = use(EmbeddedCluster.restart(two, VOLUMES));
    c.await("scan", () -> c.node(0).status().dirtyBytes() == 4L * BLOCK);
    assertAllReadable(c);
    assertAllReadable(c);
    assertEquals(4, c.node(0).status().trackedBlocks());
    write(c, "/newer", 3);
    awaitTypes(c, "/newer", times(3, StorageType.SSD));
    assertEquals(0, c.count(0, "SsdBlocksPromoted"), "what is on NVDIMM is not copied to SSD");
    assertEquals(times(6, NVDIMM), c.types("/new"));
    assertAllReadable(c);
    assertHealthy(c);
    c.close();
    EmbeddedCluster three = use(EmbeddedCluster.restart(conf(), VOLUMES));
    three.await("guests again", () -> three.node(0).status().dirtyBytes() >= 10L * BLOCK);
    assertAllReadable(three);
  }

  @Test
  void removal_leavesPlainHdfs() throws Exception {
    EmbeddedCluster c = tenBlocks();
    write(c, "/newer", 6);
    awaitTypes(c, "/old", times(4, StorageType.DISK));
    c.close();
    Configuration plain = conf();
    plain.unset("dfs.datanode.fsdataset.factory");
    plain.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    plain.unset("dfs.datanode.plugins");
    EmbeddedCluster without = use(EmbeddedCluster.restart(plain, VOLUMES));
    assertAllReadable(without);
    assertHealthy(without);
  }

  @Test
  void promotions_fillTheFastestTierFirst() throws Exception {
    Configuration conf = conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.PREFETCH_SHARE, "0");
    EmbeddedCluster c = start(conf);
    write(c, "/data", 30);
    assertEquals(times(30, StorageType.DISK), c.types("/data"));
    c.await(
        "all are copied",
        () -> {
          assertAllReadable(c);
          return c.locate(0, "/data").stream().allMatch(block -> block.cleanData);
        });
    long before = c.count(0, "SsdBytesRead");
    assertAllReadable(c);
    c.await("read from copies", () -> c.count(0, "SsdBytesRead") - before >= 29L * BLOCK);
    // On a busy machine a device may be taken for sick for a moment, and is left out of the sums.
    // The limit of a device does not count copies that are on their way to it.
    c.await(
        "the fastest tier is full",
        () ->
            cleanBytes(c, "NVDIMM") > 17L * BLOCK
                && cleanBytes(c, "NVDIMM") + cleanBytes(c, "SSD") == 30L * BLOCK);
    assertHealthy(c);
  }

  @Test
  void volumeOfAFastTierIsFull_theNextTierTakesTheReplica() throws Exception {
    Configuration conf = conf();
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    EmbeddedCluster c = use(EmbeddedCluster.start(conf, VOLUMES, 4L * BLOCK, 1L << 30, 1L << 30));
    c.await("the devices are known", () -> c.node(0).status().capacityBytes() == 24L * BLOCK);
    write(c, "/spilled", 8);
    List<StorageType> types = c.types("/spilled");
    assertTrue(types.contains(NVDIMM) && types.contains(StorageType.SSD), types::toString);
    assertFalse(types.contains(StorageType.DISK), types::toString);
    assertAllReadable(c);
    assertHealthy(c);
  }
}
