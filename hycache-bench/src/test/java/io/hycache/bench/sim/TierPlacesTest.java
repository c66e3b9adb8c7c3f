// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TierPlacesTest {
  private static Trace trace(String... objects) {
    Trace.Builder trace = new Trace.Builder("t");
    for (String object : objects) {
      trace.add(object, 10, false, 10, null);
    }
    return trace.build();
  }

  private static Simulation.Result run(String policy, Trace trace, Long... tiers) {
    return new Simulation(trace, DiskTime.DEFAULT, 1)
        .tiers(List.of(tiers))
        .run(policy, Arrays.stream(tiers).mapToLong(Long::longValue).sum(), at -> {});
  }

  private static TierPlaces tiersOf(Simulation.Result result) {
    TierPlaces tiers = result.tiers;
    assertNotNull(tiers);
    return tiers;
  }

  @Test
  void lru_objectsFillTheFastestTierFirst_andTakeTheRoomOfVictims() {
    // a and b are on the first tier, c on the second; d takes the room of a, the victim.
    Simulation.Result result =
        run("lru", trace("a", "b", "c", "b", "c", "d", "d", "d", "b"), 20L, 10L);
    assertArrayEquals(new long[] {40, 10}, tiersOf(result).hitBytes());
    assertEquals(50, result.totals.hitBytes);
    assertEquals(40 / 4.0 + 10 / 2.0, tiersOf(result).seconds(new double[] {4, 2}));
  }

  @Test
  void oneTier_isNotTracked() {
    assertNull(run("lru", trace("a", "a"), 30L).tiers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "adaptive", "heuristic", "belady"})
  void tiers_changeNothingOfWhatIsHitAtAll_andTheirBytesAddUp(String policy) {
    Random random = new Random(7);
    String[] objects = new String[3_000];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = "o" + (int) (80 * Math.pow(random.nextDouble(), 2));
    }
    Simulation.Result one = run(policy, trace(objects), 300L);
    Simulation.Result two = run(policy, trace(objects), 100L, 200L);
    assertEquals(one.totals.hitBytes, two.totals.hitBytes);
    assertEquals(one.totals.ssdWrittenBytes, two.totals.ssdWrittenBytes);
    long[] hits = tiersOf(two).hitBytes();
    assertEquals(two.totals.hitBytes, hits[0] + hits[1]);
    assertTrue(hits[0] > 0 && hits[1] > 0, Arrays.toString(hits));
  }

  @Test
  void sumsThatAreSplitInTwoWays_areRefused() {
    Simulation simulation = new Simulation(trace("a"), DiskTime.DEFAULT, 1).tiers(List.of(1L, 2L));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> simulation.tiers(List.of(2L, 1L)));
    assertTrue(String.valueOf(e.getMessage()).startsWith("--capacity: expected"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", "5%+", "+20%", "5%++20%"})
  void parse_emptyPart_isRefused(String text) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> TierPlaces.parse("--capacity", text, 100));
    assertEquals(
        "--capacity: expected a size on each side of +, such as 5%+20%, found " + text,
        e.getMessage());
  }

  @Test
  void rates_ofZero_areRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> TierPlaces.rates("--tier-bw", "500MB/s,0MB/s", 2));
    assertEquals(
        "--tier-bw: expected more than 0 bytes/s for each tier, found 500MB/s,0MB/s",
        e.getMessage());
  }

  @Test
  void rates_notOneForEachTier_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> TierPlaces.rates("--tier-bw", "500MB/s", 2));
    assertArrayEquals(
        new double[] {5e8, 1.1e8}, TierPlaces.rates("--tier-bw", "500MB/s,110MB/s", 2));
  }
}
