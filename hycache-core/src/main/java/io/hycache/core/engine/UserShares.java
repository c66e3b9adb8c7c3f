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
 * What the hints of each user brought to the fast tier, and who gives way when it is full, so that
 * nobody's hints evict everybody's.
 *
 * <p>Idea: weighted max-min fairness over those who want room. What a user holds, divided by the
 * user's weight, is the user's <i>level</i>. Hints take room from the user of the highest level, as
 * long as they don't lift their own user above the level that the other one is left with. So a user
 * who is alone may have everything, one who wants less than a share keeps what it wants, and all
 * others end at one level: their shares by weight.
 *
 * <p>Rules:
 *
 * <ul>
 *   <li>A copy belongs to the user whose hints brought it, until it leaves the tier. A block that
 *       several hinted belongs to the one whose turn it was, or if a read brought it, to the one of
 *       the lowest level. What reads and writes without hints brought, and what was found at start,
 *       belongs to nobody: one more group, of weight 1.
 *   <li>A resident is <i>claimed</i> while it belongs to a user and has references left, or belongs
 *       to nobody and was read without hints within {@link #IN_USE_NANOS}. What nobody claims may
 *       go for anybody, by the policy's order.
 *   <li>Claimed residents go for a user's hints only if they are the user's own and no rival is
 *       left (below), or belong to the group of the highest level and that user stays below it.
 *   <li>A user's rival is the other user of the highest level, if the room may be taken from that
 *       one. Where the policy would take what may not go, or refuses because of what would have to
 *       go, the rival's copies go instead: those that are used last, which is the best order where
 *       the future is known (Belady). Without a rival a user's own copies go for one that is used
 *       before them.
 *   <li>Reads without hints follow the policy. They have a rival, too, but are never refused here.
 * </ul>
 *
 * <p>Complexity: O(log n) for an event or a question, O(victims) more for a question about some;
 * O(n) when the weights change. Memory: about 200 bytes for each copy that hints brought, 100 for
 * each other one that was read.
 *
 * <p>Approximate: the time of the next use is that of the last change of the block's references.
 *
 * <p>Source: weighted max-min fairness, as YARN's Fair Scheduler shares a cluster among queues.
 * Decides only. Owned by the planner's thread.
 */
final class UserShares {
  /** A block that nobody hinted counts as in use for so long after a read. */
  static final long IN_USE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** No next use is known. */
  static final long NEVER = Long.MAX_VALUE;

  private final HintedCopies copies;

  /** Blocks on the tier that belong to nobody, by their last read, the oldest first. */
  private final Map<BlockKey, Long> inUse = new LinkedHashMap<>();

  /** Blocks of these that were read as hinted: what is read next may be the rest of that read. */
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

  // ---- what happens -----------------------------------------------------------------------------

  /**
   * A block is on its way to the fast tier. {@link #arrived} or {@link #forget} follows.
   *
   * @param user whose hints asked for it; null: nobody's
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

  /** A resident was read as a workflow had said: who hinted it knows when it is needed. */
  void readAsHinted(BlockKey block) {
    if (copies.get(block) == null) {
      inUse.remove(block);
      ending.add(block);
    }
  }

  /** A resident that has no reference left was read. */
  void read(BlockKey block, long nowNanos) {
    if (copies.get(block) != null || ending.remove(block)) {
      return;
    }
    inUse.remove(block);
    inUse.put(block, nowNanos);
    Iterator<Long> reads = inUse.values().iterator();
    while (reads.hasNext() && nowNanos - reads.next() > IN_USE_NANOS) {
      reads.remove();
    }
  }

  // ---- questions --------------------------------------------------------------------------------

  /** Whether anything here belongs to a user. */
  boolean any() {
    return copies.highest() != null;
  }

  /** What a user's hints brought that is here or on its way. */
  long heldBytes(String user) {
    return copies.group(user).heldBytes();
  }

  /** Of these users the one of the lowest level, the first of equal ones; null if there is none. */
  @Nullable String lowest(List<String> users) {
    return users.stream()
        .min(Comparator.comparingDouble(user -> copies.group(user).level(0)))
        .orElse(null);
  }

  private boolean isClaimed(BlockKey block, long nowNanos) {
    Copy copy = copies.get(block);
    if (copy != null) {
      return copy.isReferenced();
    }
    Long read = inUse.get(block);
    return read != null && nowNanos - read <= IN_USE_NANOS;
  }

  /**
   * What goes for a write instead of a block that the policy would give up: what another user holds
   * who is above this one's user, used last first. Empty if the block itself may go.
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
   * A block wants room that is not free.
   *
   * @param user whose hints ask for it; null: nobody's
   * @param bytes its size
   * @param missingBytes what has to go for it, &gt; 0
   * @param takenBytes by all residents and by what is on its way, whosever they are
   */
  Claim claim(
      @Nullable String user, long bytes, long missingBytes, long takenBytes, long nowNanos) {
    return new Claim(user, bytes, missingBytes, takenBytes, nowNanos);
  }

  /** Who may give way for a block. Good until the next event. */
  final class Claim {
    /** All that is held without hints. */
    private final Group nobody;

    private final Group asking;
    private final @Nullable Group rival;
    private final double levelAfter;
    private final long nowNanos;

    private Claim(
        @Nullable String user, long bytes, long missingBytes, long takenBytes, long nowNanos) {
      this.nowNanos = nowNanos;
      nobody = Group.withoutHints(Math.max(0, takenBytes - copies.heldBytes()));
      asking = user == null ? nobody : copies.group(user);
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
      return level >= nobody.level(0) && (highest == null || level >= highest.level(0));
    }

    /** Whether these may go for it. */
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
        return nobody;
      }
      return copy.user.equals(asking.user) ? asking : copies.group(copy.user);
    }

    private boolean mayLose(Group loser, long freedBytes) {
      if (loser == asking || asking == nobody) {
        return rival == null || loser == rival;
      }
      return isHighest(loser) && staysAbove(loser, freedBytes);
    }

    /** Copies of the user of the highest level, used last first; empty if none may go. */
    Iterable<BlockKey> rivals() {
      return rival == null ? List.of() : rival.latestUseFirst();
    }

    /** Whether so much of the rival's may go. */
    boolean rivalMayLose(long freedBytes) {
      return rival != null && staysAbove(rival, freedBytes);
    }

    /** The user's own copies that are used after this time, used last first. */
    Iterable<BlockKey> ownUsedAfter(long atNanos) {
      return asking.usedAfter(atNanos);
    }
  }

  // ---- tests ------------------------------------------------------------------------------------

  /**
   * Recounts everything while nothing moves. O(n); for tests.
   *
   * @param resident whether a block is on a fast device
   * @param usable whether that device can be used
   * @throws IllegalStateException naming what is wrong
   */
  void checkInvariants(Predicate<BlockKey> resident, Predicate<BlockKey> usable) {
    copies.checkInvariants(resident, usable);
  }
}
