// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.spi.FastDevice;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.conf.StorageTiers;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsHostTest {
  @TempDir Path dir;
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private volatile List<ReplicaStore.Volume> ssds = List.of();
  private volatile List<File> failed = List.of();

  /** Runs when the look asks a volume for its root for the second time: it is under way then. */
  private volatile Runnable midLook = () -> {};

  private ReplicaStore store() {
    return Stubs.of(
        ReplicaStore.class,
        Map.of(
            "ssdVolumes",
            arguments -> {
              List<ReplicaStore.Volume> seen = ssds;
              Runnable then = midLook;
              midLook = () -> {};
              then.run();
              return seen;
            },
            "diskVolumes",
            arguments -> List.of(),
            "failedSsds",
            arguments -> failed,
            "tiers",
            arguments -> StorageTiers.DEFAULT));
  }

  private ReplicaStore.Volume volume() {
    return new ReplicaStore.Volume() {
      @Override
      public File root() {
        return dir.toFile();
      }

      @Override
      public long capacityBytes() {
        return 1 << 30;
      }

      @Override
      public long availableBytes() {
        return 1 << 20;
      }

      @Override
      public long dfsUsedBytes() {
        return 0;
      }
    };
  }

  private HdfsHost host(CacheDir... cacheDirs) {
    ReplicaStore store = store();
    return new HdfsHost(
        store,
        new CleanCopies(),
        areas,
        new LockedBlocks(store),
        DeviceLoads.of(DataDirMode.OWNER_ONLY, true),
        List.of(cacheDirs),
        DataDirMode.OWNER_ONLY,
        Long.MAX_VALUE,
        false,
        new Counters());
  }

  /**
   * Looks until so many devices have answered, and so many are refused: one that does not answer
   * within half a second is left out of a look.
   */
  private static List<FastDevice> devices(HdfsHost host, int answering, int refused)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<FastDevice> devices = host.devices();
    while (devices.size() != answering || host.devicesOutOfUse().size() != refused) {
      assertTrue(System.nanoTime() < deadline, "refused=" + host.devicesOutOfUse());
      Thread.sleep(10);
      devices = host.devices();
    }
    return devices;
  }

  @Test
  void volumeRemovedDuringALook_itsAreaIsNotMadeAgain() throws Exception {
    try (HdfsHost host = host()) {
      ssds = List.of(volume());
      assertEquals(1, devices(host, 1, 0).size());
      // The look has its list of volumes; now the volume goes, and only then the look goes on.
      midLook =
          () -> {
            ssds = List.of();
            host.forgetGoneDevices();
            assertEquals(0, areas.size());
          };
      assertEquals(List.of(), host.devices());
      assertEquals(0, areas.size(), "an area, with a thread, of a volume that is gone");
    }
  }

  @Test
  void useOf_volumeOfAnyType_isOneObject() {
    try (HdfsHost host = host()) {
      // ARCHIVE, say: no DISK volume has this root.
      assertSame(host.useOf(dir.toFile()), host.useOf(dir.toFile()));
    }
  }

  @Test
  void device_saysInWhatUnitsItsFileSystemGivesSpace() throws Exception {
    try (HdfsHost host = host()) {
      ssds = List.of(volume());
      FastDevice device = devices(host, 1, 0).get(0);
      long unit = java.nio.file.Files.getFileStore(dir).getBlockSize();
      assertEquals(unit, device.allocatedBytes(15), "a checksum file of 15 bytes");
      assertEquals(2 * unit, device.allocatedBytes(unit + 1));
      CleanArea area = areas.get(dir.toString());
      assertNotNull(area);
      assertEquals(unit, area.allocatedBytes(15));
    }
  }

  @Test
  void cacheDir_openToOtherUsers_isRefusedAndTheOthersAreUsed() throws Exception {
    Path open = Modes.directory(dir.resolve("open"), "rwxr-xr-x");
    Path closed = Modes.directory(dir.resolve("closed"), "rwx------");
    try (HdfsHost host = host(cacheDir(open), cacheDir(closed))) {
      assertEquals(List.of(), host.devicesOutOfUse());
      List<FastDevice> devices = devices(host, 1, 1);
      assertEquals(closed.resolve("uuid").toString(), devices.get(0).id());
      assertEquals(List.of(open.resolve("uuid").toString()), host.devicesOutOfUse());
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx------"));
      assertEquals(2, devices(host, 2, 0).size());
      assertEquals(List.of(), host.devicesOutOfUse());
    }
  }

  @Test
  void cacheDir_missing_isRefusedAndTheOthersAreUsed() throws Exception {
    Path gone = dir.resolve("gone");
    Path there = Modes.directory(dir.resolve("there"), "rwx------");
    try (HdfsHost host = host(cacheDir(gone), cacheDir(there))) {
      assertEquals(1, devices(host, 1, 1).size());
      assertEquals(List.of(gone.resolve("uuid").toString()), host.devicesOutOfUse());
      assertFalse(Files.exists(gone), "the operator's directory is not made");
      Modes.directory(gone, "rwx------");
      assertEquals(2, devices(host, 2, 0).size());
      assertEquals(List.of(), host.devicesOutOfUse());
    }
  }

  @Test
  void devicesOutOfUse_volumeThatFailed_isOneUntilItIsReplaced() throws Exception {
    try (HdfsHost host = host()) {
      assertEquals(List.of(), host.devicesOutOfUse());
      failed = List.of(new File("/ssd1/dfs"));
      assertEquals(List.of("/ssd1/dfs"), host.devicesOutOfUse());
      failed = List.of();
      assertEquals(List.of(), host.devicesOutOfUse());
    }
  }

  /** Also if it holds nothing, and until it is removed. */
  @Test
  void devicesOutOfUse_sickVolume_isOneOfThem() throws Exception {
    try (HdfsHost host = host()) {
      ssds = List.of(volume());
      assertEquals(1, devices(host, 1, 0).size());
      CleanArea area = areas.get(dir.toString());
      assertNotNull(area);
      SickDevices.failReads(area.watch());
      assertEquals(List.of(dir.toString()), host.devicesOutOfUse());
      ssds = List.of();
      host.forgetGoneDevices();
      assertEquals(List.of(), host.devicesOutOfUse());
    }
  }

  private static CacheDir cacheDir(Path parent) {
    return new CacheDir(
        parent.toFile(), "uuid", List.of("/data/1"), Set.of(), true, DataDirMode.OWNER_ONLY);
  }

  @Test
  void failedVolumesTolerated_warnsOnlyWhereADeadSsdWouldEndTheDataNode() {
    Configuration conf = new Configuration(false);
    String line = StartAdvice.ofFailures(conf, 1, 3);
    assertNotNull(line);
    assertTrue(line.startsWith("dfs.datanode.failed.volumes.tolerated is 0"), line);
    assertNull(StartAdvice.ofFailures(conf, 0, 3));
    assertNull(StartAdvice.ofFailures(conf, 1, 1));
    conf.set("dfs.datanode.failed.volumes.tolerated", "1");
    assertNull(StartAdvice.ofFailures(conf, 1, 3));
  }
}
