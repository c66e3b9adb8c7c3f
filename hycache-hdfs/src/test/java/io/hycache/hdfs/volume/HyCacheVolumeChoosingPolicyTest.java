// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;

class HyCacheVolumeChoosingPolicyTest {
  private static final long BLOCK = 128L << 20;

  private final HyCacheVolumeChoosingPolicy<FsVolumeSpi> policy =
      new HyCacheVolumeChoosingPolicy<>();
  private final List<FsVolumeSpi> volumes = new ArrayList<>();
  private final List<AtomicLong> free = new ArrayList<>();
  private int made;

  private final Set<FsVolumeSpi> sick = new HashSet<>();
  private final Map<Object, Long> madeWay = new HashMap<>();
  private final Map<Object, Double> slowdowns = new HashMap<>();
  private final List<Object> notified = new ArrayList<>();

  /** A dataset that knows which of its volumes are sick, and nothing else. */
  private final Object dataset =
      Proxy.newProxyInstance(
          FsDatasetSpi.class.getClassLoader(),
          new Class<?>[] {FsDatasetSpi.class, VolumeHealth.class},
          (proxy, method, arguments) -> {
            if (method.getName().equals("isSick")) {
              return sick.contains(arguments[0]);
            }
            if (method.getName().equals("madeWayBytes")) {
              return madeWay.getOrDefault(arguments[0], 0L);
            }
            if (method.getName().equals("slowdown")) {
              return slowdowns.getOrDefault(arguments[0], 0.0);
            }
            if (method.getName().equals("chosen")) {
              return notified.add(arguments[0]);
            }
            throw new UnsupportedOperationException(method.getName());
          });

  /** A volume that knows its dataset, its free space and its name only. */
  private void volume(long blocksFree) {
    AtomicLong bytes = new AtomicLong(blocksFree * BLOCK);
    String id = "DS-" + made++;
    free.add(bytes);
    volumes.add(
        (FsVolumeSpi)
            Proxy.newProxyInstance(
                FsVolumeSpi.class.getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class},
                (proxy, method, arguments) -> {
                  switch (method.getName()) {
                    case "getAvailable":
                      if (bytes.get() < 0) {
                        throw new IOException("volume failed: " + id);
                      }
                      return bytes.get();
                    case "getStorageID":
                    case "toString":
                      return id;
                    case "getBaseURI":
                      return URI.create("file:/" + id);
                    case "getDataset":
                      return dataset;
                    case "getStorageType":
                      return StorageType.DISK;
                    case "hashCode":
                      return id.hashCode();
                    case "equals":
                      return proxy == arguments[0];
                    default:
                      throw new UnsupportedOperationException(method.getName());
                  }
                }));
  }

  /** Writes blocks; returns how many each volume got. */
  private int[] write(int blocks) throws IOException {
    int[] got = new int[volumes.size()];
    for (int i = 0; i < blocks; i++) {
      int at = chosen();
      got[at]++;
      free.get(at).addAndGet(-BLOCK);
    }
    return got;
  }

  private int chosen() throws IOException {
    FsVolumeSpi chosen = policy.choose(volumes, BLOCK);
    for (int i = 0; i < volumes.size(); i++) {
      if (volumes.get(i) == chosen) {
        return i;
      }
    }
    throw new IOException("not one of the volumes: " + chosen);
  }

  @Test
  void unequalSizes_largeGetsMore_smallIsNeverStarved() throws Exception {
    volume(40_000);
    volume(20_000);
    volume(4_000);
    int[] got = write(6_000);
    assertTrue(got[0] > got[1] && got[1] > got[2], got[0] + " " + got[1] + " " + got[2]);
    assertTrue(got[2] >= 6_000 * 4 / 64, "small got " + got[2]);
    assertTrue(got[0] <= 6_000 * 0.625, "large got " + got[0]);
  }

  @Test
  void equalSizes_takeTurns() throws Exception {
    volume(10_000);
    volume(10_000);
    volume(10_000);
    for (int round = 0; round < 1_000; round++) {
      assertArrayEquals(new int[] {1, 1, 1}, write(3), "round=" + round);
    }
  }

  @Test
  void equalSizes_someAddedOrRemoved_turnsAreThoseOfRoundRobin() throws Exception {
    policy.setConf(new Configuration(false));
    RoundRobinVolumeChoosingPolicy<FsVolumeSpi> hdfs = new RoundRobinVolumeChoosingPolicy<>();
    hdfs.setConf(new Configuration(false));
    for (int volumesNow : new int[] {2, 7, 6, 3, 5, 2, 4}) {
      while (volumes.size() < volumesNow) {
        volume(10_000);
      }
      while (volumes.size() > volumesNow) {
        volumes.remove(0);
      }
      for (int turn = 0; turn < 2 * volumesNow; turn++) {
        assertSame(
            hdfs.chooseVolume(volumes, BLOCK, ""),
            policy.choose(volumes, BLOCK),
            "volumes=" + volumesNow + " turn=" + turn);
      }
    }
  }

  /** How often the first volume is chosen of 100 times. */
  private int turnsOfTheFirst(long replicaSize) throws IOException {
    int first = 0;
    for (int i = 0; i < 100; i++) {
      first += policy.choose(volumes, replicaSize) == volumes.get(0) ? 1 : 0;
    }
    return first;
  }

  /** As on one file system, where only what else is going on makes a difference. */
  @Test
  void nearlyEqualSizes_shareEqually() throws Exception {
    volume(10_000);
    volume(10_001);
    assertEquals(50, turnsOfTheFirst(BLOCK));
  }

  @Test
  void emptyReplicas_takeTurns() throws Exception {
    volume(10);
    volume(10);
    assertEquals(50, turnsOfTheFirst(0));
  }

  @Test
  void emptyNewOne_amongNearlyFullOnes_getsNoMoreThanTwoThirds() throws Exception {
    volume(1_000);
    volume(1_000);
    volume(1_000);
    volume(10_000);
    int[] got = write(500);
    assertTrue(got[3] <= 500 * 2 / 3, "new got " + got[3]);
    assertTrue(got[3] > 500 / 4, "new got " + got[3]);
  }

  @Test
  void full_areSkipped() throws Exception {
    volume(1);
    volume(100);
    volume(0);
    assertEquals(50, write(50)[1]);
  }

  @Test
  void allFull_saysSoLikeHdfs() {
    volume(1);
    volume(0);
    String expected =
        "Out of space: the volume with the most available space (="
            + BLOCK
            + " B) is less than the block size (="
            + BLOCK
            + " B).";
    assertEquals(
        expected,
        assertThrows(DiskOutOfSpaceException.class, () -> policy.choose(volumes, BLOCK))
            .getMessage());
    assertThrows(DiskOutOfSpaceException.class, () -> policy.chooseVolume(volumes, BLOCK, "DS-0"));
  }

  @Test
  void oneVolume_isTaken() throws Exception {
    policy.setConf(new Configuration(false));
    volume(10);
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, "DS-0"));
  }

  @Test
  void full_butCopiesMadeWay_isTaken() throws Exception {
    policy.setConf(new Configuration(false));
    volume(0);
    assertThrows(DiskOutOfSpaceException.class, () -> policy.chooseVolume(volumes, BLOCK, "DS-0"));
    madeWay.put(volumes.get(0), 2L * BLOCK);
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, "DS-0"));
    volume(0);
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, "DS-0"));
  }

  @Test
  void weighingFails_goesRoundRobin() throws Exception {
    volume(10);
    volume(10);
    free.get(1).set(-1);
    assertThrows(IOException.class, () -> policy.choose(volumes, BLOCK));
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, "DS-0"));
  }

  @Test
  void sickOnes_areLeftOut_unlessAllAre() throws Exception {
    volume(1_000);
    volume(1_000);
    sick.add(volumes.get(0));
    for (int i = 0; i < 100; i++) {
      assertSame(volumes.get(1), policy.chooseVolume(volumes, BLOCK, ""));
    }
    sick.add(volumes.get(1));
    assertTrue(volumes.contains(policy.chooseVolume(volumes, BLOCK, "")));
  }

  @Test
  void busyOnes_areLeftOut_andTakeTurnsAgainWhenTheyAreNot() throws Exception {
    volume(10_000);
    volume(10_000);
    volume(10_000);
    for (int i = 0; i < 3; i++) {
      slowdowns.put(volumes.get(i), i == 0 ? 2.0 : 1.0);
    }
    int[] got = new int[3];
    for (int i = 0; i < 100; i++) {
      got[volumes.indexOf(policy.chooseVolume(volumes, BLOCK, ""))]++;
    }
    assertArrayEquals(new int[] {0, 50, 50}, got);
    slowdowns.put(volumes.get(0), 1.2);
    got = new int[3];
    for (int i = 0; i < 99; i++) {
      got[volumes.indexOf(policy.chooseVolume(volumes, BLOCK, ""))]++;
    }
    assertArrayEquals(new int[] {33, 33, 33}, got);
  }

  @Test
  void oneIsUnknown_allTakeTurns() throws Exception {
    volume(10_000);
    volume(10_000);
    slowdowns.put(volumes.get(0), 3.0);
    assertEquals(50, turnsOfTheFirst(BLOCK));
  }

  @Test
  void notBusyButFull_busyOnesAreTaken() throws Exception {
    volume(0);
    volume(10);
    slowdowns.put(volumes.get(0), 1.0);
    slowdowns.put(volumes.get(1), 9.0);
    assertSame(volumes.get(1), policy.chooseVolume(volumes, BLOCK, ""));
    assertEquals(List.of(volumes.get(1)), notified);
  }
}
