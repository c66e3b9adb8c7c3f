// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.table.BlockEntry.Moving;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTableTest {
  private final BlockTable table = new BlockTable();

  private static BlockKey key(String pool, long id) {
    return new BlockKey(pool, id);
  }

  private BlockEntry disk(long id, long bytes) {
    return table.put(new Replica(key("BP-1", id), 7, bytes), Home.DISK, null);
  }

  private BlockEntry get(long id) {
    BlockEntry entry = table.get(key("BP-1", id));
    assertNotNull(entry);
    return entry;
  }

  @Test
  void put_newReplica_isFoundWithAllThatIsKnown() {
    disk(5, 1000);
    BlockEntry entry = get(5);

    assertEquals(new Replica(key("BP-1", 5), 7, 1000), entry.replica());
    assertEquals(Home.DISK, entry.home());
    assertNull(entry.device());
    assertEquals(Reason.NEVER_READ, entry.reason());
    assertEquals(Moving.NOTHING, entry.moving());
    assertFalse(entry.isResident());
    assertNull(table.get(key("BP-2", 5)));
    assertNull(table.get(key("BP-1", 6)));
  }

  @Test
  void view_changes_areSeenByOthers() {
    disk(1, 4096);
    table.setCleanData(get(1), true, "ssd1");
    table.setChecksumBytes(get(1), 39, "ssd2");
    get(1).setReason(Reason.ON_SSD_CLEAN);
    get(1).setUnreadPromotion(true);
    get(1).setReads(3);
    assertFalse(get(1).heat(100));
    assertTrue(get(1).heat(500));

    BlockEntry entry = get(1);
    assertTrue(entry.isResident() && entry.fast() && entry.cleanData());
    assertEquals("ssd1", entry.device());
    assertEquals("ssd2", entry.checksumDevice());
    assertEquals(39, entry.checksumBytes());
    assertEquals(Reason.ON_SSD_CLEAN, entry.reason());
    assertTrue(entry.unreadPromotion());
    assertEquals(4, entry.reads());
    assertEquals(4096, table.use().cleanBytes());
    assertEquals(39, table.use().checksumBytes());
  }

  @Test
  void heat_untilAnAccessIsComplete_isTheSumOfItsReads() {
    disk(1, 3_200);
    for (int read = 1; read <= 3; read++) {
      assertFalse(get(1).heat(10));
      assertEquals(10L * read, get(1).bytesSinceAccess());
      assertEquals(read, get(1).readsSinceAccess());
    }
    assertTrue(get(1).heat(10), "the fourth read");
    assertEquals(0, get(1).bytesSinceAccess());
    assertEquals(0, get(1).readsSinceAccess());
    assertFalse(get(1).heat(399));
    assertTrue(get(1).heat(1), "an eighth");
    assertEquals(2, get(1).reads());
  }

  @Test
  void lastChecksumBytes_fileIsKeptNoMore_isKnownUntilTheReplicaChanges() {
    disk(1, 4096);
    assertEquals(0, get(1).lastChecksumBytes());
    table.setChecksumBytes(get(1), 39, "ssd");
    table.setChecksumBytes(get(1), 0, null);
    table.setChecksumBytes(get(1), 0, null);

    assertEquals(0, get(1).checksumBytes());
    assertEquals(39, get(1).lastChecksumBytes());
    assertEquals(0, table.use().checksumBytes());
    disk(1, 4096);
    assertEquals(39, get(1).lastChecksumBytes());
    disk(1, 5000);
    assertEquals(0, get(1).lastChecksumBytes());
  }

  @Test
  void moving_view_isTheOnlyOneAndOutlivesItsReplica() {
    disk(1, 100);
    BlockEntry moving = get(1);
    moving.setMoving(Moving.PROMOTING);
    assertSame(moving, get(1));
    disk(1, 160);
    assertEquals(100, moving.movingBytes());
    assertEquals(160, moving.sizeBytes());

    table.remove(key("BP-1", 1));
    assertFalse(table.has(moving));
    assertEquals(160, moving.sizeBytes());
    assertEquals(key("BP-1", 1), moving.key());
    moving.setMoving(Moving.NOTHING);
    moving.setReason(Reason.EVICTED);
    disk(1, 7);
    assertFalse(table.has(moving));
    assertTrue(table.has(get(1)));
    assertEquals(7, get(1).sizeBytes());
    assertEquals(Reason.NEVER_READ, get(1).reason());
  }

  /** A second move of a block must not begin before the first one has ended. */
  @Test
  void moving_blockGoesAndComesAgain_isStillMoving() {
    disk(1, 100);
    BlockEntry moving = get(1);
    moving.setMoving(Moving.PROMOTING);
    table.remove(key("BP-1", 1));
    disk(2, 5);
    disk(1, 7);

    assertSame(moving, get(1));
    assertTrue(table.has(moving));
    assertEquals(Moving.PROMOTING, get(1).moving());
    assertEquals(7, moving.sizeBytes());
    assertEquals(100, moving.movingBytes());
    assertEquals(new Replica(key("BP-1", 1), 7, 100), moving.movingReplica());
    assertEquals(Moving.NOTHING, get(2).moving());
    moving.setMoving(Moving.NOTHING);
    assertEquals(Moving.NOTHING, get(1).moving());
    table.remove(key("BP-1", 1));
    disk(1, 9);
    assertEquals(Moving.NOTHING, get(1).moving());
  }

  @Test
  void resting_block_isLeftAloneUntilThen() {
    disk(1, 100);
    get(1).restUntil(1000);

    assertTrue(get(1).resting(999));
    assertFalse(get(1).resting(1000));
    get(1).restUntil(2000);
    table.remove(key("BP-1", 1));
    disk(2, 5);
    assertFalse(get(2).resting(1500), "the row was freed");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomEvents_sameAsAMap(long seed) {
    Random random = new Random(seed);
    Map<BlockKey, Replica> replicas = new HashMap<>();
    Map<BlockKey, String> clean = new HashMap<>();
    for (int step = 0; step < 50_000; step++) {
      String where = "seed=" + seed + " step=" + step;
      BlockKey key = key("BP-" + random.nextInt(3), random.nextInt(2000) * 37L);
      switch (random.nextInt(4)) {
        case 0:
          @Nullable BlockEntry removed = table.remove(key);
          assertEquals(replicas.remove(key), removed == null ? null : removed.replica(), where);
          clean.remove(key);
          break;
        case 1:
          BlockEntry entry = table.get(key);
          if (entry != null) {
            table.setCleanData(entry, true, "ssd" + step % 3);
            clean.put(key, "ssd" + step % 3);
          }
          break;
        default:
          Replica replica = new Replica(key, random.nextInt(3), random.nextInt(5));
          if (!replica.equals(replicas.put(key, replica))) {
            clean.remove(key);
          }
          table.put(replica, Home.DISK, null);
      }
      BlockEntry now = table.get(key);
      assertEquals(replicas.get(key), now == null ? null : now.replica(), where);
      assertEquals(clean.get(key), now == null ? null : now.device(), where);
      assertEquals(replicas.size(), table.size(), where);
    }
    table.checkInvariants();
    Set<Replica> all = new HashSet<>();
    Set<Integer> rows = new HashSet<>();
    for (BlockEntry entry : table.entries()) {
      all.add(entry.replica());
      rows.add(entry.row());
    }
    assertEquals(new HashSet<>(replicas.values()), all);
    assertEquals(replicas.size(), rows.size());
    assertTrue(rows.stream().allMatch(row -> row < 6000), "rows are used again");
  }

  @Test
  void devices_areThoseThatHoldSomething() {
    table.put(new Replica(key("BP-1", 1), 7, 1000), Home.SSD_GUEST, "ssd1");
    BlockEntry copied = disk(2, 1000);
    table.setChecksumBytes(copied, 10, "ssd2");
    assertEquals(Set.of("ssd1", "ssd2"), table.devices());
    table.remove(key("BP-1", 1));
    assertEquals(Set.of("ssd2"), table.devices());
    table.setChecksumBytes(copied, 0, null);
    assertEquals(Set.of(), table.devices());
  }
}
