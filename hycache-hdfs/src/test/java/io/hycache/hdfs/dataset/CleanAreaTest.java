// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanAreaTest {
  private static final String POOL = "BP-1-127.0.0.1-1";
  private static final long SEED = 7;

  @TempDir Path dir;

  private static File write(CleanArea area, Replica replica, Part part) throws IOException {
    File file = new CleanFile(area, replica, part, 1).path();
    File temporary = CleanArea.temporary(file);
    area.prepare(file);
    assertFalse(temporary.exists());
    Files.writeString(temporary.toPath(), "x");
    area.publish(temporary, file);
    area.made(file);
    assertTrue(file.exists());
    assertFalse(temporary.exists());
    return file;
  }

  @Test
  void names_roundTrip() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    Random random = new Random(SEED);
    for (int i = 0; i < 50; i++) {
      Replica replica =
          new Replica(
              new BlockKey(POOL, i == 0 ? -5 : random.nextLong()),
              random.nextInt(Integer.MAX_VALUE),
              random.nextInt(Integer.MAX_VALUE));
      Part part = random.nextBoolean() ? Part.DATA : Part.CHECKSUM;
      File file = write(area, replica, part);
      List<CleanFile> found = area.scan(POOL);
      assertEquals(1, found.size(), "seed=" + SEED + " replica=" + replica);
      assertEquals(replica, found.get(0).replica());
      assertEquals(part, found.get(0).part());
      assertEquals(file, found.get(0).path());
      area.remove(found.get(0).path());
    }
  }

  @Test
  void scan_removesTemporaryAndForeignFiles() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    Replica kept = new Replica(new BlockKey(POOL, 1), 1001, 3);
    File file = write(area, kept, Part.DATA);
    File beside = file.getParentFile();
    List<File> foreign =
        List.of(
            CleanArea.temporary(new CleanFile(area, kept, Part.CHECKSUM, 1).path()),
            new File(beside, "notes.txt"),
            new File(beside, "blk_1_1001_3_1.datax"),
            new File(beside, "blk_1_1001.data"),
            new File(beside, "blk_1_1001_3.data"),
            new File(beside, "blk_1_1001_3_.data"),
            new File(beside, "blk_1_1001_3_4294967296.data"),
            new File(beside, "blk_99999999999999999999_1_1_1.data"),
            new File(beside, "blk_01_1001_3_1.data"),
            new File(beside, "blk_+1_1001_3_1.data"),
            new File(beside, "blk_1_1001__1.data"),
            new File(beside, "blk_1.1001_3_1_data"),
            new File(beside, "blk_.data"),
            new File(beside, "blk_256_1001_3_1.data"),
            new File(beside.getParentFile(), "blk_2"));
    for (File other : foreign) {
      Files.writeString(other.toPath(), "x");
    }
    assertEquals(1, area.scan(POOL).size());
    for (File other : foreign) {
      assertFalse(other.exists(), other.getName());
    }
    assertTrue(file.exists());
  }

  @Test
  void scan_otherPoolsAndNoAreaAtAll_areLeftAlone() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    assertEquals(List.of(), area.scan(POOL));
    write(area, new Replica(new BlockKey("BP-2", 1), 1, 1), Part.DATA);
    assertEquals(List.of(), area.scan(POOL));
    assertEquals(1, area.scan("BP-2").size());
  }

  /** Stock may be taken while moves go on. */
  @Test
  void scan_whatIsInTheMaking_isLeftAlone() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    Replica replica = new Replica(new BlockKey(POOL, 1), 1, 1);
    File file = new CleanFile(area, replica, Part.DATA, 1).path();
    area.prepare(file);
    Files.writeString(CleanArea.temporary(file).toPath(), "x");
    assertEquals(List.of(), area.scan(POOL));
    assertTrue(CleanArea.temporary(file).exists());
    area.publish(CleanArea.temporary(file), file);
    assertEquals(List.of(), area.scan(POOL), "it is not in the index yet");
    assertTrue(file.exists());
    area.made(file);
    assertEquals(1, area.scan(POOL).size());
  }

  /** What is to be removed late must never be a newer copy of the same replica. */
  @Test
  void names_areNotUsedTwice() {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    Replica replica = new Replica(new BlockKey(POOL, 1), 1, 1);
    Set<File> names = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      assertTrue(names.add(new CleanFile(area, replica, Part.DATA, 1).path()));
    }
  }

  /** HDFS's threads enter what is to be removed while the device hangs in a removal. */
  @Test
  void unlinkLater_deviceHangsInARemoval_nobodyWaits() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch back = new CountDownLatch(1);
    File first = area.file(new Replica(new BlockKey(POOL, 1), 1, 1), Part.DATA, 1);
    FileOperations.observe(
        (operation, file) -> {
          if (operation == FileOperation.UNLINK && file.getPath().startsWith(dir.toString())) {
            hanging.countDown();
            assertTrue(Uninterruptibles.awaitUninterruptibly(back, Duration.ofSeconds(60)));
          }
        });
    try {
      area.unlinkLater(first);
      assertTrue(hanging.await(30, TimeUnit.SECONDS));
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            area.unlinkLater(first);
            for (int id = 2; id < 1_000; id++) {
              area.unlinkLater(area.file(new Replica(new BlockKey(POOL, id), 1, 1), Part.DATA, 1));
            }
          });
      assertEquals(999, area.filesToRemove());
      back.countDown();
      area.close();
      assertTrue(area.awaitRemovals());
    } finally {
      back.countDown();
      FileOperations.observe(null);
    }
    assertEquals(0, area.filesToRemove());
  }

  @Test
  void remove_failsOnce_isTriedAgainAtTheNextLook() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    File file = area.file(new Replica(new BlockKey(POOL, 1), 1, 1), Part.DATA, 1);
    // A directory with something in it can't be unlinked, not even by root.
    Path inTheWay = Files.createDirectories(file.toPath().resolve("inside"));
    area.remove(file);
    assertEquals(1, area.filesToRemove());
    Files.delete(inTheWay);
    area.looked();
    area.close();
    assertTrue(area.awaitRemovals());
    assertEquals(0, area.filesToRemove());
    assertFalse(file.exists());
  }

  @Test
  void checksumFiles_countWhatTheFileSystemTakes() {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    area.allocatesBy(4096);
    CleanCopies copies = new CleanCopies();
    for (int i = 0; i < 1000; i++) {
      Replica replica = new Replica(new BlockKey(POOL, i), 1, 1024);
      copies.add(new CleanCopies.Copy(replica, null, CleanFile.unmeasured(area, replica, 1)));
    }
    assertEquals(1000L * 4096, area.bytes());
    assertEquals(1000L * 4096, copies.bytes());
    area.allocatesBy(512);
    for (int i = 0; i < 1000; i++) {
      copies.remove(new BlockKey(POOL, i));
    }
    assertEquals(0, area.bytes(), "what was put on is taken off");
  }

  @Test
  void temporary_rootIsGone_isNotMade() throws Exception {
    Path gone = dir.resolve("ssd");
    CleanArea area =
        new CleanArea(gone.toFile(), new DeviceWatch(gone.toFile()), DataDirMode.OWNER_ONLY);
    File file = area.file(new Replica(new BlockKey(POOL, 1), 1, 1), Part.DATA, 1);
    assertThrows(IOException.class, () -> area.prepare(file));
    assertFalse(Files.exists(gone));
  }

  @Test
  void prepare_directoriesItMakes_areOfTheDataNodesUserAlone() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    File file = write(area, new Replica(new BlockKey(POOL, 1), 1, 1), Part.DATA);
    for (File made = file.getParentFile();
        !made.equals(dir.toFile());
        made = made.getParentFile()) {
      assertEquals("rwx------", Modes.of(made.toPath()), made.toString());
    }
  }

  @Test
  void heat_filesAndDirectoryItMakes_areOfTheDataNodesUserAlone() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    HeatFiles heat = new HeatFiles(Map.of(dir.toString(), area));
    heat.write(dir.toString(), true, new byte[1]);
    heat.write(dir.toString(), false, new byte[1]);
    assertEquals("rwx------", Modes.of(dir.resolve("hycache")));
    assertEquals("rw-------", Modes.of(dir.resolve("hycache/heat")));
  }
}
