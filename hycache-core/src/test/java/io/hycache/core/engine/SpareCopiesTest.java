// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpareCopiesTest {
  private static final long BLOCK = 1 << 20;
  private static final long CAPACITY = 400_000 * BLOCK;

  private final BlockTable table = new BlockTable();
  private final FastSpace space = new FastSpace();
  private final SpareCopies spares = new SpareCopies();
  private final List<BlockKey> order = new ArrayList<>();
  private int walked;

  private BlockKey clean(long id, String device) {
    BlockKey key = new BlockKey("BP-1", id);
    BlockEntry entry = table.put(new Replica(key, 1, BLOCK), Home.DISK, null);
    table.setCleanData(entry, true, device);
    order.add(key);
    return key;
  }

  private void maintain(long nowNanos) {
    spares.maintain(
        space,
        table,
        () -> {
          Iterator<BlockKey> all = order.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return all.hasNext();
            }

            @Override
            public BlockKey next() {
              walked++;
              return all.next();
            }
          };
        },
        BlockEntry::cleanData,
        nowNanos);
  }

  private void free(long a, long b) {
    space.update(
        List.of(
            new FastDevice("a", CAPACITY, a, true), new FastDevice("b", CAPACITY / 4, b, true)));
  }

  @Test
  void maintain_fullDevice_namesAFewOfManyAndNotAgainUntilHalfAreTaken() {
    for (int i = 0; i < 300_000; i++) {
      clean(i, "a");
    }
    free(0, CAPACITY / 4);
    maintain(0);
    assertEquals(SpareCopies.MAX_COPIES, walked);
    assertEquals(SpareCopies.MAX_COPIES * BLOCK, spares.bytes("a"));
    assertEquals(0, spares.bytes("b"));
    for (int i = 0; i < SpareCopies.MAX_COPIES / 2; i++) {
      assertEquals(order.get(i), spares.poll("a"));
    }
    maintain(SpaceLedger.MAX_LOOK_AGE_NANOS);
    assertEquals(SpareCopies.MAX_COPIES, walked, "half are left");
    spares.poll("a");
    maintain(SpaceLedger.MAX_LOOK_AGE_NANOS);
    assertEquals(2 * SpareCopies.MAX_COPIES, walked);
    maintain(SpaceLedger.MAX_LOOK_AGE_NANOS + SpareCopies.STALE_NANOS);
    assertEquals(3 * SpareCopies.MAX_COPIES, walked, "the order has changed since");
  }

  @Test
  void maintain_twoDevices_eachHasItsOwn() {
    BlockKey first = clean(1, "b");
    BlockKey second = clean(2, "a");
    free(0, 0);
    maintain(0);
    assertEquals(second, spares.poll("a"));
    assertNull(spares.poll("a"));
    assertEquals(first, spares.poll("b"));
    assertEquals(0, spares.bytes("b"));
  }

  @Test
  void maintain_roomOnTheDeviceOrDeviceGone_namesNone() {
    clean(1, "a");
    clean(2, "b");
    free(CAPACITY, CAPACITY);
    maintain(0);
    assertEquals(0, walked);
    free(0, 0);
    maintain(SpaceLedger.MAX_LOOK_AGE_NANOS);
    assertTrue(spares.bytes("a") > 0);
    space.update(List.of());
    maintain(2 * SpaceLedger.MAX_LOOK_AGE_NANOS);
    assertEquals(0, spares.bytes("a"));
    assertNull(spares.poll("b"));
  }

  @Test
  void madeWay_keepsTheChecksumsInTheLedger() throws Exception {
    FakeDataNode node = new FakeDataNode(10 * EngineRig.BLOCK);
    try (EngineRig rig =
        new EngineRig(
                EngineRig.config().checksumShare(0.03).policy("lru").build(),
                io.hycache.core.policy.Policies.create("lru"),
                node)
            .start()) {
      rig.disk(1);
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      BlockKey given = rig.engine.nextToMakeWay(FakeDataNode.SSD);
      assertEquals(EngineRig.key(1), given);
      long checksums = rig.status().checksumBytes();
      assertTrue(checksums > 0);
      node.evict(EngineRig.key(1), io.hycache.core.model.Part.DATA);
      rig.engine.onMadeWay(EngineRig.key(1));
      rig.engine.settle();
      assertTrue(!rig.locate(1).cleanData && rig.locate(1).cleanChecksums);
      assertEquals(checksums, rig.status().checksumBytes());
      assertEquals(1, rig.count(io.hycache.core.stats.Counters.Counter.BLOCKS_EVICTED));
    }
  }
}
