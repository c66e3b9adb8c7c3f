// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.policy.Policies;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.Latencies.Operation;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What metrics show without waiting for the planner. */
class StatusBoardTest {
  private static EngineRig rig() {
    return new EngineRig(
            config().driveWritesPerDay(2).build(),
            Policies.create("lru"),
            new FakeDataNode(10 * BLOCK))
        .start();
  }

  private static void assertNear(long micros, NodeStatus status, NodeFigure figure) {
    long found = status.figure(figure);
    assertTrue(Math.abs(found - micros) <= micros / 16 + 1, () -> figure + " is " + found);
  }

  @Test
  void lastStatus_someSecondsLater_isTheStatus() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1);
      assertTrue(rig.write(2));
      rig.read(1);
      rig.quiet();
      rig.pass(Duration.ofSeconds(11));
      NodeStatus status = rig.status();
      NodeStatus last = rig.engine.lastStatus(false);
      assertEquals(BLOCK, last.dirtyBytes());
      assertEquals(2, last.trackedBlocks());
      assertEquals(status.toMap(), last.toMap());
      assertEquals(status.counters(), last.counters());
      DeviceStatus device = last.devices().get(0);
      for (DeviceStatus.Figure figure : DeviceStatus.Figure.values()) {
        assertEquals(status.devices().get(0).figure(figure), device.figure(figure), figure.key());
      }
      assertEquals(20 * BLOCK, device.figure(DeviceStatus.Figure.WRITE_BUDGET_BYTES));
      assertTrue(device.hasWriteBudget());
    }
  }

  @Test
  void lastStatus_beforeTheStartAndAfterTheEnd_isNotCounted() throws Exception {
    EngineRig rig =
        new EngineRig(
            config().policy("lru").build(), Policies.create("lru"), new FakeDataNode(10 * BLOCK));
    assertEquals("lru", rig.engine.lastStatus(true).policy());
    assertTrue(rig.engine.lastStatus(true).passThrough());
    assertEquals(0, rig.engine.lastStatus(true).capacityBytes());
    assertEquals(
        "the planner has completed no round yet", rig.engine.lastStatus(false).notCounted());
    rig.start();
    rig.probe();
    EngineRig.await("a round", () -> rig.engine.lastStatus(false).capacityBytes() == 10 * BLOCK);
    assertTrue(rig.engine.lastStatus(false).isCounted());
    rig.close();
    assertEquals(10 * BLOCK, rig.engine.lastStatus(false).capacityBytes());
    assertEquals("the planner has ended", rig.engine.lastStatus(false).notCounted());
  }

  @Test
  void quantiles_ofTheLastMinute_areOnTheStatus() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1);
      Latencies latencies = rig.engine.latencies();
      for (int i = 1; i <= 100; i++) {
        long now = latencies.begin();
        latencies.ended(Operation.SSD_READ, now - i * 1_000_000L);
      }
      latencies.ended(Operation.DISK_READ, latencies.begin() - 8_000_000L);
      rig.pass(Duration.ofSeconds(6));
      NodeStatus status = rig.status();
      assertNear(50_000, status, NodeFigure.SSD_READ_MICROS_P50);
      assertNear(95_000, status, NodeFigure.SSD_READ_MICROS_P95);
      assertNear(99_000, status, NodeFigure.SSD_READ_MICROS_P99);
      assertNear(8_000, status, NodeFigure.DISK_READ_MICROS_P50);
      assertEquals(0, status.figure(NodeFigure.DEMOTION_MICROS_P99), "no demotion");
      for (int i = 0; i < 12; i++) {
        rig.pass(Duration.ofSeconds(6));
      }
      assertEquals(0, rig.status().figure(NodeFigure.SSD_READ_MICROS_P99), "over a minute ago");
    }
  }
}
