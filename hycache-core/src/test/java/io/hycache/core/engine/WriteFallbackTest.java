// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.WriteFallback;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each reason for a write to DISK is counted and shown with the block. */
class WriteFallbackTest {

  private static EngineRig rig(HyCacheConfig.Builder config, long blocks) {
    return new EngineRig(
            config.checksumShare(0).policy("lru").build(),
            Policies.create("lru"),
            new FakeDataNode(blocks * BLOCK))
        .start();
  }

  private static @Nullable WriteFallback write(EngineRig rig, long id) throws Exception {
    rig.probe();
    WriteFallback why = rig.engine.admit(BLOCK);
    if (why == null) {
      rig.engine.onPlaced(EngineRig.key(id), BLOCK, 0);
    } else {
      rig.engine.onWrittenToDisk(EngineRig.key(id), BLOCK, why);
    }
    rig.put(new Replica(EngineRig.key(id), 1, BLOCK), why == null ? Home.SSD_GUEST : Home.DISK);
    rig.engine.settle();
    return why;
  }

  private static void check(EngineRig rig, long id, Counter kind, Reason reason) throws Exception {
    assertEquals(1, rig.count(kind), kind.label());
    assertEquals(1, rig.count(Counter.BLOCKS_WRITE_FALLBACK));
    assertEquals(reason, rig.locate(id).reason);
  }

  @Test
  void noRoom() throws Exception {
    try (EngineRig rig = rig(EngineRig.config().reserveShare(0.5), 4)) {
      assertNull(write(rig, 1));
      assertNull(write(rig, 2));
      assertEquals(WriteFallback.NO_ROOM, write(rig, 3));
      check(rig, 3, Counter.FALLBACK_NO_ROOM, Reason.WRITTEN_NO_ROOM);
    }
  }

  @Test
  void writeShare() throws Exception {
    try (EngineRig rig = rig(EngineRig.config().writeShare(0.25), 4)) {
      assertNull(write(rig, 1));
      assertEquals(WriteFallback.WRITE_SHARE, write(rig, 2));
      check(rig, 2, Counter.FALLBACK_WRITE_SHARE, Reason.WRITTEN_WRITE_SHARE);
    }
  }

  @Test
  void ssdThatStalledOrFailed_hasRoomButCannotBeUsed() throws Exception {
    try (EngineRig rig = rig(EngineRig.config(), 4)) {
      assertNull(write(rig, 1));
      rig.node.setSsdUsable(false);
      assertEquals(WriteFallback.NO_USABLE_SSD, write(rig, 2));
      check(rig, 2, Counter.FALLBACK_NO_USABLE_SSD, Reason.WRITTEN_NO_USABLE_SSD);
      rig.node.setSsdUsable(true);
      assertNull(write(rig, 3));
    }
  }

  @Test
  void writeBudget() throws Exception {
    try (EngineRig rig = rig(EngineRig.config().driveWritesPerDay(0.000_1), 4)) {
      rig.probe();
      rig.engine.onWritten(FakeDataNode.SSD, 100 * BLOCK);
      rig.engine.settle();
      assertEquals(WriteFallback.WRITE_BUDGET, write(rig, 1));
      check(rig, 1, Counter.FALLBACK_WRITE_BUDGET, Reason.WRITTEN_WRITE_BUDGET);
    }
  }

  @Test
  void tooSmall_isNoFallback() throws Exception {
    try (EngineRig rig = rig(EngineRig.config().minBlockBytes(2 * BLOCK), 4)) {
      rig.probe();
      assertEquals(WriteFallback.TOO_SMALL, write(rig, 1));
      assertEquals(Reason.TOO_SMALL, rig.locate(1).reason);
      assertTrue(Reason.TOO_SMALL.text().contains("hycache.write.min-block-size"));
      assertEquals(0, rig.count(Counter.BLOCKS_WRITE_FALLBACK));
    }
  }

  @Test
  void observe_isNotMeantWhateverTheSize() throws Exception {
    try (EngineRig rig = rig(EngineRig.config().mode(HyCacheConfig.Mode.OBSERVE), 4)) {
      rig.probe();
      assertEquals(WriteFallback.NOT_MEANT, rig.engine.admit(BLOCK));
    }
  }

  /** What is said of a replica on SSD alone is what will happen to it. */
  @Test
  void dirty_saysWhetherItMoves() throws Exception {
    HyCacheConfig.Builder config = EngineRig.config().demoteWatermarks(0.5, 1);
    try (EngineRig rig = rig(config, 4)) {
      assertNull(write(rig, 1));
      assertNull(write(rig, 2));
      assertEquals(Reason.ON_SSD_DIRTY_STAYS, rig.locate(1).reason);
      CountDownLatch gate = rig.node.hold("demote 1");
      assertNull(write(rig, 3));
      assertEquals(Reason.ON_SSD_DIRTY, rig.locate(1).reason);
      gate.countDown();
      rig.quiet();
      assertEquals(Reason.ON_SSD_DIRTY_STAYS, rig.locate(2).reason);
      rig.node.setHdds();
      rig.probe();
      assertEquals(Reason.ON_SSD_DIRTY_KEPT, rig.locate(2).reason);
    }
  }

  @Test
  void reasons_areForgottenWithTheBlock_andBounded() throws Exception {
    try (EngineRig rig = rig(EngineRig.config(), 4)) {
      rig.engine.onWrittenToDisk(EngineRig.key(1), BLOCK, WriteFallback.SSD_FAILED);
      rig.gone(1);
      rig.disk(1);
      rig.engine.settle();
      assertEquals(Reason.NEVER_READ, rig.locate(1).reason);
      for (long id = 10; id <= 10 + WrittenToDisk.MAX_BLOCKS; id++) {
        rig.engine.onWrittenToDisk(EngineRig.key(id), BLOCK, WriteFallback.SSD_FAILED);
      }
      rig.disk(10);
      rig.disk(11);
      rig.engine.settle();
      assertEquals(Reason.NEVER_READ, rig.locate(10).reason);
      assertEquals(Reason.WRITTEN_SSD_FAILED, rig.locate(11).reason);
    }
  }
}
