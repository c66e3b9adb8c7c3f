// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.POOL;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeFigure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks of 10,000 bytes; the SSD has room for 10 of them, and the policy is LRU. */
class AdvertiserTest {
  private static final Duration REVISION = Duration.ofNanos(Advertiser.REVISION_NANOS + 1);
  private static final Duration STABLE = Duration.ofNanos(Advertiser.STABLE_NANOS);

  private static HyCacheConfig.Builder advertise(int blocks) {
    return config().checksumShare(0.01).directives(true).pinsShare(0.5).advertiseBlocks(blocks);
  }

  private static EngineRig rig(HyCacheConfig.Builder config) throws Exception {
    EngineRig rig =
        new EngineRig(config.build(), Policies.create("lru"), new FakeDataNode(10 * BLOCK + 4_000))
            .start();
    LongStream.rangeClosed(1, 40).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  /** Reads whole blocks, whose copies the policy keeps on SSD from the first read on. */
  private static void read(EngineRig rig, int times, long... ids) throws Exception {
    for (long id : ids) {
      for (int i = 0; i < times; i++) {
        rig.read(id);
      }
    }
    rig.quiet();
  }

  private static Set<Long> listed(EngineRig rig) {
    return rig.engine.advertised().blocks(POOL).stream()
        .map(BlockKey::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** So many revisions. */
  private static void revise(EngineRig rig, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      rig.pass(REVISION);
    }
  }

  /** The NameNode asks to uncache what is listed. */
  private static void ask(EngineRig rig) throws Exception {
    rig.engine.unpin(rig.engine.advertised().blocks(POOL));
    rig.quiet();
  }

  @Test
  void hottestStableCopies_areListed_andNoMoreThanMayBe() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 2, 1);
      read(rig, 5, 2);
      read(rig, 4, 3);
      read(rig, 1, 4);
      revise(rig, 1);
      assertEquals(Set.of(), listed(rig), "not stable yet");
      rig.pass(STABLE);
      revise(rig, 4);
      assertEquals(Set.of(2L, 3L), listed(rig));
      assertEquals(2, rig.status().figure(NodeFigure.ADVERTISED_BLOCKS));
      assertEquals(Reason.ADVERTISED, rig.locate(2).reason);
      assertEquals(Reason.ON_SSD_CLEAN, rig.locate(1).reason);
      assertEquals(2, rig.count(Counter.ADVERTISED));
      assertEquals(0, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void none_withoutDirectives_orWithZero_andWhenSwitchedOff() throws Exception {
    for (HyCacheConfig.Builder none :
        List.of(
            advertise(2).directives(false),
            advertise(0),
            advertise(2).mode(HyCacheConfig.Mode.OBSERVE))) {
      try (EngineRig rig = rig(none)) {
        read(rig, 5, 1, 2);
        rig.pass(STABLE);
        revise(rig, 2);
        assertEquals(Set.of(), listed(rig));
      }
    }
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(1L, 2L), listed(rig));
      rig.engine.reconfigure(advertise(0).build());
      revise(rig, 1);
      assertEquals(Set.of(), listed(rig));
    }
  }

  @Test
  void list_doesNotFlap_andChangesByATenthARevision() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      assertEquals(1, listed(rig).size(), "one at a time");
      revise(rig, 1);
      assertEquals(2, listed(rig).size());
      read(rig, 6, 3, 4);
      rig.pass(STABLE);
      revise(rig, 4);
      assertEquals(Set.of(1L, 2L), listed(rig), "not twice as hot");
      read(rig, 8, 3, 4);
      revise(rig, 3);
      assertEquals(Set.of(3L, 4L), listed(rig));
      assertEquals(2, rig.count(Counter.ADVERTISED_WITHDRAWN));
    }
  }

  @Test
  void evicted_appended_deleted_pinned_leaveTheListAtOnce() throws Exception {
    try (EngineRig rig = rig(advertise(20))) {
      read(rig, 3, 1, 2, 3, 4);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(1L, 2L, 3L, 4L), listed(rig));
      rig.gone(1);
      rig.quiet();
      assertEquals(Set.of(2L, 3L, 4L), listed(rig));
      rig.engine.pin(List.of(key(2)));
      rig.quiet();
      assertEquals(Set.of(3L, 4L), listed(rig));
      assertTrue(rig.engine.pinned().contains(key(2)));
      rig.put(new Replica(key(3), 2, BLOCK + 1), Home.DISK); // appended
      rig.quiet();
      assertEquals(Set.of(4L), listed(rig));
      for (long id = 11; id <= 30; id++) {
        rig.read(id);
      }
      rig.quiet();
      assertFalse(rig.locate(4).cleanData, "evicted");
      assertEquals(Set.of(), listed(rig));
    }
  }

  @Test
  void askedToUncache_staysWhileItIsRead_andLeavesSomeTimeAfterItsLastRead() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      revise(rig, 3);
      for (int i = 0; i < 12; i++) {
        rig.pass(Duration.ofMinutes(1));
        ask(rig);
        read(rig, 1, 1);
      }
      assertEquals(Set.of(1L), listed(rig), "2 was not read for longer than ten minutes");
      assertTrue(rig.count(Counter.ADVERTISED_ASKED) >= 12);
      assertEquals(0, rig.count(Counter.UNPINS_FAILED));
    }
  }

  @Test
  void askedToUncache_pausesForTwoMinutesOfEachHalfHour_becauseADirectiveMayCountOnIt()
      throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(1L, 2L), listed(rig));
      // When the pauses of each block began. A tick is half a minute.
      List<List<Integer>> pauses = List.of(new ArrayList<>(), new ArrayList<>());
      int[] away = new int[2];
      for (int tick = 0; tick < 200; tick++) {
        rig.node.wallMillis = 30_000L * tick;
        rig.pass(Duration.ofSeconds(30));
        ask(rig);
        read(rig, 1, 1, 2);
        Set<Long> now = listed(rig);
        for (int i = 0; i < 2; i++) {
          boolean listed = now.contains(i + 1L);
          if (!listed && away[i]++ == 0) {
            pauses.get(i).add(tick);
          } else if (listed && away[i] > 0) {
            assertTrue(away[i] >= 3 && away[i] <= 6, "ticks of a pause: " + away[i]);
            away[i] = 0;
          }
        }
      }
      for (List<Integer> begun : pauses) {
        assertTrue(begun.size() >= 3, pauses.toString());
        for (int i = 1; i < begun.size(); i++) {
          int apart = begun.get(i) - begun.get(i - 1);
          assertTrue(apart >= 59 && apart <= 61, pauses.toString());
        }
      }
      assertEquals(0, rig.count(Counter.UNPINS_FAILED));
      assertEquals(2, rig.count(Counter.ADVERTISED), "a return after a pause does not count");
      assertEquals(0, rig.count(Counter.ADVERTISED_WITHDRAWN));
    }
  }

  @Test
  void pausing_keepsItsPlace_soThatNoColderBlockTakesIt() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      revise(rig, 3);
      int pausing = 0;
      for (int minute = 0; minute < 45; minute++) {
        rig.node.wallMillis = 60_000L * minute;
        rig.pass(Duration.ofMinutes(1));
        ask(rig);
        read(rig, 3, 1, 2);
        read(rig, 2, 3, 4);
        assertTrue(Set.of(1L, 2L).containsAll(listed(rig)), listed(rig) + " at minute " + minute);
        pausing += 2 - listed(rig).size();
      }
      assertTrue(pausing > 0 && pausing <= 2 * 2 * 3, "minutes of pauses: " + pausing);
    }
  }

  @Test
  void pauses_areSpreadOverTheBlocks() {
    long pauses = Advertiser.PAUSE_PERIOD_NANOS / Advertiser.PAUSE_NANOS;
    for (long i = 0; i < pauses; i++) {
      long time = Duration.ofDays(20_000).toNanos() + i * Advertiser.PAUSE_NANOS;
      long pausing =
          LongStream.range(1_073_741_825L, 1_073_741_825L + 1000 * pauses)
              .filter(id -> Advertiser.pauses(key(id), time))
              .count();
      assertTrue(pausing > 900 && pausing < 1100, "of " + 1000 * pauses + ": " + pausing);
    }
  }

  @Test
  void notAskedToUncache_isWithdrawn_becauseADirectiveCountsOnIt() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(1L), listed(rig));
      rig.pass(Duration.ofNanos(Advertiser.UNASKED_NANOS + 1));
      revise(rig, 1);
      assertEquals(Set.of(), listed(rig));
      read(rig, 5, 1);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(), listed(rig), "it rests");
    }
  }

  @Test
  void released_isNotListedForATime() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      rig.engine.pin(List.of(key(1)));
      rig.quiet();
      read(rig, 5, 1);
      rig.engine.unpin(List.of(key(1)));
      rig.quiet();
      read(rig, 5, 1);
      rig.pass(STABLE);
      revise(rig, 3);
      assertEquals(Set.of(), listed(rig));
      read(rig, 5, 1);
      rig.pass(Duration.ofNanos(Advertiser.REST_NANOS - Advertiser.STABLE_NANOS));
      read(rig, 1, 1);
      revise(rig, 3);
      assertEquals(Set.of(1L), listed(rig));
      rig.engine.unpin(List.of(key(9)));
      rig.quiet();
      assertEquals(1, rig.count(Counter.UNPINS_FAILED), "never pinned and not advertised");
    }
  }

  @Test
  void released_isNotListedForATime_alsoIfOthersAreHotter_orItsCopyIsMadeAnew() throws Exception {
    try (EngineRig rig = rig(advertise(1))) {
      rig.engine.pin(List.of(key(1), key(2)));
      rig.quiet();
      read(rig, 5, 3, 4);
      rig.engine.unpin(List.of(key(1), key(2)));
      rig.quiet();
      rig.gone(2);
      rig.disk(2);
      read(rig, 5, 5, 6);
      revise(rig, 2);
      for (long id = 3; id <= 6; id++) {
        rig.gone(id);
      }
      read(rig, 2, 1, 2);
      rig.pass(STABLE);
      read(rig, 2, 1, 2);
      revise(rig, 3);
      assertTrue(rig.locate(1).cleanData && rig.locate(2).cleanData);
      assertEquals(Set.of(), listed(rig));
      rig.pass(Duration.ofNanos(Advertiser.REST_NANOS - Advertiser.STABLE_NANOS));
      read(rig, 2, 1, 2);
      revise(rig, 3);
      assertEquals(1, listed(rig).size());
    }
  }

  @Test
  void stepAside_clearsTheList() throws Exception {
    try (EngineRig rig = rig(advertise(2))) {
      read(rig, 5, 1, 2);
      rig.pass(STABLE);
      revise(rig, 3);
      rig.engine.stepAside();
      rig.quiet();
      assertEquals(Set.of(), listed(rig));
    }
  }
}
