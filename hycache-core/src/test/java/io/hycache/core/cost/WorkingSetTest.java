// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkingSetTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long BLOCK = 64;
  private static final int ALL = 1 << 18;

  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  private static void read(WorkingSet set, long id, long now) {
    set.read(block(id), BLOCK, BLOCK, true, now);
  }

  private static int[] skewed(Random random, int n, int blocks) {
    return random.doubles(n).mapToInt(d -> (int) (blocks * d * d * d)).toArray();
  }

  private static long size(int id) {
    return 1 + Math.floorMod(id * 0x9E3779B97F4A7C15L, 100L);
  }

  /** Reads and bytes that an LRU cache of this size serves, computed with a list. */
  private static long[] lru(int[] reads, long capacity) {
    LinkedHashMap<Integer, Long> cache = new LinkedHashMap<>(16, 0.75f, true);
    long used = 0;
    long[] hits = new long[2];
    for (int id : reads) {
      if (cache.get(id) != null) {
        hits[0]++;
        hits[1] += size(id);
        continue;
      }
      cache.put(id, size(id));
      used += size(id);
      Iterator<Map.Entry<Integer, Long>> eldest = cache.entrySet().iterator();
      while (used > capacity) {
        used -= eldest.next().getValue();
        eldest.remove();
      }
    }
    return hits;
  }

  @Test
  void shares_ofAllBlocks_areThoseOfLru() {
    int[] reads = skewed(new Random(1), 50_000, 2000);
    WorkingSet set = new WorkingSet(ALL, 0);
    long bytes = 0;
    for (int id : reads) {
      set.read(block(id), size(id), size(id), true, 0);
      bytes += size(id);
    }

    assertEquals(0, set.standardError());
    assertEquals(reads.length, set.reads());
    assertEquals((double) bytes, set.readBytes());
    for (long capacity : new long[] {1000, 5000, 20_000, 50_000, 200_000}) {
      long[] hits = lru(reads, capacity);
      // Blocks of 1 to 100 bytes: the exact cache has up to 99 bytes free, and buckets are 2 %.
      assertEquals(
          (double) hits[0] / reads.length, set.readShare(capacity), 0.01, "of " + capacity);
      assertEquals((double) hits[1] / bytes, set.byteShare(capacity), 0.01, "of " + capacity);
    }
  }

  @Test
  void shares_ofASample_areWithinTheStatedError() {
    for (int seed = 0; seed < 5; seed++) {
      int[] reads = skewed(new Random(seed), 200_000, 40_000);
      WorkingSet set = new WorkingSet(2000, 0);
      long bytes = 0;
      for (int id : reads) {
        set.read(block(id), size(id), size(id), true, 0);
        bytes += size(id);
      }
      assertTrue(set.sampledBlocks() <= 2000 && set.sampledBlocks() > 900, "seed=" + seed);
      assertEquals(1 / Math.sqrt(set.sampledBlocks()), set.standardError(), 1e-12);
      for (long capacity : new long[] {50_000, 200_000, 500_000, 1_000_000}) {
        long[] hits = lru(reads, capacity);
        String what = "seed=" + seed + " capacity=" + capacity;
        double bound = 3 * set.standardError();
        assertEquals((double) hits[0] / reads.length, set.readShare(capacity), bound, what);
        assertEquals((double) hits[1] / bytes, set.byteShare(capacity), bound, what);
      }
      long distinct = Arrays.stream(reads).distinct().mapToLong(WorkingSetTest::size).sum();
      assertEquals(1, set.usedBytes(HOUR, 0) / distinct, 3 * set.standardError(), "seed=" + seed);
    }
  }

  @Test
  void share_growsWithTheSize_andIsOneAtMost() {
    WorkingSet set = new WorkingSet(500, 0);
    for (int id : skewed(new Random(7), 50_000, 5000)) {
      read(set, id, 0);
    }
    double before = 0;
    for (long capacity = 0; capacity < 1L << 62; capacity += capacity / 8 + 1) {
      double share = set.readShare(capacity);
      assertTrue(share >= before && share <= 1, "capacity=" + capacity + " share=" + share);
      before = share;
    }
    assertEquals(before, set.readShare(Long.MAX_VALUE));
    assertEquals(0, set.readShare(0));
  }

  @Test
  void smallReads_countBytes_butMakeNoBlockRecent() {
    WorkingSet set = new WorkingSet(ALL, 0);
    set.read(block(1), BLOCK, 4, false, 0);
    assertEquals(0, set.byteShare(10 * BLOCK), "not cached by a small read");
    assertEquals(0, set.usedBytes(HOUR, 0));
    read(set, 1, 0);
    read(set, 2, 0);
    set.read(block(1), BLOCK, 4, false, 0);
    set.read(block(1), BLOCK, 4, false, 0);

    assertEquals(2, set.reads());
    assertEquals(4 + 64 + 64 + 4 + 4, set.readBytes());
    assertEquals(8.0 / 140, set.byteShare(2 * BLOCK), 1e-12, "block 2 is more recent");
    assertEquals(0, set.byteShare(BLOCK), 1e-12);
    assertEquals(0, set.readShare(2 * BLOCK), 1e-12);
  }

  @Test
  void writtenBlock_isCachedFromItsWriteOn_andGoneWhenDeleted() {
    WorkingSet set = new WorkingSet(ALL, 0);
    set.written(block(1), BLOCK, 0);
    set.written(block(2), BLOCK, 0);
    assertEquals(0, set.reads());
    assertEquals(2 * BLOCK, set.usedBytes(HOUR, 0));
    read(set, 1, 0);
    assertEquals(1, set.readShare(2 * BLOCK), 1e-12);
    set.deleted(block(2));
    assertEquals(BLOCK, set.usedBytes(HOUR, 0));
    set.deleted(block(1));
    read(set, 1, 0);
    assertEquals(0.5, set.readShare(Long.MAX_VALUE), 1e-12);
  }

  @Test
  void usedBytes_areThoseOfTheLastHours() {
    WorkingSet set = new WorkingSet(ALL, 5 * HOUR);
    for (int hour = 0; hour < 40; hour++) {
      read(set, hour, (5 + hour) * HOUR);
      read(set, 1000, (5 + hour) * HOUR);
    }
    long now = (5 + 39) * HOUR + 1;
    assertEquals(2 * BLOCK, set.usedBytes(HOUR - SECOND, now));
    assertEquals(25 * BLOCK, set.usedBytes(24 * HOUR - SECOND, now));
    assertEquals(41 * BLOCK, set.usedBytes(48 * HOUR - SECOND, now));
  }

  @Test
  void counts_ofADayAgo_haveHalfTheWeight() {
    WorkingSet set = new WorkingSet(ALL, 0);
    for (int i = 0; i < 8; i++) {
      read(set, 1, 0);
    }
    assertEquals(7.0 / 8, set.readShare(BLOCK), 1e-12);
    for (int id = 10; id < 14; id++) {
      read(set, id, 24 * HOUR);
    }
    assertEquals(8, set.reads(), 1e-9, "4 left and 4 new");
    assertEquals(3.5 / 8, set.readShare(BLOCK), 1e-9);
  }

  /** The sample learns for two days before it answers, and answers for two. */
  @Test
  void rotation_rereadsOfADayCount_thoseOfAWeekDoNot() {
    WorkingSet daily = new WorkingSet(ALL, 0);
    WorkingSet weekly = new WorkingSet(ALL, 0);
    for (int day = 0; day < 70; day++) {
      read(daily, 1, day * 24L * HOUR);
      if (day % 7 == 0) {
        read(weekly, 1, day * 24L * HOUR);
      }
    }
    // All but the first one, which has faded.
    assertEquals(1, daily.readShare(BLOCK), 1e-9);
    assertEquals(0, weekly.readShare(Long.MAX_VALUE), 1e-9);
  }

  @Test
  void rotation_shareStays_whileTheBlocksChange() {
    WorkingSet set = new WorkingSet(1000, 0);
    Random random = new Random(11);
    List<Double> shares = new ArrayList<>();
    for (int day = 0; day < 30; day++) {
      for (int hour = 0; hour < 24; hour++) {
        for (int id : skewed(random, 1000, 4000)) {
          // Each day has blocks of its own.
          read(set, day * 10_000L + id, (day * 24L + hour) * HOUR);
        }
      }
      assertTrue(set.sampledBlocks() <= 1000, "day=" + day);
      shares.add(set.readShare(2000 * BLOCK));
    }
    double first = shares.get(1);
    assertTrue(first > 0.5 && first < 1, "share=" + first);
    for (int day = 2; day < 30; day++) {
      assertEquals(first, shares.get(day), 3 * set.standardError(), "day=" + day);
    }
  }

  @Test
  void silence_forgetsAll_andTheRateRecovers() {
    WorkingSet set = new WorkingSet(1000, 0);
    for (int id = 0; id < 100_000; id++) {
      read(set, id, 0);
    }
    assertTrue(set.standardError() > 0);
    read(set, 1, 365 * 24 * HOUR);
    assertEquals(0, set.standardError());
    assertEquals(1, set.sampledBlocks());
    assertEquals(1, set.reads(), 1e-9);
    assertEquals(0, set.readShare(Long.MAX_VALUE), 1e-9);
  }

  @Test
  void noBlocks_isRefused() {
    assertEquals(
        "expected more than 0, found mostBlocks=0",
        assertThrows(IllegalArgumentException.class, () -> new WorkingSet(0, 0)).getMessage());
  }
}
