// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GhostCurveTest {
  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  /** Hits of an LRU cache of this many blocks of equal size, computed with a list. */
  private static double lru(int[] accesses, int blocks) {
    ArrayDeque<Integer> stack = new ArrayDeque<>();
    int hits = 0;
    for (int block : accesses) {
      if (stack.remove(block)) {
        hits++;
      }
      stack.addFirst(block);
      if (stack.size() > blocks) {
        stack.removeLast();
      }
    }
    return (double) hits / accesses.length;
  }

  private static int[] skewed(Random random, int n, int blocks) {
    return random.doubles(n).mapToInt(d -> (int) (blocks * d * d * d)).toArray();
  }

  @Test
  void curve_withoutSampling_isThatOfLruExactly() {
    int[] accesses = skewed(new Random(1), 20_000, 500);
    GhostCurve ghosts = new GhostCurve(10 * 64, 40, 100_000);
    for (int id : accesses) {
      ghosts.access(block(id), 64);
    }
    HitCurve curve = ghosts.curve();

    assertEquals(0, ghosts.standardError());
    for (int segments : new int[] {0, 1, 5, 20, 40}) {
      assertEquals(lru(accesses, 10 * segments), curve.at(segments), 1e-12, segments + " segments");
    }
  }

  @Test
  void curve_sampled_isWithinItsError() {
    int[] accesses = skewed(new Random(2), 200_000, 20_000);
    GhostCurve ghosts = new GhostCurve(500 * 64, 40, 4000);
    for (int id : accesses) {
      ghosts.access(block(id), 64);
    }
    HitCurve curve = ghosts.curve();

    assertTrue(ghosts.standardError() > 0 && ghosts.standardError() < 0.03);
    for (int segments : new int[] {1, 5, 20, 40}) {
      assertEquals(
          lru(accesses, 500 * segments),
          curve.at(segments),
          3 * ghosts.standardError(),
          segments + " segments");
    }
  }

  @Test
  void age_oldAccesses_countHalf() {
    GhostCurve ghosts = new GhostCurve(100, 4, 100);
    ghosts.access(block(1), 100);
    ghosts.access(block(1), 100);
    assertEquals(0.5, ghosts.curve().at(1));
    ghosts.age();
    for (int id = 10; id < 13; id++) {
      ghosts.access(block(id), 100);
    }
    assertEquals(0.5 / 4, ghosts.curve().at(1));
  }

  @Test
  void earned_againAndAgain_countsOnceForEachAccess() {
    GhostCurve ghosts = new GhostCurve(100, 4, 100);
    for (int id = 1; id <= 4; id++) {
      ghosts.access(block(id), 100);
    }
    for (int read = 0; read < 10; read++) {
      ghosts.earned(block(1));
      ghosts.earned(block(9));
    }
    assertEquals(0.25, ghosts.curve().at(4));
    assertEquals(0, ghosts.curve().at(3));

    ghosts.access(block(5), 100);
    ghosts.earned(block(5));
    ghosts.earned(block(5));
    assertEquals(0.2, ghosts.curve().at(1));
  }

  @Test
  void sequential_longRun_isOneOnlyFromItsThresholdOn() {
    SequentialDetector detector = new SequentialDetector(100, 0);

    assertEquals(false, detector.request(0, 60));
    assertEquals(true, detector.request(60, 40));
    assertEquals(true, detector.request(100, 1));
    assertEquals(false, detector.request(500, 60));
    assertEquals(false, detector.request(0, 99));
  }

  @Test
  void sequential_withGaps_isOneAsLongAsTheyAreSmall() {
    SequentialDetector detector = new SequentialDetector(3, 5);

    assertEquals(false, detector.request(10, 1));
    assertEquals(false, detector.request(16, 1));
    assertEquals(true, detector.request(17, 1));
    assertEquals(false, detector.request(24, 1), "six are left out");
    assertEquals(false, detector.request(20, 1), "backwards");
  }

  @Test
  void partitioner_scans_areIgnored() {
    Partition start = Partition.of(0.5, 0.3, 20);
    Partitioner quiet = new Partitioner(FlashModel.DEFAULT, DiskTime.DEFAULT, 20 * 6400, start, 20);
    Partitioner scanned =
        new Partitioner(FlashModel.DEFAULT, DiskTime.DEFAULT, 20 * 6400, start, 20);
    Random random = new Random(3);
    for (int period = 0; period < 20; period++) {
      for (int id : skewed(random, 500, 4000)) {
        quiet.read(block(id), 64);
        scanned.read(block(id), 64);
      }
      for (int id : skewed(random, 500, 4000)) {
        quiet.written(block(id), 64);
        scanned.written(block(id), 64);
      }
      for (int id = 0; id < 40_000; id++) {
        scanned.read(block(1_000_000 * (period + 1) + 3 * id), 64);
      }
      quiet.next();
      scanned.next();
    }

    // The first blocks of a scan are not recognised as one.
    assertEquals(quiet.goal().readShare(), scanned.goal().readShare(), 0.051);
    assertEquals(quiet.goal().writeShare(), scanned.goal().writeShare(), 0.051);
    assertEquals(quiet.current().readShare(), scanned.current().readShare(), 0.051);
  }

  @Test
  void partitioner_workloadTurnsToWrites_followsGradually() {
    Partition start = Partition.of(0.5, 0.3, 20);
    Partitioner partitioner =
        new Partitioner(FlashModel.DEFAULT, DiskTime.DEFAULT, 20 * 6400, start, 20);
    Random random = new Random(3);
    for (int period = 0; period < 20; period++) {
      for (int id : skewed(random, 2000, 4000)) {
        partitioner.read(block(id), 64);
      }
      for (int id : skewed(random, 100, 4000)) {
        partitioner.written(block(id), 64);
      }
      partitioner.next();
    }
    Partition readHeavy = partitioner.current();
    assertTrue(readHeavy.readShare() > 2 * readHeavy.writeShare(), readHeavy.toString());
    Partition before = readHeavy;
    for (int period = 0; period < 40; period++) {
      for (int id : skewed(random, 100, 4000)) {
        partitioner.read(block(id), 64);
      }
      for (int id : skewed(random, 2000, 4000)) {
        partitioner.written(block(id), 64);
      }
      Partition now = partitioner.next();
      assertTrue(
          Math.abs(now.writeShare() - before.writeShare()) < 0.051, "a segment a period: " + now);
      assertTrue(now.reserveShare() > 0.049, "something is always free: " + now);
      before = now;
    }
    assertTrue(
        before.writeShare() > 2 * before.readShare(), before + " goal " + partitioner.goal());
  }
}
