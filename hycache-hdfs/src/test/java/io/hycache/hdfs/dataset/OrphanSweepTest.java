// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanSweepTest {
  @TempDir Path dir;
  private final Set<String> inUse = new HashSet<>();
  private final Set<File> dataDirs = new HashSet<>();
  private final Counters counters = new Counters();
  private Path ssd = Path.of("");
  private Path disk = Path.of("");
  private OrphanSweep sweep = new OrphanSweep(pools(), List::of, List.of(), counters);

  private OrphanSweep.Pools pools() {
    return new OrphanSweep.Pools() {
      @Override
      public Set<String> inUse() {
        return inUse;
      }

      @Override
      public Set<File> dataDirs() {
        return dataDirs;
      }
    };
  }

  @BeforeEach
  void setUp() throws IOException {
    ssd = dir.resolve("ssd");
    disk = dir.resolve("disk");
    for (Path root : List.of(ssd, disk)) {
      Files.createDirectories(root.resolve("current/BP-here"));
      dataDirs.add(root.toFile());
    }
    for (String pool : List.of("BP-here", "BP-gone")) {
      Path bucket = Files.createDirectories(ssd.resolve("hycache").resolve(pool).resolve("00"));
      Files.write(bucket.resolve("blk_1_1_1.data"), new byte[1]);
      Files.write(bucket.resolve("blk_1_1_1.meta.tmp"), new byte[1]);
    }
    Files.write(ssd.resolve("hycache/heat"), new byte[1]);
    Files.createDirectories(ssd.resolve("hycache/notes"));
    CleanArea area =
        new CleanArea(ssd.toFile(), new DeviceWatch(ssd.toFile()), DataDirMode.OWNER_ONLY);
    sweep = new OrphanSweep(pools(), () -> List.of(area), List.of(), counters);
  }

  private boolean there(String pool) {
    return Files.exists(ssd.resolve("hycache").resolve(pool).resolve("00/blk_1_1_1.data"));
  }

  @Test
  void poolThatIsGone_isRemovedAndCounted() {
    inUse.add("BP-here");
    assertEquals(2, sweep.sweep());
    assertEquals(2, counters.get(Counter.ORPHANS_REMOVED));
    assertFalse(Files.exists(ssd.resolve("hycache/BP-gone")));
    assertTrue(there("BP-here"));
    assertTrue(Files.exists(ssd.resolve("hycache/heat")));
    assertTrue(Files.exists(ssd.resolve("hycache/notes")), "it has no pool's name");
    assertEquals(0, sweep.sweep());
  }

  @Test
  void poolWhoseNameNodeIsDown_stays() throws Exception {
    Files.createDirectory(disk.resolve("current/BP-gone"));
    assertEquals(0, sweep.sweep());
    assertTrue(there("BP-here"));
    assertTrue(there("BP-gone"));
  }

  @Test
  void poolInUse_stays() {
    inUse.add("BP-gone");
    assertEquals(0, sweep.sweep());
    assertTrue(there("BP-gone"));
  }

  @Test
  void aDataDirectoryThatCanNotBeLookedAt_everythingStays() {
    dataDirs.add(dir.resolve("failed").toFile());
    assertEquals(0, sweep.sweep());
    assertTrue(there("BP-gone"));
  }

  @Test
  void linkInAPool_isRemovedAndNotFollowed() throws Exception {
    inUse.add("BP-here");
    Path kept = Files.write(dir.resolve("kept"), new byte[1]);
    Files.createSymbolicLink(ssd.resolve("hycache/BP-gone/link"), dir);
    assertEquals(3, sweep.sweep());
    assertTrue(Files.exists(kept));
  }

  @Test
  void closed_removesNothing() {
    sweep.close();
    assertEquals(0, sweep.sweep());
    assertTrue(there("BP-gone"));
  }
}
