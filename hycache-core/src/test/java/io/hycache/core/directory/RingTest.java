// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {
  private static List<Member> members(int count) {
    List<Member> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add(FakeNetwork.member("node-" + i));
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource({
    "1,1", "1,3", "2,1", "2,2", "2,3", "3,1", "3,2", "3,3", "5,1", "5,2", "5,3", "16,1", "16,2",
    "16,3", "100,1", "100,2", "100,3", "1000,1", "1000,2", "1000,3"
  })
  void placement_anyMembers_isDistinctAndBounded(int count, int replicas) {
    List<Member> members = members(count);
    Ring ring = new Ring(members, replicas);
    assertEquals(Math.min(count, replicas), ring.replicas());
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      List<Member> owners = ring.owners(shard);
      assertEquals(ring.replicas(), new HashSet<>(owners).size(), "shard " + shard);
      assertEquals(owners.size() - 1, ring.roleOf(shard, owners.get(owners.size() - 1)));
    }
    for (int role = 0; role < ring.replicas(); role++) {
      int placed = 0;
      for (Member member : members) {
        int load = ring.shards(member, role).cardinality();
        String where = member + " has " + load + " of " + Ring.SHARDS + " in role " + role;
        assertTrue(load <= Ring.MAX_LOAD_FACTOR * Ring.SHARDS / count + 1, where);
        placed += load;
      }
      assertEquals(Ring.SHARDS, placed);
    }
  }

  @Test
  void placement_anyOrderOfMembers_isTheSame() {
    List<Member> members = members(20);
    Ring ring = new Ring(members, 3);
    Collections.shuffle(members, new Random(7));
    Ring other = new Ring(members, 3);
    assertEquals(ring.members(), other.members());
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      assertEquals(ring.owners(shard), other.owners(shard));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 16, 100})
  void oneLeaves_movesABoundedShare(int count) {
    List<Member> members = members(count);
    Ring before = new Ring(members, 2);
    for (Member leaving : List.of(members.get(0), members.get(count - 1))) {
      List<Member> rest = new ArrayList<>(members);
      rest.remove(leaving);
      Ring after = new Ring(rest, 2);
      int moved = 0;
      for (int shard = 0; shard < Ring.SHARDS; shard++) {
        moved += before.owner(shard, 0).equals(after.owner(shard, 0)) ? 0 : 1;
      }
      assertTrue(moved < 3.0 * Ring.SHARDS / count, moved + " of " + Ring.SHARDS + " moved");
    }
  }

  @Test
  void shardOf_sameTag_isTheSame() {
    assertEquals(Ring.shardOf("block{7}data"), Ring.shardOf("{7}"));
    assertEquals(Ring.shardOf("7"), Ring.shardOf("{7}"));
    assertNotEquals(Ring.shardOf("block{7}"), Ring.shardOf("block{8}"));
    assertNotEquals(Ring.shardOf("a{7"), Ring.shardOf("b{7"));
    assertEquals("7", Ring.tag("}a{7}{8}"));
    assertNull(Ring.tag("}a{"));
  }

  @Test
  void empty_hasNoOwners() {
    Ring ring = new Ring(List.of(), 2);
    assertEquals(0, ring.replicas());
    assertEquals(List.of(), ring.owners(0));
    assertEquals(0, ring.shards(FakeNetwork.member("a"), 0).cardinality());
    assertNull(ring.member("a"));
    assertThrows(IllegalArgumentException.class, () -> new Ring(List.of(), 0));
    assertThrows(IllegalArgumentException.class, () -> new Ring(List.of(), 9));
  }
}
