// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The copies on the fast tier that hints brought, by user, and the users by level: bytes held by
 * weight. O(log n) a change; O(n log n) when the weights change. Owned by the planner's thread.
 */
final class HintedCopies {
  /** Weight of a user without a configured one, and of the group without hints. */
  static final double DEFAULT_WEIGHT = 1;

  private static final BlockKey NO_BLOCK = new BlockKey("", 0);

  private enum State {
    /** On its way to the tier: it counts, and can't leave. */
    ARRIVING,
    HERE,
    /** It makes way, or its device is not usable: it does not count, but may return. */
    AWAY
  }

  /** A block that a user's hints brought. */
  static final class Copy {
    final BlockKey block;
    final String user;

    /** Orders copies of equal next use; each value is used once. */
    private final long number;

    private State state = State.ARRIVING;
    private long bytes;
    private long nextUse;

    private Copy(BlockKey block, String user, long number, long bytes, long nextUse) {
      this.block = block;
      this.user = user;
      this.number = number;
      this.bytes = bytes;
      this.nextUse = nextUse;
    }

    long bytes() {
      return bytes;
    }

    /** True if a reference is left, by the last change of the block's references. */
    boolean isReferenced() {
      return nextUse != UserShares.NEVER;
    }

    /** True unless the copy makes way or its device is not usable. */
    boolean isCounted() {
      return state != State.AWAY;
    }

    private static int latestUseFirst(Copy a, Copy b) {
      int byUse = Long.compare(b.nextUse, a.nextUse);
      return byUse != 0 ? byUse : Long.compare(a.number, b.number);
    }
  }

  /** The copies of one user, or what is held without hints. */
  static final class Group {
    final String user;
    private final double weight;

    /** Changed only while the group is not in the tree of groups. */
    private long heldBytes;

    /** Copies that are counted. */
    private int held;

    /** Copies that are here. */
    private final TreeSet<Copy> copies = new TreeSet<>(Copy::latestUseFirst);

    private Group(String user, double weight) {
      this.user = user;
      this.weight = weight;
    }

    /** The group of all that is held without hints, which is in no tree. */
    static Group withoutHints(long heldBytes) {
      Group group = new Group("", DEFAULT_WEIGHT);
      group.heldBytes = heldBytes;
      return group;
    }

    long heldBytes() {
      return heldBytes;
    }

    /** Bytes held by each unit of weight, if the group held so many more. */
    double level(long moreBytes) {
      return (double) (heldBytes + moreBytes) / weight;
    }

    /** Blocks of the copies that are here, the one with the latest next use first. */
    Iterable<BlockKey> latestUseFirst() {
      return blocks(copies);
    }

    /** As {@link #latestUseFirst}, but only those whose next use is after a time. */
    Iterable<BlockKey> usedAfter(long nanos) {
      return blocks(copies.headSet(new Copy(NO_BLOCK, "", -1, 0, nanos)));
    }
  }

  private Map<String, Double> weights;
  private final Map<BlockKey, Copy> copies = new HashMap<>();
  private final Map<String, Group> groups = new HashMap<>();
  private final TreeSet<Group> byLevel =
      new TreeSet<>(
          Comparator.<Group>comparingDouble(group -> -group.level(0))
              .thenComparing(group -> group.user));

  private long heldBytes;
  private long nextNumber;

  /**
   * @param weights of users, &gt; 0; of all others it is {@link #DEFAULT_WEIGHT}
   */
  HintedCopies(Map<String, Double> weights) {
    this.weights = weights;
  }

  void reconfigure(Map<String, Double> next) {
    if (!next.equals(weights)) {
      weights = next;
      recount(block -> true);
    }
  }

  /** Forgets copies of blocks that fail the test, and makes the sums equal to the rest. */
  void recount(Predicate<BlockKey> known) {
    groups.clear();
    byLevel.clear();
    heldBytes = 0;
    copies.keySet().removeIf(known.negate());
    copies.values().forEach(this::count);
  }

  // ---- changes ----------------------------------------------------------------------------------

  /** Adds a copy that is on its way. The block must have none. */
  void add(BlockKey block, String user, long bytes, long nextUse) {
    Copy copy = new Copy(block, user, nextNumber++, bytes, nextUse);
    copies.put(block, copy);
    count(copy);
  }

  /** The copy is here, or here again, or changed its size. */
  void arrived(BlockKey block, long bytes) {
    Copy copy = copies.get(block);
    if (copy != null) {
      discount(copy);
      copy.state = State.HERE;
      copy.bytes = bytes;
      count(copy);
    }
  }

  /** The copy makes way or is out of reach, and may return. */
  void leaves(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy != null) {
      discount(copy);
      copy.state = State.AWAY;
    }
  }

  /** The copy is gone. */
  void remove(BlockKey block) {
    Copy copy = copies.remove(block);
    if (copy != null) {
      discount(copy);
    }
  }

  /** Sets the expected time of the block's next use. */
  void nextUse(BlockKey block, long at) {
    Copy copy = copies.get(block);
    if (copy == null || copy.nextUse == at) {
      return;
    }
    Group group = copy.state == State.HERE ? groups.get(copy.user) : null;
    if (group == null) {
      copy.nextUse = at;
      return;
    }
    group.copies.remove(copy);
    copy.nextUse = at;
    group.copies.add(copy);
  }

  private void count(Copy copy) {
    if (copy.state == State.AWAY) {
      return;
    }
    Group group = groups.computeIfAbsent(copy.user, this::newGroup);
    byLevel.remove(group);
    group.held++;
    group.heldBytes += copy.bytes;
    heldBytes += copy.bytes;
    byLevel.add(group);
    if (copy.state == State.HERE) {
      group.copies.add(copy);
    }
  }

  private void discount(Copy copy) {
    Group group = copy.state == State.AWAY ? null : groups.get(copy.user);
    if (group == null) {
      return;
    }
    byLevel.remove(group);
    group.copies.remove(copy);
    group.held--;
    group.heldBytes -= copy.bytes;
    heldBytes -= copy.bytes;
    if (group.held > 0) {
      byLevel.add(group);
    } else {
      groups.remove(copy.user);
    }
  }

  private Group newGroup(String user) {
    return new Group(user, weights.getOrDefault(user, DEFAULT_WEIGHT));
  }

  // ---- questions --------------------------------------------------------------------------------

  /** The copy of a block, in any state; null if no hints brought it. */
  @Nullable Copy get(BlockKey block) {
    return copies.get(block);
  }

  /** The group of a user; an empty one if the user holds nothing. */
  Group group(String user) {
    Group known = groups.get(user);
    return known != null ? known : newGroup(user);
  }

  /** The group of a copy that is counted; null of one that is not. */
  @Nullable Group groupOf(Copy copy) {
    return copy.isCounted() ? groups.get(copy.user) : null;
  }

  /** The groups that hold something, the one of the highest level first. */
  Iterable<Group> highestFirst() {
    return byLevel;
  }

  /** The group of the highest level; null if none holds anything. */
  @Nullable Group highest() {
    return byLevel.isEmpty() ? null : byLevel.first();
  }

  /** Bytes of all counted copies. */
  long heldBytes() {
    return heldBytes;
  }

  private static Iterable<BlockKey> blocks(Iterable<Copy> of) {
    return () -> {
      Iterator<Copy> rest = of.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return rest.hasNext();
        }

        @Override
        public BlockKey next() {
          return rest.next().block;
        }
      };
    };
  }

  // ---- tests ------------------------------------------------------------------------------------

  /** See {@link UserShares#checkInvariants}. */
  void checkInvariants(Predicate<BlockKey> resident, Predicate<BlockKey> usable) {
    Map<String, Long> expected = new HashMap<>();
    Set<BlockKey> here = new HashSet<>();
    for (Copy copy : copies.values()) {
      boolean isHere = usable.test(copy.block);
      if (!resident.test(copy.block) || copy.state != (isHere ? State.HERE : State.AWAY)) {
        throw new IllegalStateException(
            "shares broken: block=" + copy.block + " user=" + copy.user + " state=" + copy.state);
      }
      if (isHere) {
        expected.merge(copy.user, copy.bytes, Long::sum);
        here.add(copy.block);
      }
    }
    Map<String, Long> counted = new HashMap<>();
    List<BlockKey> indexed = new ArrayList<>();
    for (Group group : byLevel) {
      counted.put(group.user, group.heldBytes);
      group.latestUseFirst().forEach(indexed::add);
    }
    if (!expected.equals(counted) || indexed.size() != here.size() || !here.containsAll(indexed)) {
      throw new IllegalStateException("shares broken: held=" + expected + " counted=" + counted);
    }
  }
}
