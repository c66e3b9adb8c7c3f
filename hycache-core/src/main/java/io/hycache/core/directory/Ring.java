// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Keys are hashed to a fixed number of shards, shards are placed on members by consistent hashing
 * with bounded loads (Mirrokni, Thorup, Zadimoghaddam: Consistent Hashing with Bounded Loads, SODA
 * 2018, section 2): members have points on a circle; a shard goes to the first member clockwise from
 * its own point that has less than ceil((1 + e) * average) shards; the other replicas follow from
 * there, each role with a bound of its own. e = 1/4: no member has more than 1.25 times the average
 * (and one more), and a member that joins or leaves moves an expected O(1/e^2) shards for each of its
 * own. The members determine the placement: nothing else is agreed upon.
 *
 * What the paper leaves open: points are 64-bit Murmur3 of the member's id and a number, 64 for
 * each member; shards are placed in the order of their numbers.
 *
 * Cost: building O((64 m + shards * k) log); a look-up of an owner is one hash of the key and one
 * array access. Memory: 4 k bytes for each shard, shared by all who use the same ring.
 */
/** The placement of shards on one set of members, the same on every node. Immutable. */
public final class Ring {
  /** Number of shards. Fixed, because all keys would move with it. */
  public static final int SHARDS = 1 << 14;

  /** No member has more shards than this times the average, plus one. */
  public static final double MAX_LOAD_FACTOR = 1.25;

  /** Most copies of a record. */
  public static final int MAX_REPLICAS = 8;

  private static final int POINTS_PER_MEMBER = 64;
  private static final HashFunction HASH = Hashing.murmur3_128();

  private final List<Member> members;
  private final int replicas;
  private final int[][] owners;

  /**
   * @param replicas copies of each record, 1 to {@link #MAX_REPLICAS}; fewer if there are fewer
   *     members
   */
  public Ring(Collection<Member> members, int replicas) {
    if (replicas < 1 || replicas > MAX_REPLICAS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_REPLICAS + " replicas, found " + replicas);
    }
    this.members = List.copyOf(new TreeSet<>(members));
    this.replicas = Math.min(replicas, this.members.size());
    this.owners = new int[this.replicas][SHARDS];
    if (this.replicas > 0) {
      place();
    }
  }

  private void place() {
    int count = members.size();
    long[][] points = new long[count * POINTS_PER_MEMBER][];
    for (int member = 0; member < count; member++) {
      for (int number = 0; number < POINTS_PER_MEMBER; number++) {
        points[member * POINTS_PER_MEMBER + number] =
            new long[] {pointOf(members.get(member).id(), number), member};
      }
    }
    Arrays.sort(
        points, (a, b) -> a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]));
    long[] at = Arrays.stream(points).mapToLong(p -> p[0]).toArray();
    int most = (int) Math.ceil(MAX_LOAD_FACTOR * SHARDS / count);
    int[][] loads = new int[replicas][count];
    for (int shard = 0; shard < SHARDS; shard++) {
      int found = Arrays.binarySearch(at, HASH.hashLong(shard).asLong());
      int from = found >= 0 ? found : -found - 1;
      for (int role = 0; role < replicas; role++) {
        int member = firstWithRoom(points, from, shard, role, loads[role], most);
        owners[role][shard] = member;
        loads[role][member]++;
      }
    }
  }

  private int firstWithRoom(long[][] points, int from, int shard, int role, int[] loads, int most) {
    int fallback = -1;
    for (int step = 0; step < points.length; step++) {
      int member = (int) points[(from + step) % points.length][1];
      if (has(shard, role, member)) {
        continue;
      }
      if (loads[member] < most) {
        return member;
      }
      fallback = fallback < 0 ? member : fallback;
    }
    // Those with room hold the shard in an earlier role.
    return fallback;
  }

  private boolean has(int shard, int roles, int member) {
    for (int role = 0; role < roles; role++) {
      if (owners[role][shard] == member) {
        return true;
      }
    }
    return false;
  }

  private static long pointOf(String id, int number) {
    return HASH.newHasher().putString(id, StandardCharsets.UTF_8).putInt(number).hash().asLong();
  }

  /** In the order of their ids. */
  public List<Member> members() {
    return members;
  }

  /** The member with this id, or null. */
  public @Nullable Member member(String id) {
    for (Member member : members) {
      if (member.id().equals(id)) {
        return member;
      }
    }
    return null;
  }

  /** Copies of each record; 0 if there is no member. */
  public int replicas() {
    return replicas;
  }

  /**
   * The shard of a key: of the part between its first { and the next } if it has one, so that keys
   * with the same part have the same owners; else of the whole key.
   */
  public static int shardOf(String key) {
    String part = tag(key);
    return (int)
        (HASH.hashString(part == null ? key : part, StandardCharsets.UTF_8).asLong()
            & (SHARDS - 1));
  }

  /** The part in braces; null if there is none. */
  static @Nullable String tag(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open);
    return close < 0 ? null : key.substring(open + 1, close);
  }

  /**
   * The member that has a shard in a role.
   *
   * @param role 0 for the primary, which takes writes; up to {@link #replicas} - 1
   */
  public Member owner(int shard, int role) {
    return members.get(owners[role][shard]);
  }

  /** The role in which a member has a shard; -1 if it has none. */
  public int roleOf(int shard, Member member) {
    for (int role = 0; role < replicas; role++) {
      if (owner(shard, role).equals(member)) {
        return role;
      }
    }
    return -1;
  }

  /** The owners of a shard, the primary first. */
  public List<Member> owners(int shard) {
    List<Member> out = new ArrayList<>(replicas);
    for (int role = 0; role < replicas; role++) {
      out.add(owner(shard, role));
    }
    return out;
  }

  /** The shards that a member has in a role. */
  public BitSet shards(Member member, int role) {
    BitSet out = new BitSet(SHARDS);
    int number = members.indexOf(member);
    for (int shard = 0; number >= 0 && role < replicas && shard < SHARDS; shard++) {
      if (owners[role][shard] == number) {
        out.set(shard);
      }
    }
    return out;
  }

  @Override
  public String toString() {
    return "Ring members=" + members.size() + " replicas=" + replicas;
  }
}
