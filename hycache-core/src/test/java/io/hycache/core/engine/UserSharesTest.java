// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableList;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserSharesTest {
  private static final long NOW = 1_000_000;

  private final UserShares shares = new UserShares(Map.of());

  /** Sizes of the blocks that may be victims. */
  private final BlockTable table = new BlockTable();

  private static BlockKey key(long id) {
    return new BlockKey("BP-1", id);
  }

  private BlockEntry entry(long id, long bytes) {
    return table.put(new Replica(key(id), 1, bytes), Home.DISK, null);
  }

  /** Blocks of one byte that are used one after the other, beginning at a time. */
  private void hold(String user, long nextUse, long... ids) {
    long at = nextUse;
    for (long id : ids) {
      shares.brings(key(id), user, 1, at == UserShares.NEVER ? at : at++);
      shares.arrived(key(id), 1);
    }
  }

  /** Asks for one byte for a user, on a tier that is full with so many bytes. */
  private UserShares.Claim ask(@Nullable String user, long taken) {
    return shares.claim(user, 1, 1, taken, NOW);
  }

  private boolean allows(UserShares.Claim claim, long... ids) {
    return claim.allows(
        Arrays.stream(ids).mapToObj(id -> entry(id, 1)).collect(Collectors.toList()));
  }

  private static List<Long> ids(Iterable<BlockKey> blocks) {
    List<Long> ids = new ArrayList<>();
    blocks.forEach(block -> ids.add(block.id()));
    return ids;
  }

  @Test
  void claim_userAlone_mayTakeAllThatIsNotInUse() {
    hold("alice", NOW, 1, 2, 3, 4, 5, 6, 7, 8);
    UserShares.Claim claim = ask("alice", 10);

    assertTrue(allows(claim, 101));
    assertTrue(allows(claim, 1), "its own, by the policy's choice");
    assertEquals(List.of(), ids(claim.rivals()));
  }

  @Test
  void claim_residentsInUseOfNobody_areAGroupOfWeightOne() {
    hold("alice", NOW, 1, 2, 3);
    shares.read(key(101), NOW - UserShares.IN_USE_NANOS);
    assertTrue(allows(ask("alice", 8), 101), "5 bytes without hints: 4 to 4 after it");
    assertFalse(allows(ask("alice", 7), 101), "4 bytes without hints");
    assertTrue(allows(ask("alice", 7), 102), "not in use");
    UserShares.Claim later = shares.claim("alice", 1, 1, 7, NOW + 1);
    assertTrue(allows(later, 101), "not in use any more");
  }

  @Test
  void read_asHinted_isNotInUse_norIsTheEndOfThatRead() {
    shares.read(key(101), NOW);
    assertFalse(allows(ask("alice", 1), 101));
    shares.readAsHinted(key(101));
    assertTrue(allows(ask("alice", 1), 101));
    shares.read(key(101), NOW);
    assertTrue(allows(ask("alice", 1), 101), "the last eighth of it");
    shares.read(key(101), NOW);
    assertFalse(allows(ask("alice", 1), 101), "another user");
  }

  @Test
  void read_ofACopyWithoutReferences_passesItToNoUser() {
    hold("alice", NOW, 1);
    shares.read(key(1), NOW);
    assertEquals(1, shares.heldBytes("alice"), "her hints have a reference left");
    shares.nextUse(key(1), UserShares.NEVER);
    shares.readAsHinted(key(1));
    assertTrue(allows(ask("bob", 1), 1));
    shares.read(key(1), NOW);
    assertEquals(1, shares.heldBytes("alice"), "the last eighth of it");
    assertTrue(allows(ask("bob", 1), 1));
    shares.read(key(1), NOW);
    assertEquals(0, shares.heldBytes("alice"));
    assertFalse(allows(ask("bob", 1), 1), "in use");
    shares.nextUse(key(1), NOW);
    assertEquals(0, shares.heldBytes("alice"), "hinted again, but not brought");
  }

  @Test
  void claim_belowTheOtherUser_takesThoseUsedLast() {
    hold("mallory", NOW, 1, 2, 3, 4);
    hold("alice", NOW, 11, 12);
    UserShares.Claim claim = ask("alice", 6);

    assertEquals(List.of(4L, 3L, 2L, 1L), ids(claim.rivals()));
    assertTrue(claim.rivalMayLose(1));
    assertFalse(claim.rivalMayLose(2), "mallory would be below alice");
    assertTrue(allows(claim, 1), "mallory is the highest");
    assertFalse(allows(claim, 11), "not her own while mallory has more");
    assertFalse(allows(claim, 1, 11));
  }

  @Test
  void claim_atTheLevelOfTheOthers_takesNothingThatIsClaimed() {
    hold("mallory", NOW, 1, 2, 3);
    hold("alice", NOW, 11, 12, 13);
    hold("alice", UserShares.NEVER, 14);
    UserShares.Claim claim = ask("mallory", 7);

    assertEquals(List.of(), ids(claim.rivals()), "after it alice would have less");
    assertFalse(allows(claim, 11));
    assertTrue(allows(claim, 14), "alice does not need it any more");
    assertTrue(allows(claim, 1));
  }

  @Test
  void claim_byWeight_levelsAreWhatAUnitOfWeightHolds() {
    shares.reconfigure(Map.of("alice", 2.0));
    hold("mallory", NOW, 1, 2, 3);
    hold("alice", NOW, 11, 12, 13);
    assertEquals(List.of(3L, 2L, 1L), ids(ask("alice", 6).rivals()), "4 of weight 2 to 2");
    assertEquals(List.of(), ids(ask("mallory", 6).rivals()));
    shares.reconfigure(Map.of());
    assertEquals(List.of(), ids(ask("alice", 6).rivals()));
  }

  @Test
  void claim_readWithoutHints_isNeverRefused_butHasARival() {
    hold("mallory", NOW, 1, 2, 3, 4);
    hold("alice", NOW, 11);
    shares.read(key(101), NOW);
    UserShares.Claim below = ask(null, 6);
    assertEquals(List.of(4L, 3L, 2L, 1L), ids(below.rivals()));
    assertFalse(allows(below, 11), "mallory's first");
    assertFalse(allows(below, 101), "mallory's first");
    assertTrue(allows(below, 1));

    UserShares.Claim above = ask(null, 50);
    assertEquals(List.of(), ids(above.rivals()));
    assertTrue(allows(above, 1, 11, 101));
  }

  @Test
  void ownUsedAfter_areThoseForWhichAnExchangePays() {
    hold("alice", 100, 1, 2, 3);
    hold("alice", UserShares.NEVER, 4);

    assertEquals(List.of(4L, 3L), ids(ask("alice", 4).ownUsedAfter(101)));
    shares.nextUse(key(1), 500);
    assertEquals(List.of(4L, 1L, 3L), ids(ask("alice", 4).ownUsedAfter(101)));
    assertEquals(List.of(), ids(ask("bob", 4).ownUsedAfter(0)));
  }

  @Test
  void lowest_isTheUserWithTheLowestLevel() {
    hold("mallory", NOW, 1, 2);
    hold("alice", NOW, 11);

    assertEquals("alice", shares.lowest(List.of("mallory", "alice")));
    assertEquals("bob", shares.lowest(List.of("mallory", "alice", "bob")));
    assertNull(shares.lowest(List.of()));
  }

  @Test
  void insteadOf_aWritesVictim_areThoseOfTheUserWhoHoldsMore() {
    hold("mallory", NOW, 1, 2, 3);
    hold("alice", NOW, 11, 12);
    hold("alice", UserShares.NEVER, 13);
    assertEquals(List.of(), ids(shares.insteadOf(key(11))), "both hold as much");
    shares.forget(key(13));
    assertEquals(List.of(3L, 2L, 1L), ids(shares.insteadOf(key(11))));
    assertEquals(List.of(), ids(shares.insteadOf(key(1))));
    assertEquals(List.of(), ids(shares.insteadOf(key(101))), "without hints");
    shares.nextUse(key(11), UserShares.NEVER);
    assertEquals(List.of(), ids(shares.insteadOf(key(11))), "no reference left");
  }

  @Test
  void comingLeavingAndForgotten_countAsLongAsTheyTakeRoom() {
    shares.brings(key(1), "alice", 5, NOW);
    assertEquals(5, shares.heldBytes("alice"));
    shares.arrived(key(1), 7);
    assertEquals(7, shares.heldBytes("alice"));
    shares.leaves(key(1));
    shares.leaves(key(1));
    assertEquals(0, shares.heldBytes("alice"));
    assertFalse(shares.any());
    shares.arrived(key(1), 7);
    assertEquals(7, shares.heldBytes("alice"), "it was kept, and is hers as before");
    shares.brings(key(1), null, 7, NOW);
    assertEquals(0, shares.heldBytes("alice"));
    shares.arrived(key(1), 7);
    assertFalse(shares.any(), "a read brought it");
    shares.brings(key(2), "alice", 3, NOW);
    shares.recount(block -> false);
    assertFalse(shares.any());
  }

  /**
   * All users ask in turn for one more block, on a tier of 120 blocks: shares by weight; what one
   * user does not want goes to the others.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void asking_inAnyOrder_endsWithSharesByWeight(long seed) {
    Random random = new Random(seed);
    UserShares byWeight = new UserShares(Map.of("b", 2.0, "c", 0.5));
    Map<String, Integer> wanted = Map.of("a", 1000, "b", 1000, "c", 1000, "d", 15);
    List<String> users = List.of("a", "b", "c", "d");
    long next = 0;
    long taken = 0;
    for (int turn = 0; turn < 4000; turn++) {
      String user = users.get(random.nextInt(users.size()));
      if (byWeight.heldBytes(user) >= wanted.getOrDefault(user, 0)) {
        continue;
      }
      if (taken == 120) {
        UserShares.Claim claim = byWeight.claim(user, 1, 1, taken, NOW);
        List<BlockKey> rivals = ImmutableList.copyOf(claim.rivals());
        if (rivals.isEmpty()) {
          continue;
        }
        byWeight.forget(rivals.get(0));
        taken--;
      }
      byWeight.brings(key(next), user, 1, NOW + random.nextInt(100));
      byWeight.arrived(key(next++), 1);
      taken++;
    }
    String held =
        users.stream().map(u -> u + byWeight.heldBytes(u)).collect(Collectors.joining(" "));
    assertEquals("a30 b60 c15 d15", held, "seed=" + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomEvents_sameAnswersAsTheModel(long seed) {
    Random random = new Random(seed);
    UserSharesModel model = new UserSharesModel();
    List<String> users = List.of("a", "b", "c", "d");
    long now = NOW;
    for (int event = 0; event < 6000; event++) {
      String where = "seed=" + seed + " event=" + event;
      BlockKey block = key(random.nextInt(24));
      String user = random.nextInt(5) == 0 ? null : users.get(random.nextInt(4));
      long bytes = 1L + random.nextInt(9);
      long nextUse = random.nextInt(3) == 0 ? UserShares.NEVER : now + random.nextInt(50);
      switch (random.nextInt(12)) {
        case 0:
        case 1:
          shares.brings(block, user, bytes, nextUse);
          model.brings(block, user, bytes, nextUse);
          break;
        case 2:
        case 3:
        case 4:
          shares.arrived(block, bytes);
          model.arrived(block, bytes);
          break;
        case 5:
          shares.leaves(block);
          model.leaves(block);
          break;
        case 6:
          shares.forget(block);
          model.forget(block);
          break;
        case 7:
        case 8:
          shares.nextUse(block, nextUse);
          model.nextUse(block, nextUse);
          break;
        case 9:
          now += random.nextInt(2) * UserShares.IN_USE_NANOS / 3;
          if (random.nextInt(4) == 0) {
            shares.readAsHinted(block);
            model.readAsHinted(block);
          } else {
            shares.read(block, now);
            model.read(block, now);
          }
          break;
        case 10:
          Map<String, Double> weights = Map.of("a", 1.0 + random.nextInt(3), "b", 0.5);
          shares.reconfigure(weights);
          model.weights = weights;
          break;
        default:
          shares.recount(known -> true);
      }
      long taken = random.nextInt(120);
      long missing = 1L + random.nextInt((int) bytes);
      compare(model, user, bytes, missing, taken, now, random, where);
    }
  }

  private void compare(
      UserSharesModel model,
      @Nullable String user,
      long bytes,
      long missing,
      long taken,
      long now,
      Random random,
      String where) {
    UserShares.Claim claim = shares.claim(user, bytes, missing, taken, now);
    String rival = model.rival(user, bytes, missing, taken);
    assertEquals(
        rival == null ? List.of() : model.order(rival),
        ImmutableList.copyOf(claim.rivals()),
        where);
    if (user != null) {
      assertEquals(model.held(user, taken), shares.heldBytes(user), where);
      long at = now + random.nextInt(50);
      assertEquals(model.usedAfter(user, at), ImmutableList.copyOf(claim.ownUsedAfter(at)), where);
    }
    Map<BlockKey, Long> victims = new HashMap<>();
    List<BlockEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      BlockKey victim = key(random.nextInt(24));
      long size = 1L + random.nextInt(9);
      if (victims.putIfAbsent(victim, size) == null) {
        entries.add(entry(victim.id(), size));
      }
    }
    assertEquals(
        model.allows(user, bytes, missing, taken, victims, now), claim.allows(entries), where);
    BlockKey victim = key(random.nextInt(24));
    assertEquals(model.insteadOf(victim), ImmutableList.copyOf(shares.insteadOf(victim)), where);
  }
}
