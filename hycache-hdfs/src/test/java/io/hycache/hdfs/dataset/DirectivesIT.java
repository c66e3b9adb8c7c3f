// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Reason;
import io.hycache.core.stats.NodeFigure;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX.CacheManipulator;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX.NoMlockCacheManipulator;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Cache directives that pin blocks on SSD. The DataNode's SSD has room for 40 blocks, and a quarter
 * of it is for pins: 10 blocks.
 */
@Timeout(180)
class DirectivesIT {
  private static final int PAGE = 4096;

  /** Three blocks and two pages. */
  private static final int BYTES = 3 * BLOCK + PAGE + 100;

  private static final long CAPACITY = 10L * BLOCK;

  @SuppressWarnings("NullAway.Init") // see start
  private EmbeddedCluster c;

  private void start(Configuration conf) throws Exception {
    c = EmbeddedCluster.start(conf, 1);
    c.await("the SSD is known", () -> c.node(0).status().capacityBytes() > 0);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  // ---- what the NameNode and the DataNode say ---------------------------------------------------

  private FsDatasetSpi<?> dataset() {
    return CacheReports.dataset(c);
  }

  private Set<Long> report() throws IOException {
    return CacheReports.report(c);
  }

  private Set<Long> ids(String path) throws IOException {
    return CacheReports.ids(c, path);
  }

  private long cached(String path) throws IOException {
    return CacheReports.cached(c, path);
  }

  private long cachedBytes(String pool) throws IOException {
    RemoteIterator<CacheDirectiveEntry> all =
        c.fs.listCacheDirectives(new CacheDirectiveInfo.Builder().setPool(pool).build());
    long bytes = 0;
    while (all.hasNext()) {
      bytes += all.next().getStats().getBytesCached();
    }
    return bytes;
  }

  private boolean all(String path, Reason reason) throws IOException {
    return c.locate(0, path).stream().allMatch(block -> block.reason == reason);
  }

  private void pool(String name, long limitBytes) throws IOException {
    c.fs.addCachePool(new CachePoolInfo(name).setLimit(limitBytes));
  }

  private long directive(String path, String pool, CacheFlag... flags) throws IOException {
    return c.fs.addCacheDirective(
        new CacheDirectiveInfo.Builder().setPath(new Path(path)).setPool(pool).build(),
        flags.length == 0 ? EnumSet.noneOf(CacheFlag.class) : EnumSet.copyOf(List.of(flags)));
  }

  /** A counter of HDFS's own metrics of the DataNode. */
  private long metric(String name) {
    return metric(
        DefaultMetricsSystem.instance().getSource(c.dataNode(0).getMetrics().name()), name);
  }

  /** What HDFS's FSDatasetState says of the cache. */
  private List<Long> stateMetrics() {
    return Stream.of(
            "CacheUsed",
            "CacheCapacity",
            "NumBlocksCached",
            "NumBlocksFailedToCache",
            "NumBlocksFailedToUnCache")
        .map(name -> metric((MetricsSource) dataset(), name))
        .collect(Collectors.toList());
  }

  private static long metric(MetricsSource source, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value().longValue();
      }
    }
    throw new IllegalArgumentException("no such metric: " + name);
  }

  /** Writes a file, and returns when its pins are reported and listed. */
  private byte[] pinned(String path, String pool, int bytes) throws Exception {
    byte[] data = c.write(path, path.hashCode(), bytes);
    long unused = directive(path, pool);
    awaitPinned(path);
    return data;
  }

  private void awaitPinned(String path) throws Exception {
    c.await(
        "pinned " + path,
        () -> report().containsAll(ids(path)) && cached(path) == ids(path).size());
  }

  private boolean reads(String path, byte[] data) {
    try {
      return Arrays.equals(data, c.read(path));
    } catch (IOException e) {
      return false;
    }
  }

  // ---- pins -------------------------------------------------------------------------------------

  @Test
  void directive_pinsToTheByte_isReadFromSsd_staysUnderPressure_andIsReleased() throws Exception {
    start(CacheReports.conf());
    assertEquals(CAPACITY, dataset().getCacheCapacity());
    pool("p", Long.MAX_VALUE);
    byte[] data = c.write("/a", 1, BYTES);
    long directive = directive("/a", "p");
    awaitPinned("/a");

    long used = 3L * BLOCK + 2 * PAGE;
    assertEquals(used, dataset().getCacheUsed());
    assertEquals(4, dataset().getNumBlocksCached());
    assertEquals(4, metric("BlocksCached"));
    assertEquals(0, metric("BlocksUncached"));
    assertEquals(List.of(used, CAPACITY, 4L, 0L, 0L), stateMetrics());
    assertEquals(ids("/a"), report());
    c.await("the NameNode adds up", () -> cachedBytes("p") == BYTES);
    assertTrue(all("/a", Reason.PINNED));
    assertEquals(used, c.node(0).status().figure(NodeFigure.PINNED_BYTES));
    assertEquals(4, c.node(0).status().figure(NodeFigure.PINNED_BLOCKS));
    assertEquals(CAPACITY, c.node(0).status().figure(NodeFigure.PIN_CAPACITY_BYTES));
    assertEquals(4, c.count(0, "SsdBlocksPromoted"));
    assertEquals(Set.of(StorageType.DISK), Set.copyOf(c.types("/a")));

    long before = c.count(0, "SsdBytesRead");
    assertArrayEquals(data, c.read("/a"));
    c.await("read from SSD", () -> c.count(0, "SsdBytesRead") - before == BYTES);

    c.write("/b", 2, 60 * BLOCK);
    byte[] other = c.read("/b");
    c.await("copies made way", () -> c.count(0, "SsdBlocksEvicted") >= 10);
    assertArrayEquals(other, c.read("/b"));
    assertEquals(ids("/a"), report());
    assertTrue(all("/a", Reason.PINNED));
    assertEquals(used, dataset().getCacheUsed());

    c.fs.removeCacheDirective(directive);
    c.await("released", () -> report().isEmpty() && dataset().getCacheUsed() == 0);
    c.await("listed no more", () -> cached("/a") == 0);
    assertEquals(0, dataset().getNumBlocksCached());
    assertEquals(4, metric("BlocksCached"));
    assertEquals(4, metric("BlocksUncached"));
    // The NameNode asks again until it has a report, which counts as failed, as in HDFS.
    assertEquals(List.of(0L, CAPACITY, 0L, 0L), stateMetrics().subList(0, 4));
    assertEquals(0, dataset().getNumBlocksFailedToCache());
    assertTrue(all("/a", Reason.ON_SSD_CLEAN), "released, and not removed");
    c.write("/d", 3, 40 * BLOCK);
    c.read("/d");
    c.await(
        "what was pinned makes way",
        () -> c.locate(0, "/a").stream().noneMatch(block -> block.cleanData));
  }

  @Test
  void directiveLargerThanTheShare_pinsWhatFits() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    c.write("/a", 1, 12 * BLOCK);
    long unused = directive("/a", "p");
    c.await("as many as fit", () -> report().size() == 10 && cached("/a") == 10);
    assertEquals(CAPACITY, dataset().getCacheUsed());
    assertEquals(10, dataset().getNumBlocksCached());
    Set<Long> pinned = report();
    long[] left = ids("/a").stream().filter(id -> !pinned.contains(id)).mapToLong(i -> i).toArray();
    assertEquals(2, left.length);
    long failed = dataset().getNumBlocksFailedToCache();
    dataset().cache(c.cluster.getNamesystem().getBlockPoolId(), left);
    c.await("refused", () -> dataset().getNumBlocksFailedToCache() == failed + 2);
    assertEquals(10, report().size());
    assertEquals(CAPACITY, dataset().getCacheUsed());
  }

  @Test
  void pools_withLimits_eachPinsItsOwn() throws Exception {
    start(CacheReports.conf());
    pool("small", 2L * BLOCK);
    pool("large", 6L * BLOCK);
    c.write("/small/b", 2, 3 * BLOCK);
    pinned("/small/a", "small", BLOCK);
    assertThrows(InvalidRequestException.class, () -> directive("/small/b", "small"));
    long unused = directive("/small/b", "small", CacheFlag.FORCE); // beyond its user's limit
    pinned("/large/c", "large", 5 * BLOCK);
    assertEquals(6L * BLOCK, dataset().getCacheUsed());
    assertEquals(6, report().size());
    assertEquals(0, cached("/small/b"));
    c.await("the NameNode adds up", () -> cachedBytes("large") == 5L * BLOCK);
    assertEquals(BLOCK, cachedBytes("small"));
  }

  @Test
  void poolsOfTwoUsers_oneOverHisLimit_doesNotTakeTheOthersSpace() throws Exception {
    start(CacheReports.conf());
    userPool("alice", 3L * BLOCK);
    userPool("bob", 6L * BLOCK);
    c.write("/alice/a", 1, 3 * BLOCK);
    c.write("/alice/b", 2, 3 * BLOCK);
    c.write("/bob/c", 3, 5 * BLOCK);
    long unused = directiveOf("alice", "/alice/a", "alice");
    assertThrows(InvalidRequestException.class, () -> directiveOf("alice", "/alice/b", "alice"));
    assertThrows(AccessControlException.class, () -> directiveOf("alice", "/alice/b", "bob"));
    // What an administrator forces in stays over the limit, and is not cached.
    unused = directive("/alice/b", "alice", CacheFlag.FORCE);
    unused = directiveOf("bob", "/bob/c", "bob");
    awaitPinned("/alice/a");
    awaitPinned("/bob/c");
    c.await("the NameNode adds up", () -> cachedBytes("bob") == 5L * BLOCK);
    assertEquals(3L * BLOCK, cachedBytes("alice"));
    assertEquals(8L * BLOCK, dataset().getCacheUsed());
    assertEquals(0, cached("/alice/b"));
    assertEquals(8, report().size());
  }

  private void userPool(String user, long limitBytes) throws IOException {
    c.fs.addCachePool(
        new CachePoolInfo(user)
            .setOwnerName(user)
            .setGroupName(user)
            .setMode(new FsPermission("700"))
            .setLimit(limitBytes));
  }

  private long directiveOf(String user, String path, String pool) throws Exception {
    PrivilegedExceptionAction<FileSystem> open =
        () -> FileSystem.newInstance(c.fs.getUri(), c.fs.getConf());
    try (FileSystem fs =
        UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(open)) {
      return ((DistributedFileSystem) fs)
          .addCacheDirective(
              new CacheDirectiveInfo.Builder().setPath(new Path(path)).setPool(pool).build());
    }
  }

  @Test
  void dirtyReplica_isPinnedWithoutACopy_andStaysPinnedWhenItDriftsToDisk() throws Exception {
    Configuration conf = CacheReports.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0.9");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    start(conf);
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BYTES);
    assertEquals(Set.of(StorageType.SSD), Set.copyOf(c.types("/a")));
    assertTrue(all("/a", Reason.PINNED));
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_LOW, "0", HyCacheKeys.DEMOTE_HIGH, "0"));
    c.await("on DISK", () -> c.types("/a").stream().allMatch(type -> type == StorageType.DISK));
    c.await("still pinned", () -> report().equals(ids("/a")) && all("/a", Reason.PINNED));
    assertEquals(3L * BLOCK + 2 * PAGE, dataset().getCacheUsed());
    assertEquals(0, c.count(0, "SsdBlocksPromoted"));
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void advertisingThatIsRefused_isAWarning_whileTheSettingsAreSo() throws Exception {
    start(CacheReports.conf());
    assertEquals(0, warningsOfAdvertising());
    c.node(0).settings(Map.of(HyCacheKeys.ADVERTISE_BLOCKS, "9", HyCacheKeys.PINS_SHARE, "0"));
    assertEquals(1, warningsOfAdvertising());
    c.node(0).settings(Map.of(HyCacheKeys.PINS_SHARE, "0.25"));
    assertEquals(0, warningsOfAdvertising());
  }

  private long warningsOfAdvertising() throws IOException {
    return c.node(0).status().warnings().stream()
        .filter(warning -> warning.startsWith(HyCacheKeys.ADVERTISE_BLOCKS))
        .count();
  }

  // ---- changes of what is pinned ----------------------------------------------------------------

  @Test
  void append_endsThePinOfItsBlock_andTheNewStateIsPinned_untilTheFileIsDeleted() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BYTES);
    Set<Long> before = ids("/a");
    byte[] more = EmbeddedCluster.content(7, 3 * PAGE);
    try (FSDataOutputStream out = c.fs.append(new Path("/a"))) {
      out.write(more);
      out.hflush();
      c.await("not pinned while it is written", () -> report().size() == 3);
      assertTrue(before.containsAll(report()));
      c.await("its bytes are free", () -> dataset().getCacheUsed() == 3L * BLOCK);
    }
    awaitPinned("/a");
    assertEquals(3L * BLOCK + 5 * PAGE, dataset().getCacheUsed());
    byte[] whole = Arrays.copyOf(data, BYTES + more.length);
    System.arraycopy(more, 0, whole, BYTES, more.length);
    assertArrayEquals(whole, c.read("/a"));

    assertTrue(c.fs.delete(new Path("/a"), false));
    c.await("deleted", () -> report().isEmpty() && dataset().getCacheUsed() == 0);
  }

  @Test
  void truncate_endsThePinOfItsBlock_andTheNewStateIsPinned() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BYTES);
    if (!c.fs.truncate(new Path("/a"), 3L * BLOCK + 10)) {
      c.await("recovered", () -> c.fs.isFileClosed(new Path("/a")));
    }
    awaitPinned("/a");
    c.await("its page alone", () -> dataset().getCacheUsed() == 3L * BLOCK + PAGE);
    assertArrayEquals(Arrays.copyOf(data, 3 * BLOCK + 10), c.read("/a"));
  }

  @Test
  void restart_copiesThatSurvivedArePinnedAgain_withoutANewCopy() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BYTES);
    assertTrue(c.cluster.restartDataNode(0, true));
    c.cluster.waitActive();
    awaitPinned("/a");
    assertEquals(3L * BLOCK + 2 * PAGE, dataset().getCacheUsed());
    assertEquals(0, c.count(0, "SsdBlocksPromoted"));
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void damagedCopy_isDroppedAndMadeAgain() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BLOCK);
    java.nio.file.Path area =
        c.cluster.getInstanceStorageDir(0, 0).toPath().resolve(CleanArea.DIRECTORY);
    try (Stream<java.nio.file.Path> files = Files.walk(area)) {
      java.nio.file.Path copy =
          files.filter(file -> file.toString().endsWith(".data")).findFirst().orElseThrow();
      try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
        file.seek(BLOCK / 2);
        file.write(~data[BLOCK / 2]);
      }
    }
    c.await("a client that tries again gets it", () -> reads("/a", data));
    c.await("found", () -> c.count(0, "SsdCopiesBad") == 1);
    c.await("made again", () -> c.count(0, "SsdBlocksPromoted") == 2);
    c.await("pinned", () -> report().equals(ids("/a")));
    assertEquals(BLOCK, dataset().getCacheUsed());
    long before = c.count(0, "SsdBytesRead");
    assertArrayEquals(data, c.read("/a"));
    c.await("from the new copy", () -> c.count(0, "SsdBytesRead") - before == BLOCK);
  }

  // ---- HDFS's own meaning -----------------------------------------------------------------------

  @Test
  void passThrough_releasesAllPins_andTheNameNodeSeesIt() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = pinned("/a", "p", BYTES);
    c.node(0).stepAside("by the test");
    assertEquals(Set.of(), report());
    assertEquals(CAPACITY, dataset().getCacheCapacity());
    assertEquals(CAPACITY, dataset().getCacheUsed(), "nothing is left to assign");
    c.await("listed no more", () -> cached("/a") == 0);
    c.await("released", () -> c.node(0).status().figure(NodeFigure.PINNED_BLOCKS) == 0);
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void noShareForPinsAnyMore_theNameNodeSeesWhatIsReleased_andAssignsNothing() throws Exception {
    start(CacheReports.conf());
    pool("p", Long.MAX_VALUE);
    byte[] data = c.write("/a", 1, BYTES);
    long directive = directive("/a", "p");
    awaitPinned("/a");
    c.node(0).settings(Map.of(HyCacheKeys.PINS_SHARE, "0"));
    c.await("no capacity", () -> c.node(0).status().figure(NodeFigure.PIN_CAPACITY_BYTES) == 0);
    assertEquals(PAGE, dataset().getCacheCapacity(), "HDFS sends no report with a capacity of 0");
    assertEquals(PAGE, dataset().getCacheUsed());
    c.fs.removeCacheDirective(directive);
    c.await("listed no more", () -> cached("/a") == 0);
    c.await("released", () -> c.node(0).status().figure(NodeFigure.PINNED_BYTES) == 0);
    assertEquals(PAGE, dataset().getCacheUsed(), "nothing is left to assign");
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void lockedMemory_refusesPins_andHdfsCachesInMemory() throws Exception {
    CacheManipulator before = NativeIO.POSIX.getCacheManipulator();
    NativeIO.POSIX.setCacheManipulator(new NoMlockCacheManipulator());
    try {
      Configuration conf = CacheReports.conf();
      conf.setLong(DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY, 8L * BLOCK);
      start(conf);
      assertEquals(8L * BLOCK, dataset().getCacheCapacity());
      assertEquals(0, c.node(0).status().figure(NodeFigure.PIN_CAPACITY_BYTES));
      pool("p", Long.MAX_VALUE);
      byte[] data = c.write("/a", 1, BYTES);
      long unused = directive("/a", "p");
      awaitPinned("/a");
      assertEquals(3L * BLOCK + 2 * PAGE, dataset().getCacheUsed());
      for (LocatedBlock block : c.blocks("/a")) {
        assertTrue(
            dataset().isCached(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId()));
      }
      assertEquals(0, c.node(0).status().figure(NodeFigure.PINNED_BYTES));
      assertEquals(0, c.count(0, "SsdBlocksPromoted"));
      assertArrayEquals(data, c.read("/a"));
    } finally {
      c.close();
      NativeIO.POSIX.setCacheManipulator(before);
    }
  }

  @Test
  void observe_leavesDirectivesToHdfs() throws Exception {
    Configuration conf = CacheReports.conf();
    conf.set(HyCacheKeys.MODE, "observe");
    start(conf);
    assertEquals(0, dataset().getCacheCapacity());
    assertEquals(0, dataset().getCacheUsed());
    assertEquals(Set.of(), report());
  }
}
