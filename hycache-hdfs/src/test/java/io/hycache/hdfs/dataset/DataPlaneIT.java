// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Placement, demotion, promotion and the ends of clean copies on real DataNodes in one JVM. */
@Timeout(180)
class DataPlaneIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @AfterEach
  void stop() throws Exception {
    if (!c.isClosed()) {
      for (int i = 0; i < c.cluster.getDataNodes().size(); i++) {
        if (c.dataNode(i).getFSDataset() != null) {
          assertEquals(0, c.count(i, "Failures"), "failures on DataNode " + i);
        }
      }
      c.close();
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private static Set<StorageType> distinct(List<StorageType> types) {
    return types.stream().collect(Collectors.toSet());
  }

  private long fast(int node) throws IOException {
    return c.count(node, "SsdBytesRead");
  }

  @Test
  void write_roomOnSsd_landsOnSsdAndReadsBack() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1);
    byte[] data = c.write("/a", 1, 4 * BLOCK + 77);
    c.await("all on SSD", () -> distinct(c.types("/a")).equals(Set.of(StorageType.SSD)));
    assertArrayEquals(data, c.read("/a"));
    c.await("all read from SSD", () -> fast(0) >= data.length);
    c.await("tracked", () -> c.locate(0, "/a").stream().allMatch(b -> b.dirty));
  }

  @Test
  void write_sizeBelowMinimum_staysWhereAsked() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "64MB");
    c = EmbeddedCluster.start(conf, 1);
    c.write("/a", 1, BLOCK);
    c.await("on DISK", () -> distinct(c.types("/a")).equals(Set.of(StorageType.DISK)));
  }

  @Test
  void write_noShareForWrites_isCountedByKindAndShown() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    // Before the first look at the devices it is another reason.
    c.await("looked at", () -> c.node(0).status().capacityBytes() > 0);
    c.write("/a", 1, 2 * BLOCK);
    assertEquals(2, c.count(0, "SsdFallbackWriteShare"));
    assertEquals(2, c.count(0, "SsdBlocksWriteFallback"));
    c.await(
        "shown",
        () -> c.locate(0, "/a").stream().allMatch(b -> b.reason == Reason.WRITTEN_WRITE_SHARE));
  }

  @Test
  void write_modeOffAndObserve_staysWhereAsked() throws Exception {
    for (String mode : new String[] {"off", "observe"}) {
      Configuration conf = EmbeddedCluster.conf();
      conf.set(HyCacheKeys.MODE, mode);
      c = EmbeddedCluster.start(conf, 1);
      byte[] data = c.write("/a", 1, 2 * BLOCK);
      c.await("on DISK", () -> distinct(c.types("/a")).equals(Set.of(StorageType.DISK)));
      assertArrayEquals(data, c.read("/a"));
      assertEquals(mode.equals("observe"), c.count(0, "ObservedDecisions") > 0);
      c.close();
    }
  }

  @Test
  void recover_writeThatFoundNoSpace_isCutBackToWhatWasReceived() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1);
    for (int received : new int[] {100_000, 512, 1}) {
      org.apache.hadoop.fs.Path file = path("/torn" + received);
      byte[] data = EmbeddedCluster.content(received, received);
      // Never closed: what the client of a DataNode that failed it leaves.
      FSDataOutputStream out = c.fs.create(file, (short) 1);
      out.write(data);
      out.hflush();
      ExtendedBlock block = c.blocks(file.toString()).get(0).getBlock();
      Path rbw =
          c.cluster
              .getInstanceStorageDir(0, 0)
              .toPath()
              .resolve(
                  "current/" + block.getBlockPoolId() + "/current/rbw/" + block.getBlockName());
      Files.write(rbw, new byte[4096], StandardOpenOption.APPEND);

      c.await("closed", () -> c.fs.recoverLease(file));

      assertArrayEquals(data, c.read(file.toString()));
      assertEquals(List.of(StorageType.SSD), c.types(file.toString()));
    }
  }

  @Test
  void demote_aboveHighWatermark_driftsToDiskAndStaysClean() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.POLICY, "lru");
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = c.write("/a", 2, 30 * BLOCK);
    // Once it rests: a block that is just changing over may be read from DISK for a moment.
    long low = c.node(0).status().capacityBytes() * 3 / 10;
    c.await(
        "drained to the low watermark, the rest clean, and the NameNode knows",
        () -> {
          var status = c.node(0).status();
          List<StorageType> types = c.types("/a");
          long onDisk = types.stream().filter(t -> t == StorageType.DISK).count();
          return status.trackedBlocks() == 30
              && status.dirtyBytes() <= low
              && status.movesQueued() == 0
              && status.dirtyBytes() == (30 - onDisk) * BLOCK
              && status.cleanBytes() == onDisk * BLOCK
              && types.size() == 30;
        });
    assertTrue(c.count(0, "SsdBlocksDemoted") >= 10);
    long before = fast(0);
    assertArrayEquals(data, c.read("/a"));
    c.await("clean and dirty are both read from SSD", () -> fast(0) - before == 30L * BLOCK);
  }

  @Test
  void demote_whileHdfsMovesTheSameBlock_oneOfThemIsRefused() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = c.write("/a", 3, BLOCK);
    ExtendedBlock block = c.blocks("/a").get(0).getBlock();
    AtomicReference<Throwable> refused = new AtomicReference<>();
    // What the mover would ask for, when the demotion has verified its copy.
    c.node(0)
        .observeMoves(
            (kind, replica, state) -> {
              if (state == MoveState.VERIFIED) {
                refused.set(
                    CompletableFuture.supplyAsync(() -> moveToDisk(block))
                        .completeOnTimeout(null, 10, TimeUnit.SECONDS)
                        .join());
              }
            });
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    assertTrue(
        String.valueOf(refused.get()).contains("another move of the block is under way"),
        String.valueOf(refused.get()));
    assertArrayEquals(data, c.read("/a"));
    assertEquals(1, c.count(0, "SsdBlocksDemoted"));
    assertEquals(0, c.count(0, "MovesFailed"));
    // The hold has ended: the next one is HDFS's own answer.
    assertInstanceOf(ReplicaAlreadyExistsException.class, moveToDisk(block));
  }

  @Test
  void writer_choosesASumForEachTwoBytes_isDemotedButNeverCached() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = EmbeddedCluster.content(31, BLOCK);
    try (OutputStream out =
        c.fs.create(
            path("/a"),
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4096,
            (short) 1,
            BLOCK,
            null,
            new ChecksumOpt(DataChecksum.Type.CRC32C, 2))) {
      out.write(data);
    }
    c.await("dirty", () -> c.node(0).status().dirtyBytes() == BLOCK);
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    c.await("no checksum file kept", () -> c.count(0, "MovesRejected") == 1);
    c.hint(0, "w", "/a", 2);
    c.await("said why", () -> c.locate(0, "/a").get(0).reason == Reason.CHECKSUMS_TOO_LONG);
    assertEquals(2, c.count(0, "MovesRejected"));
    assertEquals(0, c.count(0, "MovesFailed"));
    assertEquals(0, cleanFiles(0));
    assertArrayEquals(data, c.read("/a"));
  }

  /** Why HDFS's own move to DISK failed; null if it did not. */
  private @Nullable Throwable moveToDisk(ExtendedBlock block) {
    try {
      c.dataNode(0).getFSDataset().moveBlockAcrossStorage(block, StorageType.DISK, null);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** Starts a DataNode that writes to DISK, writes and hints /a, and waits for its clean copies. */
  private byte[] startWithClean(Configuration conf, int seed, int bytes, int references)
      throws Exception {
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    return makeClean(seed, bytes, references);
  }

  private byte[] makeClean(int seed, int bytes, int references) throws Exception {
    byte[] data = c.write("/a", seed, bytes);
    assertEquals(Set.of(StorageType.DISK), distinct(c.types("/a")));
    int blocks = (bytes + BLOCK - 1) / BLOCK;
    c.await("tracked", () -> c.node(0).status().trackedBlocks() == blocks);
    c.hint(0, "w", "/a", references);
    c.await("all clean", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
    return data;
  }

  @Test
  void promote_hintedFile_isServedFromCleanCopiesAfterwards() throws Exception {
    byte[] data = startWithClean(EmbeddedCluster.conf(), 3, 8 * BLOCK + 5, 2);
    long before = fast(0);
    assertArrayEquals(data, c.read("/a"));
    c.await("all read from SSD", () -> fast(0) - before == data.length);
    List<BlockStatus> after = c.locate(0, "/a");
    assertEquals(Reason.ON_SSD_CLEAN, after.get(0).reason);
    c.await("one reference left", () -> c.locate(0, "/a").get(0).referencesLeft == 1);
    assertEquals(Set.of(StorageType.DISK), distinct(c.types("/a")), "the NameNode never hears");
  }

  @Test
  void checksums_ofUnhintedDiskBlocks_areKeptOnSsd() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.POLICY, "heuristic"); // promotes nothing without hints
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = c.write("/a", 4, 8 * BLOCK);
    c.await("checksums", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanChecksums));
    long before = c.count(0, "SsdChecksumReadHits");
    assertArrayEquals(data, c.read("/a"));
    c.await("checksums from SSD", () -> c.count(0, "SsdChecksumReadHits") - before >= 8);
    assertEquals(0, c.node(0).status().cleanBytes());
  }

  @Test
  void replicaOnDiskIsGone_fileThatALateReadOpened_isClosed() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.CHECKSUM_SHARE, "0");
    conf.set(HyCacheKeys.MODE, "observe"); // nothing is copied, which would open the file too
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = c.write("/a", 32, BLOCK);
    assertArrayEquals(data, c.read("/a"));
    BlockKey block = c.keys("/a").get(0);
    c.await("kept open", () -> openFiles(block) == 1);
    c.node(0).events().gone(block);
    assertEquals(0, openFiles(block));
  }

  /** Number of descriptors of a replica's data file in this process. */
  private static long openFiles(BlockKey block) throws IOException {
    long found = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : all) {
        try {
          found += Files.readSymbolicLink(descriptor).endsWith("blk_" + block.id()) ? 1 : 0;
        } catch (NoSuchFileException e) {
          // It was closed meanwhile.
        }
      }
    }
    return found;
  }

  @Test
  void appendTruncateDelete_endTheCleanCopy() throws Exception {
    startWithClean(EmbeddedCluster.conf(), 5, BLOCK / 2, 5);
    c.read("/a");

    byte[] more = EmbeddedCluster.content(6, 1000);
    try (OutputStream out = c.fs.append(path("/a"))) {
      out.write(more);
    }
    byte[] all = c.read("/a");
    assertEquals(BLOCK / 2 + 1000, all.length);
    assertArrayEquals(more, java.util.Arrays.copyOfRange(all, BLOCK / 2, all.length));

    c.await("clean again", () -> c.locate(0, "/a").get(0).cleanData);
    boolean ready = c.fs.truncate(path("/a"), 1234);
    if (!ready) {
      c.await("truncated", () -> c.fs.getClient().isFileClosed("/a"));
    }
    assertArrayEquals(java.util.Arrays.copyOf(all, 1234), c.read("/a"));

    c.await("clean a third time", () -> c.locate(0, "/a").get(0).cleanData);
    assertTrue(cleanFiles(0) > 0);
    c.fs.delete(path("/a"), false);
    c.await("files gone", () -> cleanFiles(0) == 0);
    c.await("forgotten", () -> c.node(0).status().trackedBlocks() == 0);
  }

  private long cleanFiles(int node) throws IOException {
    return cleanPaths(node).size();
  }

  private List<Path> cleanPaths(int node) throws IOException {
    List<Path> files = new ArrayList<>();
    for (File root : roots(node)) {
      Path area = new File(root, CleanArea.DIRECTORY).toPath();
      if (Files.isDirectory(area)) {
        try (Stream<Path> paths = Files.walk(area)) {
          paths
              .filter(path -> path.getFileName().toString().startsWith("blk_"))
              .forEach(files::add);
        }
      }
    }
    return files;
  }

  /** Cuts a file of a block's clean copy off in its middle. */
  private void cutOff(BlockKey block, String suffix) throws IOException {
    for (Path file : cleanPaths(0)) {
      String name = file.getFileName().toString();
      if (name.startsWith("blk_" + block.id() + "_") && name.endsWith(suffix)) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(channel.size() / 2);
        }
        return;
      }
    }
    throw new IOException("no clean file: block=" + block + " suffix=" + suffix);
  }

  @Test
  void cleanCopy_unreadableFromTheMiddleOn_theStreamGoesOnFromDisk() throws Exception {
    byte[] data = startWithClean(EmbeddedCluster.conf(), 7, 3 * BLOCK, 9);
    cutOff(c.keys("/a").get(0), ".data");
    assertArrayEquals(data, c.read("/a"));
    assertEquals(1, c.count(0, "SsdReadErrors"));
    cutOff(c.keys("/a").get(1), ".meta");
    assertArrayEquals(data, c.read("/a"));
    assertEquals(2, c.count(0, "SsdReadErrors"));
    assertEquals(0, c.count(0, "Failures"));
    assertTrue(c.locate(0, "/a").get(2).cleanData);
  }

  private List<File> roots(int node) {
    return List.of(
        c.cluster.getInstanceStorageDir(node, 0), c.cluster.getInstanceStorageDir(node, 1));
  }

  @Test
  void ownersReplicas_areNeverDemoted_alsoAfterRestart() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    // Below one block: whatever is left after a pause of the writer is demoted too.
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0.001");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    c = EmbeddedCluster.start(conf, 1);
    c.fs.mkdirs(path("/ssd"));
    c.fs.setStoragePolicy(path("/ssd"), HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    byte[] owned = c.write("/ssd/a", 7, 4 * BLOCK);
    byte[] guest = c.write("/b", 8, 4 * BLOCK);
    c.await("guests left", () -> distinct(c.types("/b")).equals(Set.of(StorageType.DISK)));
    assertEquals(Set.of(StorageType.SSD), distinct(c.types("/ssd/a")));
    assertEquals(4L * BLOCK, c.node(0).status().ownerBytes());

    c.cluster.restartDataNode(0, true);
    c.cluster.waitActive();
    c.await("stock taken", () -> c.node(0).status().trackedBlocks() == 8);
    assertEquals(4L * BLOCK, c.node(0).status().ownerBytes());
    assertEquals(0, c.node(0).status().dirtyBytes());
    c.await("copies adopted", () -> c.locate(0, "/b").stream().allMatch(b -> b.cleanData));
    c.await("copies verified", () -> c.count(0, "SsdCopiesScrubbed") >= 4);
    long before = fast(0);
    assertArrayEquals(guest, c.read("/b"));
    assertArrayEquals(owned, c.read("/ssd/a"));
    c.await("all read from SSD", () -> fast(0) - before == 8L * BLOCK);
  }

  @Test
  void restart_dirtyGuestsAreStillGuests() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1);
    byte[] data = c.write("/a", 9, 4 * BLOCK);
    c.await("dirty", () -> c.node(0).status().dirtyBytes() == 4L * BLOCK);
    c.cluster.restartDataNode(0, true);
    c.cluster.waitActive();
    c.await("dirty again", () -> c.node(0).status().dirtyBytes() == 4L * BLOCK);
    assertEquals(0, c.node(0).status().ownerBytes());
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void restart_copiesServeAgain_butNotWithAChecksumFileThatIsCutOff() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CHECKSUM_SHARE, "0"); // else it may be copied anew before it is verified
    byte[] data = startWithClean(conf, 7, 2 * BLOCK, 9);
    cutOff(c.keys("/a").get(1), ".meta");
    c.cluster.restartDataNode(0, true);
    c.cluster.waitActive();
    c.await(
        "verified, and found",
        () -> c.count(0, "SsdCopiesScrubbed") == 1 && c.count(0, "SsdCopiesBad") == 1);
    long before = fast(0);
    assertArrayEquals(data, c.read("/a"));
    assertEquals(0, c.count(0, "SsdReadErrors"));
    c.await("the other one is read from SSD", () -> fast(0) - before == BLOCK);
    assertEquals(0, c.count(0, "Failures"));
  }

  @Test
  void truncateBehindSnapshot_theCopyOfAGuestIsAGuest() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1);
    byte[] data = c.write("/d/a", 22, BLOCK);
    c.fs.allowSnapshot(path("/d"));
    c.fs.createSnapshot(path("/d"), "s");
    c.fs.truncate(path("/d/a"), 1234);
    c.await("truncated", () -> c.fs.getClient().isFileClosed("/d/a"));
    c.await("both dirty", () -> c.node(0).status().dirtyBytes() == BLOCK + 1234L);
    assertEquals(0, c.node(0).status().ownerBytes());
    assertArrayEquals(data, c.read("/d/.snapshot/s/a"));
    assertArrayEquals(java.util.Arrays.copyOf(data, 1234), c.read("/d/a"));

    c.cluster.restartDataNode(0, true);
    c.cluster.waitActive();
    c.await("both dirty again", () -> c.node(0).status().dirtyBytes() == BLOCK + 1234L);
    assertEquals(0, c.node(0).status().ownerBytes());
  }

  @Test
  void volumeAdded_keepsWhatIsClean() throws Exception {
    byte[] data = startWithClean(EmbeddedCluster.conf(), 20, 4 * BLOCK, 3);
    long files = cleanFiles(0);
    String dirs = c.dataNode(0).getConf().get("dfs.datanode.data.dir");
    File added = new File(c.cluster.getDataDirectory(), "added");
    assertTrue(added.mkdirs());
    c.dataNode(0)
        .reconfigurePropertyImpl("dfs.datanode.data.dir", dirs + ",[DISK]" + added.toURI());
    c.write("/b", 21, BLOCK);
    // Stock is taken again by then: one more replica is known, and the copies still are.
    c.await("checksums of /b", () -> c.locate(0, "/b").get(0).cleanChecksums);
    assertEquals(files + 1, cleanFiles(0));
    long before = fast(0);
    assertArrayEquals(data, c.read("/a"));
    c.await("read from SSD", () -> fast(0) - before == 4L * BLOCK);
    assertEquals(0, c.count(0, "Failures"));
  }

  @Test
  void removal_plainHadoopServesEverything() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 2);
    byte[] a = c.write("/a", 10, 30 * BLOCK);
    c.fs.setReplication(path("/a"), (short) 2);
    c.await("replicated", () -> c.types("/a").size() == 60);
    c.close();
    Configuration plain = EmbeddedCluster.conf();
    for (String key :
        List.of(
            "dfs.datanode.fsdataset.factory",
            "dfs.datanode.fsdataset.volume.choosing.policy",
            "dfs.datanode.plugins")) {
      plain.unset(key);
    }
    try (EmbeddedCluster without = EmbeddedCluster.restart(plain, 2)) {
      assertFalse(
          without.dataNode(0).getFSDataset().getClass().getName().contains("HyCache"),
          "the plugin is out");
      assertArrayEquals(a, without.read("/a"));
      assertEquals(0, without.fs.getClient().getMissingBlocksCount());
      assertEquals(0, without.fs.getClient().getCorruptBlocksCount());
    }
  }

  @Test
  void cacheDirs_sharedByDataNodes_holdEachOnesCopies(@TempDir File dir) throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CACHE_DIRS, dir.getPath());
    conf.set(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT, "true");
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.setInt("dfs.replication", 2);
    c = EmbeddedCluster.start(conf, 2);
    byte[] data = c.write("/a", 14, 3 * BLOCK);
    for (int node = 0; node < 2; node++) {
      int i = node;
      c.await("tracked", () -> c.node(i).status().trackedBlocks() == 3);
      c.hint(i, "w", "/a", 3);
      c.await("all clean", () -> c.locate(i, "/a").stream().allMatch(b -> b.cleanData));
    }
    assertEquals(
        Set.of(c.dataNode(0).getDatanodeUuid(), c.dataNode(1).getDatanodeUuid()),
        Set.of(Objects.requireNonNull(dir.list())));
    assertArrayEquals(data, c.read("/a"));
    // So that what is dropped is not fetched again.
    c.withdraw(0, "w");
    ExtendedBlock first = c.blocks("/a").get(0).getBlock();
    c.node(0).events().changing(new BlockKey(first.getBlockPoolId(), first.getBlockId()));
    c.await("one copy is gone", () -> c.node(0).status().cleanBytes() == 2 * BLOCK);
    assertEquals(3 * BLOCK, c.node(1).status().cleanBytes());
    assertEquals(0, c.count(0, "SsdReadErrors") + c.count(1, "SsdReadErrors"));
  }

  @Test
  void settings_changedWhileItRuns_holdForTheNextBlock() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1);
    c.write("/a", 15, BLOCK);
    c.await("on SSD", () -> distinct(c.types("/a")).equals(Set.of(StorageType.SSD)));
    c.node(0).settings(Map.of(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "64MB"));
    c.write("/b", 16, BLOCK);
    c.await("on DISK", () -> distinct(c.types("/b")).equals(Set.of(StorageType.DISK)));
    assertThrows(RefusedException.class, () -> c.node(0).settings(Map.of(HyCacheKeys.MODE, "off")));
    assertEquals("64MB", c.node(0).settings(Map.of()).get(HyCacheKeys.WRITE_MIN_BLOCK_SIZE));
  }

  @Test
  void cacheDirs_onNoHdfsVolume_areAReadCache(@TempDir File dir) throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CACHE_DIRS, dir.getPath());
    conf.set(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT, "true");
    byte[] data = startWithClean(conf, 11, 4 * BLOCK, 3);
    assertArrayEquals(data, c.read("/a"));
    assertEquals(80L * BLOCK, c.node(0).status().capacityBytes());
  }

  @Test
  void badSetting_meansPassThroughNotACrash() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "7");
    c = EmbeddedCluster.start(conf, 1);
    byte[] data = c.write("/a", 12, 2 * BLOCK);
    assertArrayEquals(data, c.read("/a"));
    assertEquals(Set.of(StorageType.DISK), distinct(c.types("/a")));
    assertTrue(c.node(0).passThrough());
  }

  @Test
  void directed_ssdFullOfCleanCopies_landsOnSsd() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.RESERVE_SHARE, "0");
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    // Of a size of its own: what others do on the machine's disk must not count.
    c = EmbeddedCluster.start(conf, 1, 64L * BLOCK, 200L * BLOCK);
    makeClean(30, 16 * BLOCK, 3);
    c.fs.mkdirs(path("/own"));
    c.fs.setStoragePolicy(path("/own"), HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    c.withdraw(0, "w");
    // The NameNode goes on believing that there is room.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(c.dataNode(0), true);
    ReplicaStore.Volume ssd = c.node(0).ssdVolumes().get(0);
    long taken = ssd.availableBytes() - BLOCK / 2;
    long fallbacks = c.count(0, "SsdBlocksWriteFallback");
    try (Closeable full = c.node(0).reserve(ssd.root(), taken)) {
      c.await("spares", () -> c.node(0).spareBytes(ssd.root()) >= 8 * BLOCK);
      byte[] owned = c.write("/own/a", 31, 4 * BLOCK);
      assertEquals(Set.of(StorageType.SSD), distinct(c.types("/own/a")));
      assertArrayEquals(owned, c.read("/own/a"));
    }
    c.await("some made way", () -> c.node(0).status().cleanBytes() <= 12L * BLOCK);
    assertTrue(c.node(0).status().cleanBytes() >= 7L * BLOCK, "not more than was needed");
    assertEquals(fallbacks, c.count(0, "SsdBlocksWriteFallback"));
  }

  @Test
  void report_checksumCopies_areNotCountedAsFree() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    c.write("/a", 32, 8 * BLOCK);
    c.await("checksums", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanChecksums));
    assertTrue(c.node(0).cleanBytes() > 0);
    assertEquals(0, c.node(0).givableBytes(c.node(0).ssdVolumes().get(0).root()));
    c.hint(0, "w", "/a", 2);
    c.await("all clean", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
    assertEquals(8L * BLOCK, c.node(0).givableBytes(c.node(0).ssdVolumes().get(0).root()));
  }
}
