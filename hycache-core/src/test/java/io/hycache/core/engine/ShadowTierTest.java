// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ShadowSize;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What SSDs of other sizes would serve, as the status shows it. */
class ShadowTierTest {
  private static EngineRig rig(HyCacheConfig.Builder config, long... ssds) {
    return new EngineRig(config.build(), Policies.create("lru"), new FakeDataNode(ssds)).start();
  }

  private static HyCacheConfig.Builder observing() {
    return config().mode(Mode.OBSERVE);
  }

  private static void readAll(EngineRig rig, int blocks, long bytes) throws Exception {
    rig.engine.settle();
    int pool = rig.engine.poolNumber(EngineRig.POOL);
    for (int id = 1; id <= blocks; id++) {
      rig.engine.onRead(pool, id, bytes, false);
    }
    rig.engine.settle();
  }

  private static double readShare(NodeStatus status, ShadowSize size) {
    return status.share(size.readShare());
  }

  private static double byteShare(NodeStatus status, ShadowSize size) {
    return status.share(size.byteShare());
  }

  @Test
  void status_afterReads_saysWhatEachSizeWouldServe() throws Exception {
    try (EngineRig rig = rig(observing(), 10 * BLOCK)) {
      for (int id = 1; id <= 15; id++) {
        rig.disk(id);
      }
      assertEquals(0, rig.status().figure(NodeFigure.SHADOW_SECONDS), "no read yet");
      for (int round = 0; round < 4; round++) {
        readAll(rig, 15, BLOCK);
      }
      NodeStatus status = rig.status();
      assertEquals(60, status.figure(NodeFigure.SHADOW_READS));
      assertEquals(60 * BLOCK, status.figure(NodeFigure.SHADOW_READ_BYTES));
      assertEquals(0.0, status.share(NodeFigure.SHADOW_STANDARD_ERROR));
      assertEquals(10 * BLOCK, status.figure(NodeFigure.SHADOW_SSD_BYTES));
      assertEquals(15 * BLOCK, status.figure(NodeFigure.WORKING_SET_HOUR_BYTES));
      assertEquals(15 * BLOCK, status.figure(NodeFigure.WORKING_SET_DAY_BYTES));
      for (ShadowSize size : ShadowSize.values()) {
        double expected = size.of(10) >= 15 ? 0.75 : 0;
        assertEquals(expected, readShare(status, size), size.label());
        assertEquals(expected, byteShare(status, size), size.label());
      }
      rig.pass(Duration.ofHours(2));
      rig.read(3);
      rig.pass(Duration.ofSeconds(10));
      status = rig.status();
      assertEquals(1 * BLOCK, status.figure(NodeFigure.WORKING_SET_HOUR_BYTES));
      assertEquals(15 * BLOCK, status.figure(NodeFigure.WORKING_SET_DAY_BYTES));
    }
  }

  @Test
  void smallReads_countAsPoliciesCountThem_andWithAllTheirBytes() throws Exception {
    try (EngineRig rig = rig(observing(), 10 * BLOCK)) {
      rig.disk(1, 3200);
      for (int i = 0; i < 8; i++) {
        readAll(rig, 1, 10);
      }
      NodeStatus status = rig.status();
      assertEquals(2, status.figure(NodeFigure.SHADOW_READS), "four small reads are an access");
      assertEquals(80, status.figure(NodeFigure.SHADOW_READ_BYTES));
      assertEquals(0.5, readShare(status, ShadowSize.NOW));
      assertEquals(0.5, byteShare(status, ShadowSize.NOW));
    }
  }

  @Test
  void writtenBlocks_countAsCached_deletedAndPinnedOnesDoNot() throws Exception {
    try (EngineRig rig = rig(config(), 10 * BLOCK)) {
      rig.write(1);
      rig.read(1, BLOCK, true);
      rig.put(new Replica(key(2), 1, BLOCK), Home.SSD_OWNER);
      rig.read(2, BLOCK, true);
      rig.read(2, BLOCK, true);
      NodeStatus status = rig.status();
      assertEquals(1, status.figure(NodeFigure.SHADOW_READS));
      assertEquals(1.0, readShare(status, ShadowSize.QUARTER));
      assertEquals(BLOCK, status.figure(NodeFigure.WORKING_SET_HOUR_BYTES));
      rig.gone(1);
      rig.engine.settle();
      assertEquals(
          BLOCK,
          rig.status().figure(NodeFigure.WORKING_SET_HOUR_BYTES),
          "many queries, one computation in 10 s");
      rig.pass(Duration.ofSeconds(10));
      assertEquals(0, rig.status().figure(NodeFigure.WORKING_SET_HOUR_BYTES));
    }
  }

  @Test
  void nodeWithoutSsd_refersToAQuarterOfWhatItReadsInADay() throws Exception {
    try (EngineRig rig = rig(observing())) {
      for (int id = 1; id <= 16; id++) {
        rig.disk(id, 1 << 20);
      }
      readAll(rig, 16, 1 << 20);
      readAll(rig, 16, 1 << 20);
      NodeStatus status = rig.status();
      assertEquals(0, status.capacityBytes());
      assertEquals(4 << 20, status.figure(NodeFigure.SHADOW_SSD_BYTES));
      assertEquals(0.0, readShare(status, ShadowSize.TWICE));
      assertEquals(0.5, readShare(status, ShadowSize.FOURFOLD));
    }
  }

  @Test
  void metrics_getTheFigures_someSecondsLater() throws Exception {
    try (EngineRig rig = rig(observing(), 10 * BLOCK)) {
      assertEquals(Map.of(), rig.engine.shadow());
      rig.disk(1);
      readAll(rig, 1, BLOCK);
      readAll(rig, 1, BLOCK);
      rig.pass(Duration.ofSeconds(11));
      Map<NodeFigure, Number> shadow = rig.engine.shadow();
      assertEquals(2L, shadow.get(NodeFigure.SHADOW_READS));
      assertEquals(0.5, shadow.get(NodeFigure.SHADOW_READ_SHARE_NOW));
    }
  }

  @Test
  void off_nothingIsCounted_andItMayChangeWhileRunning() throws Exception {
    try (EngineRig rig = rig(observing().shadowBlocks(0), 10 * BLOCK)) {
      rig.disk(1);
      readAll(rig, 1, BLOCK);
      assertEquals(0, rig.status().figure(NodeFigure.SHADOW_SECONDS));
      rig.engine.reconfigure(observing().shadowBlocks(100).build());
      readAll(rig, 1, BLOCK);
      assertEquals(1, rig.status().figure(NodeFigure.SHADOW_READS));
      rig.engine.reconfigure(observing().shadowBlocks(100).hotReads(3).build());
      assertEquals(
          1, rig.status().figure(NodeFigure.SHADOW_READS), "other settings change nothing");
      rig.engine.reconfigure(observing().shadowBlocks(0).build());
      assertEquals(0, rig.status().figure(NodeFigure.SHADOW_READS));
      assertEquals(Map.of(), rig.engine.shadow());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // a key that makes the change fail half-way
  void changeThatFails_beginsAnew() {
    RoundClock clock = new RoundClock(() -> 1);
    clock.startRound();
    ShadowTier shadow = new ShadowTier(100, new FastSpace(), clock);
    shadow.written(key(1), BLOCK);
    shadow.written(key(2), BLOCK);
    assertEquals(2 * BLOCK, shadow.publish().get(NodeFigure.WORKING_SET_HOUR_BYTES));
    assertThrows(NullPointerException.class, () -> shadow.written(null, BLOCK));
    shadow.written(key(3), BLOCK);
    assertEquals(BLOCK, shadow.publish().get(NodeFigure.WORKING_SET_HOUR_BYTES));
  }
}
