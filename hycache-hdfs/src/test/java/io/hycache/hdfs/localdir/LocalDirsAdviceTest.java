// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.localdir.LocalDirConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalDirsAdviceTest {
  private static final List<LocalDirConfig> TREE =
      List.of(LocalDirConfig.builder(Path.of("/ssd/yarn")).hdd(Path.of("/hdd/yarn")).build());

  private static List<String> dirs(int onSsd, String... others) {
    List<String> dirs = new ArrayList<>();
    for (int i = 0; i < onSsd; i++) {
      dirs.add("/ssd/yarn/" + i);
    }
    dirs.addAll(List.of(others));
    return dirs;
  }

  @Test
  void manyOnSsdAndOneOnEachHdd_isFine() {
    assertEquals(List.of(), LocalDirsAdvice.of(dirs(15, "/hdd/overflow"), 90, 0.05f, TREE));
    assertEquals(
        List.of(),
        LocalDirsAdvice.of(List.of("/ssd/yarn/0", "file:///ssd/yarn/1"), 90, 0.05f, TREE).stream()
            .filter(line -> !line.startsWith("all directories are on SSD"))
            .collect(java.util.stream.Collectors.toList()));
  }

  @Test
  void noneOnSsd_isSaid() {
    assertEquals(
        List.of("no directory is below ssd=/ssd/yarn: jobs write nothing to it. Fix: add some"),
        LocalDirsAdvice.of(List.of("/hdd/yarn", "/ssd/yarn2"), 90, 0.05f, TREE));
  }

  @Test
  void allOnSsd_isSaid() {
    assertEquals(
        List.of(
            "all directories are on SSD: none is usable while other files fill it. Fix: add one on"
                + " an HDD"),
        LocalDirsAdvice.of(dirs(4), 90, 0.05f, TREE));
  }

  @Test
  void evenSpread_isSaid() {
    assertEquals(
        List.of(
            "only 1 of 2 directories are on SSD, and YARN spreads files evenly over all. Fix: name"
                + " more there"),
        LocalDirsAdvice.of(dirs(1, "/hdd/overflow"), 90, 0.05f, TREE));
  }

  @Test
  void diskFullBeforeHigh_isSaid_unlessTheTreeHasACapacity() {
    assertEquals(
        List.of(
            "the NodeManager gives up a disk that is 60 % full, before files leave ssd=/ssd/yarn"
                + " at 70 %. Fix: lower hycache.localdir.high"),
        LocalDirsAdvice.of(dirs(15, "/hdd/overflow"), 60, 0.05f, TREE));
    LocalDirConfig bounded =
        LocalDirConfig.builder(Path.of("/ssd/yarn"))
            .hdd(Path.of("/hdd/yarn"))
            .capacityBytes(1 << 30)
            .build();
    assertEquals(
        List.of(), LocalDirsAdvice.of(dirs(15, "/hdd/overflow"), 60, 0.05f, List.of(bounded)));
  }

  @Test
  void fewerLeftThanAHealthyNodeManagerHas_isSaid() {
    assertEquals(
        List.of(
            "while other files fill the SSD, 6 % of the directories are usable; below 25 % the"
                + " NodeManager is unhealthy and its containers are lost. Fix: lower"
                + " yarn.nodemanager.disk-health-checker.min-healthy-disks"),
        LocalDirsAdvice.of(dirs(15, "/hdd/overflow"), 90, 0.25f, TREE));
  }
}
