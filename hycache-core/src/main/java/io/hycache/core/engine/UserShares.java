// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.engine.HintedCopies.Copy;
import io.hycache.core.engine.HintedCopies.Group;
import io.hycache.core.model.BlockKey;
import io.hycache.core.table.BlockEntry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shares of the fast tier by user: how much the hints of each user hold, and whose copies make way
 * when the tier is full, so that the hints of one user do not evict those of all others.
 *
 * <p>Idea: weighted max-min fairness among the users who want room. The bytes that a user holds,
 * divided by the user's weight, are the user's <i>level</i>. Hints take room from the user of the
 * highest level, as long as they do not lift their own user above the level that the other is left
 * with. So a single user may have everything, a user who wants less than a share keeps it, and all
 * others end at one level: their shares by weight.
 *
 * <p>Rules:
 *
 * <ul>
 *   <li>A copy belongs to the user whose hints brought it, until it leaves the tier or is read
 *       without a reference left. A block hinted by several users belongs to the one whose turn it
 *       was or, if a read brought it, to the one of the lowest level. All other copies belong to no
 *       user: they form one more group, of weight 1.
 *   <li>A resident is <i>claimed</i> while it belongs to a user and has references left, or belongs
 *       to no user and was read within {@link #IN_USE_NANOS} without using up a reference. An
 *       unclaimed resident may make way for any block, by the policy's order.
 *   <li>Claimed residents make way for a user's hints only if they are the user's own and there is
 *       no rival (below), or if they belong to the group of the highest level and that user stays
 *       below it.
 *   <li>A user's rival is the other user of the highest level, if the room may be taken from that
 *       user. Where the policy names a victim that may not leave, or refuses because of its
 *       victims, the rival's copies make way instead, the one with the latest next use first, which
 *       is the best order if the future is known (Belady). Without a rival a user's own copies make
 *       way for a block that is used before them.
 *   <li>Reads without hints follow the policy. They have a rival too, but are never refused here.
 * </ul>
 *
 * <p>Complexity: O(log n) for an event or a question, O(victims) more for a question about victims;
 * O(n) when the weights change. Memory: about 250 bytes for each copy that hints brought, 100 for
 * each other copy that was read.
 *
 * <p>Approximate: the time of the next use is that of the last change of the block's references.
 *
 * <p>Source: weighted max-min fairness, as YARN's Fair Scheduler shares a cluster among queues.
 * Pure decisions; nothing is moved. Owned by the planner's thread.
 */
final class UserShares {
  /** How long a block without hints counts as in use after a read. */
  static final long IN_USE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The next use of a block without references. */
  static final long NEVER = Long.MAX_VALUE;

  private final HintedCopies copies;

  /** Blocks on the tier that belong to no user, with their last read, the oldest first. */
  private final Map<BlockKey, Long> inUse = new LinkedHashMap<>();

  /** Blocks on the tier that were read as hinted: the next read may be the rest of that one. */
  private final Set<BlockKey> ending = new HashSet<>();

  /**
   * @param weights of users, &gt; 0; of all others it is 1
   */
  UserShares(Map<String, Double> weights) {
    this.copies = new HintedCopies(weights);
  }

  void reconfigure(Map<String, Double> next) {
    copies.reconfigure(next);
  }

  /** Forgets blocks that fail the test, and makes the sums equal to the rest. O(n log n). */
  void recount(Predicate<BlockKey> known) {
    copies.recount(known);
    inUse.keySet().removeIf(known.negate());
    ending.removeIf(known.negate());
  }

  // ---- events -----------------------------------------------------------------------------------

  /**
   * A block is on its way to the fast tier. {@link #arrived} or {@link #forget} follows.
   *
   * @param user whose hints asked for it; null if none did
   * @param nextUse expected time of its next use, or {@link #NEVER}
   */
  void brings(BlockKey block, @Nullable String user, long bytes, long nextUse) {
    forget(block);
    if (user != null) {
      copies.add(block, user, bytes, nextUse);
    }
  }

  /** A block is on the fast tier, or is so again, or changed its size there. */
  void arrived(BlockKey block, long bytes) {
    copies.arrived(block, bytes);
  }

  /** A block makes way or is out of reach, and may return. */
  void leaves(BlockKey block) {
    copies.leaves(block);
  }

  /** A block is neither on the fast tier nor on its way there. */
  void forget(BlockKey block) {
    inUse.remove(block);
    ending.remove(block);
    copies.remove(block);
  }

  /** The expected time of a block's next use changed; {@link #NEVER} without a reference. */
  void nextUse(BlockKey block, long at) {
    copies.nextUse(block, at);
  }

  /** A resident was read as hinted: the hints say when it is needed, so it is not in use. */
  void readAsHinted(BlockKey block) {
    inUse.remove(block);
    ending.add(block);
  }

  /**
   * A resident was read, and no reference was used up. A user's copy of it that has no reference
   * left passes to no user: the hints that brought it are done with, and others read it.
   */
  void read(BlockKey block, long nowNanos) {
    Copy copy = copies.get(block);
    if (ending.remove(block) || (copy != null && copy.isReferenced())) {
      return;
    }
    copies.remove(block);
    inUse.remove(block);
    inUse.put(block, nowNanos);
    Iterator<Long> reads = inUse.values().iterator();
    while (reads.hasNext() && nowNanos - reads.next() > IN_USE_NANOS) {
      reads.remove();
    }
  }

  // ---- questions --------------------------------------------------------------------------------

  /** Whether any copy belongs to a user. */
  boolean any() {
    return copies.highest() != null;
  }

  /** Bytes of a user's copies that are here or on their way. */
  long heldBytes(String user) {
    return copies.group(user).heldBytes();
  }

  /** The user of the lowest level, the first of equal ones; null if the list is empty. */
  @Nullable String lowest(List<String> users) {
    return users.stream()
        .min(Comparator.comparingDouble(user -> copies.group(user).level(0)))
        .orElse(null);
  }

  /** Whether a resident is needed: a user's hints have references left, or it is being read. */
  boolean isClaimed(BlockKey block, long nowNanos) {
    Copy copy = copies.get(block);
    if (copy != null) {
      return copy.isReferenced();
    }
    Long read = inUse.get(block);
    return read != null && nowNanos - read <= IN_USE_NANOS;
  }

  /**
   * The copies that make way for a write instead of a block that the policy would evict: those of
   * the highest user, if that one stays above the block's user, latest next use first. Empty if the
   * block itself may be evicted.
   */
  Iterable<BlockKey> insteadOf(BlockKey victim) {
    Copy copy = copies.get(victim);
    Group own = copy == null ? null : copies.groupOf(copy);
    Group highest = copies.highest();
    if (copy == null || own == null || highest == null || !copy.isReferenced()) {
      return List.of();
    }
    return highest != own && highest.level(-copy.bytes()) >= own.level(0)
        ? highest.latestUseFirst()
        : List.of();
  }

  /**
   * Opens the question which copies may make way for a block.
   *
   * @param user whose hints ask for it; null if none do
   * @param bytes its size
   * @param missingBytes bytes that must leave for it, &gt; 0
   * @param takenBytes bytes of all residents and of all blocks on their way, of all users and none
   */
  Claim claim(
      @Nullable String user, long bytes, long missingBytes, long takenBytes, long nowNanos) {
    return new Claim(user, bytes, missingBytes, takenBytes, nowNanos);
  }

  /** Which copies may make way for a block. Valid until the next event. */
  final class Claim {
    /** All that is held without hints. */
    private final Group unhinted;

    private final Group asking;
    private final @Nullable Group rival;
    private final double levelAfter;
    private final long nowNanos;

    private Claim(
        @Nullable String user, long bytes, long missingBytes, long takenBytes, long nowNanos) {
      this.nowNanos = nowNanos;
      unhinted = Group.withoutHints(Math.max(0, takenBytes - copies.heldBytes()));
      asking = user == null ? unhinted : copies.group(user);
      levelAfter = asking.level(bytes);
      rival = findRival(missingBytes);
    }

    private @Nullable Group findRival(long missingBytes) {
      Iterator<Group> highest = copies.highestFirst().iterator();
      Group other = highest.hasNext() ? highest.next() : null;
      if (other == asking) {
        other = highest.hasNext() ? highest.next() : null;
      }
      return other != null && staysAbove(other, missingBytes) ? other : null;
    }

    private boolean staysAbove(Group other, long freedBytes) {
      return levelAfter <= other.level(-freedBytes);
    }

    private boolean isHighest(Group group) {
      double level = group.level(0);
      Group highest = copies.highest();
      return level >= unhinted.level(0) && (highest == null || level >= highest.level(0));
    }

    /** Whether these residents may make way for it. */
    boolean allows(List<BlockEntry> victims) {
      Map<Group, Long> freed = new HashMap<>();
      Set<Group> losers = new HashSet<>();
      for (BlockEntry victim : victims) {
        BlockKey key = victim.key();
        Group group = groupOf(copies.get(key));
        freed.merge(group, victim.sizeBytes(), Long::sum);
        if (isClaimed(key, nowNanos)) {
          losers.add(group);
        }
      }
      return losers.stream().allMatch(group -> mayLose(group, freed.getOrDefault(group, 0L)));
    }

    private Group groupOf(@Nullable Copy copy) {
      if (copy == null) {
        return unhinted;
      }
      return copy.user.equals(asking.user) ? asking : copies.group(copy.user);
    }

    private boolean mayLose(Group loser, long freedBytes) {
      if (loser == asking || asking == unhinted) {
        return rival == null || loser == rival;
      }
      return isHighest(loser) && staysAbove(loser, freedBytes);
    }

    /** The rival's copies, latest next use first; empty without a rival. */
    Iterable<BlockKey> rivals() {
      return rival == null ? List.of() : rival.latestUseFirst();
    }

    /** Whether the rival may lose so many bytes. */
    boolean rivalMayLose(long freedBytes) {
      return rival != null && staysAbove(rival, freedBytes);
    }

    /** The user's own copies whose next use is after this time, latest first. */
    Iterable<BlockKey> ownUsedAfter(long atNanos) {
      return asking.usedAfter(atNanos);
    }
  }

  // ---- tests ------------------------------------------------------------------------------------

  /**
   * Recounts everything, while nothing moves. O(n); for tests.
   *
   * @param resident whether a block is on a fast device
   * @param usable whether that device is usable
   * @throws IllegalStateException naming what is wrong
   */
  void checkInvariants(Predicate<BlockKey> resident, Predicate<BlockKey> usable) {
    copies.checkInvariants(resident, usable);
  }
}
