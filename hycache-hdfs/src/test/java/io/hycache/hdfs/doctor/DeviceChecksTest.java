// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static io.hycache.hdfs.doctor.Findings.assertOnly;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.doctor.Finding.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceChecksTest {
  private static final long GIB = 1L << 30;
  private static final Path SSD = Path.of("/data/ssd0");
  private static final Path HDD = Path.of("/data/hdd0");
  private static final Path CACHE = Path.of("/nvme0");
  private static final long ROOT = 1;

  private final Fake machine = new Fake();
  private final Configuration conf = new Configuration(false);

  DeviceChecksTest() {
    conf.set("dfs.datanode.data.dir", "[SSD]" + SSD + ",[DISK]" + HDD);
    machine.add(SSD, 2, false);
    machine.add(HDD, 3, true);
    machine.add(CACHE, 4, false);
  }

  /** A machine on which all is well until a test changes it. */
  private static final class Fake implements DirectoryProbe {
    final Map<Path, Long> fileSystems = new HashMap<>();
    final Map<Long, Boolean> rotational = new HashMap<>();
    final Map<Path, Reads> reads = new HashMap<>();
    final Set<Path> withoutAttributes = new HashSet<>();
    final Set<Path> closed = new HashSet<>();
    final Set<Path> hanging = new HashSet<>();
    String owner = "hdfs";
    long freeBytes = 500 * GIB;
    long freeInodes = 900;
    @Nullable IOException tooWide;

    void add(Path dir, long fileSystem, boolean spins) {
      fileSystems.put(dir, fileSystem);
      rotational.put(fileSystem, spins);
      reads.put(dir, Reads.of(64, spins ? 6_000_000 : 90_000));
    }

    @Override
    public boolean isDirectory(Path dir) {
      return fileSystems.containsKey(dir);
    }

    @Override
    public boolean isAccessible(Path dir) {
      return !closed.contains(dir);
    }

    @Override
    public String owner(Path dir) {
      return owner;
    }

    @Override
    public String user() {
      return "hdfs";
    }

    @Override
    public long fileSystem(Path dir) throws IOException {
      if (hanging.contains(dir)) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      return fileSystems.getOrDefault(dir, 0L);
    }

    @Override
    public long rootFileSystem() {
      return ROOT;
    }

    @Override
    public @Nullable Boolean isRotational(long fileSystem) {
      return rotational.get(fileSystem);
    }

    @Override
    public boolean keepsUserAttributes(Path dir) {
      return !withoutAttributes.contains(dir);
    }

    @Override
    public void requireMode(Path dir, DataDirMode mode) throws IOException {
      if (tooWide != null) {
        throw tooWide;
      }
    }

    @Override
    public long sizeBytes(Path dir) {
      return 1000 * GIB;
    }

    @Override
    public long freeBytes(Path dir) {
      return freeBytes;
    }

    @Override
    public Inodes inodes(Path dir) {
      return new Inodes(1000, freeInodes);
    }

    @Override
    public Reads randomReads(Path dir) {
      return reads.getOrDefault(dir, Reads.none("no file"));
    }
  }

  private List<Finding> all() {
    return DeviceChecks.of(conf, machine, true);
  }

  /** Those that are not well. */
  private List<Finding> wrong() {
    return all().stream()
        .filter(finding -> finding.result() != Result.OK)
        .collect(Collectors.toList());
  }

  @Test
  void allIsWell_oneLineForEachDirectory() {
    conf.set("hycache.cache.dirs", CACHE.toString());
    assertEquals(
        List.of(
            "ok devices: /data/ssd0: SSD, a mount of its own, an SSD to the kernel, random 4 KiB"
                + " reads take 0.09 ms, 500.0 of 1000.0 GiB free, 90 % of inodes free",
            "ok devices: /data/hdd0: DISK, a mount of its own, a spinning disk to the kernel,"
                + " random 4 KiB reads take 6.00 ms, 500.0 of 1000.0 GiB free, 90 % of inodes free",
            "ok devices: /nvme0: cache directory, a mount of its own, an SSD to the kernel, random"
                + " 4 KiB reads take 0.09 ms, 500.0 of 1000.0 GiB free, 90 % of inodes free"),
        all().stream().map(Finding::toString).collect(Collectors.toList()));
  }

  @Test
  void cheap_readsNothing() {
    machine.reads.put(SSD, DirectoryProbe.Reads.of(64, 6_000_000));
    List<Finding> cheap = DeviceChecks.of(conf, machine, false);
    Findings.assertWell(cheap);
    assertFalse(cheap.toString().contains("random"), cheap::toString);
    assertFalse(cheap.toString().contains("inodes"), cheap::toString);
  }

  @Test
  void noDirectoryConfigured_isNotChecked() {
    conf.unset("dfs.datanode.data.dir");
    assertEquals(Result.NOT_CHECKED, all().get(0).result());
  }

  @Test
  void taggedSsd_spinsAndIsSlow_isAnError() {
    machine.add(SSD, 2, true);
    assertOnly(
        Result.ERROR,
        "/data/ssd0: expected an SSD, found a spinning disk to the kernel, random 4 KiB reads take"
            + " 6.00 ms",
        wrong());
  }

  @Test
  void taggedSsd_spinsToTheKernelButReadsAreFast_isWell() {
    machine.rotational.put(2L, true);
    assertEquals(List.of(), wrong());
  }

  @Test
  void taggedSsd_spinsToTheKernelAndNothingToRead_isAWarning() {
    machine.rotational.put(2L, true);
    machine.reads.remove(SSD);
    assertOnly(Result.WARNING, "found a spinning disk to the kernel, not read from", wrong());
  }

  @Test
  void ssdOfWhichNothingIsKnown_isNotChecked_aDiskIsWell() {
    machine.rotational.clear();
    machine.reads.clear();
    assertOnly(
        Result.NOT_CHECKED,
        "/data/ssd0: whether it is on an SSD is not known: no flag of the kernel, not read from: no"
            + " file",
        wrong());
    machine.reads.put(SSD, DirectoryProbe.Reads.of(64, 90_000));
    assertEquals(List.of(), wrong());
  }

  @Test
  void taggedSsd_isSlowAgainstTheFlag_isAWarning() {
    machine.reads.put(SSD, DirectoryProbe.Reads.of(64, 2_000_000));
    assertOnly(Result.WARNING, "found an SSD to the kernel, random 4 KiB reads take 2", wrong());
  }

  @Test
  void taggedSsd_slowWithoutAFlag_isAnError() {
    machine.rotational.clear();
    machine.reads.put(SSD, DirectoryProbe.Reads.of(64, 5_000_000));
    assertOnly(Result.ERROR, "found no flag of the kernel, random", wrong());
  }

  @Test
  void missingDirectory_isAnError() {
    machine.fileSystems.remove(HDD);
    assertOnly(Result.ERROR, "/data/hdd0: expected a directory, found none", wrong());
  }

  @Test
  void missingCacheDirectory_saysThatItIsNotUsed() {
    conf.set("hycache.cache.dirs", "/gone");
    assertOnly(Result.ERROR, "/gone: expected a directory on a mounted SSD, found none", wrong());
  }

  @Test
  void ssdOnTheRootFileSystem_isAnError_diskAWarning() {
    machine.add(SSD, ROOT, false);
    assertOnly(Result.ERROR, "/data/ssd0: expected a file system of its own, found it on", wrong());
    machine.add(SSD, 2, false);
    machine.add(HDD, ROOT, true);
    assertOnly(Result.WARNING, "/data/hdd0: expected a file system of its own", wrong());
  }

  @Test
  void ssdOnTheFileSystemOfADisk_isAnError() {
    machine.add(SSD, 3, false);
    assertOnly(
        Result.ERROR, "found it on the file system of the DISK directory /data/hdd0", wrong());
  }

  @Test
  void cacheDirectoryOnTheRootFileSystem_isRefusedUnlessAllowed() {
    conf.set("hycache.cache.dirs", CACHE.toString());
    machine.add(CACHE, ROOT, false);
    assertOnly(
        Result.ERROR, "/nvme0: expected a directory on a mounted SSD, found one on", wrong());
    conf.set("hycache.cache.dirs.allow-root", "true");
    assertEquals(List.of(), wrong());
  }

  @Test
  void twoDisksOnOneFileSystem_areBothWarned() {
    conf.set("dfs.datanode.data.dir", "[SSD]" + SSD + ",[DISK]" + HDD + ",/data/hdd1");
    machine.add(Path.of("/data/hdd1"), 3, true);
    List<Finding> wrong = wrong();
    assertEquals(2, wrong.size(), wrong::toString);
    assertTrue(wrong.get(0).text().contains("on that of /data/hdd1: its space"), wrong::toString);
    assertTrue(wrong.get(1).text().contains("on that of /data/hdd0: its space"), wrong::toString);
  }

  @Test
  void noExtendedAttributes_matterOnSsdVolumesOnly() {
    machine.withoutAttributes.add(HDD);
    assertEquals(List.of(), wrong());
    machine.withoutAttributes.add(SSD);
    assertOnly(Result.ERROR, "/data/ssd0: expected extended attributes user.*", wrong());
  }

  @Test
  void tooWideCacheDirectory_isRefused(@TempDir Path wide) throws Exception {
    Files.setPosixFilePermissions(wide, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      DataDirMode.OWNER_ONLY.requireOf(wide);
    } catch (IOException e) {
      machine.tooWide = e;
    }
    conf.set("hycache.cache.dirs", CACHE.toString());
    List<Finding> wrong = wrong();
    assertOnly(Result.ERROR, "/nvme0: it is not used: other users may enter it", wrong);
    assertTrue(wrong.get(0).fix().startsWith("chmod 700 "), wrong::toString);
  }

  @Test
  void notForThisUser_isNotChecked_forItsOwnerAnError() {
    machine.closed.add(HDD);
    assertOnly(Result.ERROR, "expected to be read, written and entered by its owner", wrong());
    machine.owner = "other";
    List<Finding> wrong = wrong();
    assertOnly(Result.NOT_CHECKED, "only its owner may enter it", wrong);
    assertTrue(wrong.get(0).fix().startsWith("run doctor as other"), wrong::toString);
  }

  @Test
  void almostFull_isAWarning() {
    machine.freeBytes = 9 * GIB;
    List<Finding> wrong = wrong();
    assertEquals(2, wrong.size(), wrong::toString);
    assertTrue(wrong.get(0).text().contains("found 9.0 of 1000.0 GiB free"), wrong::toString);
  }

  @Test
  void fewInodes_isAWarning() {
    machine.freeInodes = 49;
    List<Finding> wrong = wrong();
    assertEquals(2, wrong.size(), wrong::toString);
    assertTrue(wrong.get(0).text().contains("found 49 of 1000"), wrong::toString);
  }

  @Test
  void hangingDevice_isAnError_othersAreChecked() {
    machine.hanging.add(SSD);
    List<Finding> all = DeviceChecks.of(conf, machine, true, Duration.ofSeconds(5));
    assertEquals(2, all.size(), all::toString);
    Findings.assertMistake(Result.ERROR, "/data/ssd0: expected an answer", all.get(0));
    assertEquals(Result.OK, all.get(1).result());
  }

  @Test
  void realDirectory_isLookedAtWithoutAnError(@TempDir Path dir) throws Exception {
    Files.write(dir.resolve("blk_1"), new byte[4 << 20]);
    conf.set("dfs.datanode.data.dir", "[DISK]" + dir);
    List<Finding> all = DeviceChecks.of(conf, new LocalDirectories(), true);
    assertEquals(1, all.size(), all::toString);
    assertTrue(all.get(0).result().compareTo(Result.ERROR) < 0, all::toString);
    DirectoryProbe.Inodes inodes = new LocalDirectories().inodes(dir);
    assertTrue(inodes.free <= inodes.all, inodes.free + " of " + inodes.all);
  }
}
