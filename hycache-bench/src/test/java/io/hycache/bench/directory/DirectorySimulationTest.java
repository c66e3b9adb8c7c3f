// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes and clients in virtual time. */
class DirectorySimulationTest {
  private static final Costs COSTS =
      new Costs(side(0, 10), side(100, 2), side(100, 8), side(50, 2), side(50, 4));
  private static final Row.Setting SETTING = new Row.Setting(2, 7, null);

  private static Costs.Side side(double call, double each) {
    return new Costs.Side(call, each);
  }

  private static Row run(int nodes, int cores, Row.Calls calls, int batch, long seed) {
    return new DirectorySimulation(
            new DirectorySimulation.Form(nodes, cores, calls, 4, batch, 50, 2, seed), COSTS)
        .run(12, SETTING);
  }

  @Test
  void run_sameSeed_givesTheSameRow() {
    Row one = run(4, 0, Row.Calls.SPLIT, 16, 7);
    Row two = run(4, 0, Row.Calls.SPLIT, 16, 7);

    assertEquals(Row.json(List.of(one)), Row.json(List.of(two)));
    assertEquals(0, one.errors);
    assertTrue(one.opsPerSecond > 0);
  }

  @Test
  void run_oneNode_doesWhatItsCoreCan() {
    Row row = run(1, 0, Row.Calls.SPLIT, 10, 1);

    assertEquals(0, row.errors);
    assertEquals(100_000, row.opsPerSecond, 10_000, "10 us each, no call, no copy");
    assertEquals(400, row.p50Micros, 10, "4 clients with 10 operations each");
  }

  @Test
  void run_sharedCores_boundAllNodes() {
    Row own = run(4, 0, Row.Calls.SPLIT, 64, 1);
    Row shared = run(4, 2, Row.Calls.SPLIT, 64, 1);

    assertEquals(4, own.cores);
    assertEquals(2, shared.cores);
    assertEquals(0, own.errors + shared.errors);
    assertTrue(own.opsPerSecond > 1.5 * shared.opsPerSecond, own.opsPerSecond + " own");
  }

  @Test
  void run_fullCalls_scaleAndBeatSplitOnes() {
    Row few = run(4, 0, Row.Calls.FULL, 64, 1);
    Row many = run(16, 0, Row.Calls.FULL, 64, 1);
    Row split = run(16, 0, Row.Calls.SPLIT, 64, 1);

    assertEquals(0, few.errors + many.errors + split.errors);
    assertTrue(many.opsPerSecond > few.opsPerSecond);
    assertTrue(many.opsPerSecond > split.opsPerSecond);
  }

  @Test
  void fit_twoPoints_isTheLineThroughThem() {
    Costs.Side side = Costs.Side.fit(105, 100 / 64.0 + 5, 64);

    assertEquals(100, side.call, 1e-9);
    assertEquals(5, side.each, 1e-9);
    assertEquals(100 + 5 * 32, side.of(32), 1e-9);
  }
}
