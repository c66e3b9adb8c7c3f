package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.table.BlockEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  private static final double WEIGHT = 1;
  private static final BlockKey NO_BLOCK = new BlockKey("", 0);

  private enum State {
    /** On its way to the tier: it counts, and can't go. */
    COMING,
    HERE,
    /** It makes way, or its device can't be used: it does not count, but may be back. */
    AWAY
  }

  /** A block that a user's hints brought. */
  private static final class Copy {
    final BlockKey block;
    final String user;

    /** Ticks; each value is given out once. */
    final long number;

    State state = State.COMING;
    long bytes;
    long nextUse;

    Copy(BlockKey block, String user, long number, long bytes, long nextUse) {
      this.block = block;
      this.user = user;
      this.number = number;
      this.bytes = bytes;
      this.nextUse = nextUse;
    }

    static int lastUsedFirst(Copy a, Copy b) {
      int byUse = Long.compare(b.nextUse, a.nextUse);
      return byUse != 0 ? byUse : Long.compare(a.number, b.number);
    }
  }

  /** A user who holds something, or all without hints. */
  private static final class Group {
    final String user;
    final double weight;

    /** Changed only out of the tree of groups. */
    long heldBytes;

    /** Copies that are here or on their way. */
    int held;

    /** Those that are here. */
    final TreeSet<Copy> copies = new TreeSet<>(Copy::lastUsedFirst);

    Group(String user, double weight) {
      this.user = user;
      this.weight = weight;
    }

    /** What each unit of weight holds, with so many bytes more. */
    double level(long moreBytes) {
      return (double) (heldBytes + moreBytes) / weight;
    }
  }

  private Map<String, Double> weights;
  private final Map<BlockKey, Copy> copies = new HashMap<>();
  private final Map<String, Group> groups = new HashMap<>();
  private final TreeSet<Group> byLevel =
      new TreeSet<>(
          Comparator.<Group>comparingDouble(group -> -group.level(0))
              .thenComparing(group -> group.user));

  /** Blocks on the tier that belong to nobody, by their last read, the oldest first. */
  private final Map<BlockKey, Long> inUse = new LinkedHashMap<>();

  /** Blocks of these that were read as hinted: what is read next may be the rest of that read. */
  private final Set<BlockKey> ending = new HashSet<>();

  private long heldBytes;
  private long ticks;

  /**
   * @param weights of users, &gt; 0; of all others it is 1
   */
  UserShares(Map<String, Double> weights) {
    this.weights = weights;
  }

  void reconfigure(Map<String, Double> next) {
    if (!next.equals(weights)) {
      weights = next;
      recount(block -> true);
    }
  }

  /** Makes the sums equal to the copies again, and forgets those that are not known. O(n log n). */
  void recount(Predicate<BlockKey> known) {
    groups.clear();
    byLevel.clear();
    heldBytes = 0;
    copies.keySet().removeIf(known.negate());
    inUse.keySet().removeIf(known.negate());
    ending.removeIf(known.negate());
    copies.values().forEach(this::count);
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
      Copy copy = new Copy(block, user, ticks++, bytes, nextUse);
      copies.put(block, copy);
      count(copy);
    }
  }

  /** A block is on the fast tier, or is so again, or changed its size there. */
  void arrived(BlockKey block, long bytes) {
    Copy copy = copies.get(block);
    if (copy != null) {
      discount(copy);
      copy.state = State.HERE;
      copy.bytes = bytes;
      count(copy);
    }
  }

  /** A block makes way or is out of reach, and may be back. */
  void leaves(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy != null) {
      discount(copy);
      copy.state = State.AWAY;
    }
  }

  /** A block is not on the fast tier, nor on its way there. */
  void forget(BlockKey block) {
    inUse.remove(block);
    ending.remove(block);
    Copy copy = copies.remove(block);
    if (copy != null) {
      discount(copy);
    }
  }

  /** The expected time of a block's next use changed; {@link #NEVER} without a reference. */
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

  /** A resident was read as a workflow had said: who hinted it knows when it is needed. */
  void readAsHinted(BlockKey block) {
    if (!copies.containsKey(block)) {
      inUse.remove(block);
      ending.add(block);
    }
  }

  /** A resident that has no reference left was read. */
  void read(BlockKey block, long nowNanos) {
    if (copies.containsKey(block) || ending.remove(block)) {
      return;
    }
    inUse.remove(block);
    inUse.put(block, nowNanos);
    Iterator<Long> reads = inUse.values().iterator();
    while (reads.hasNext() && nowNanos - reads.next() > IN_USE_NANOS) {
      reads.remove();
    }
  }

  private void count(Copy copy) {
    if (copy.state == State.AWAY) {
      return;
    }
    Group group = groups.computeIfAbsent(copy.user, this::group);
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

  private Group group(String user) {
    return new Group(user, weights.getOrDefault(user, WEIGHT));
  }

  private Group groupOrEmpty(String user) {
    Group known = groups.get(user);
    return known != null ? known : group(user);
  }

  // ---- questions --------------------------------------------------------------------------------

  /** Whether anything here belongs to a user. */
  boolean any() {
    return !byLevel.isEmpty();
  }

  /** What a user's hints brought that is here or on its way. */
  long heldBytes(String user) {
    return groupOrEmpty(user).heldBytes;
  }

  /** Of these users the one of the lowest level, the first of equal ones; null if there is none. */
  @Nullable String lowest(List<String> users) {
    return users.stream()
        .min(Comparator.comparingDouble(user -> groupOrEmpty(user).level(0)))
        .orElse(null);
  }

  private boolean isClaimed(BlockKey block, long nowNanos) {
    Copy copy = copies.get(block);
    if (copy != null) {
      return copy.nextUse != NEVER;
    }
    Long read = inUse.get(block);
    return read != null && nowNanos - read <= IN_USE_NANOS;
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

  /**
   * What goes for a write instead of a block that the policy would give up: what another user holds
   * who is above this one's user, used last first. Empty if the block itself may go.
   */
  Iterable<BlockKey> insteadOf(BlockKey victim) {
    Copy copy = copies.get(victim);
    Group its = copy == null || copy.state == State.AWAY ? null : groups.get(copy.user);
    if (copy == null || its == null || copy.nextUse == NEVER) {
      return List.of();
    }
    Group highest = byLevel.first();
    return highest != its && highest.level(-copy.bytes) >= its.level(0)
        ? blocks(highest.copies)
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
    private final Group nobody = new Group("", WEIGHT);
    private final Group asking;
    private final @Nullable Group rival;
    private final double levelAfter;
    private final long nowNanos;

    private Claim(
        @Nullable String user, long bytes, long missingBytes, long takenBytes, long nowNanos) {
      this.nowNanos = nowNanos;
      nobody.heldBytes = Math.max(0, takenBytes - heldBytes);
      asking = user == null ? nobody : groupOrEmpty(user);
      levelAfter = asking.level(bytes);
      rival = findRival(missingBytes);
    }

    private @Nullable Group findRival(long missingBytes) {
      Iterator<Group> highest = byLevel.iterator();
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
      return level >= nobody.level(0) && (byLevel.isEmpty() || level >= byLevel.first().level(0));
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
      return copy.user.equals(asking.user) ? asking : groupOrEmpty(copy.user);
    }

    private boolean mayLose(Group loser, long freedBytes) {
      if (loser == asking || asking == nobody) {
        return rival == null || loser == rival;
      }
      return isHighest(loser) && staysAbove(loser, freedBytes);
    }

    /** Copies of the user of the highest level, used last first; empty if none may go. */
    Iterable<BlockKey> rivals() {
      return rival == null ? List.of() : blocks(rival.copies);
    }

    /** Whether so much of the rival's may go. */
    boolean rivalMayLose(long freedBytes) {
      return rival != null && staysAbove(rival, freedBytes);
    }

    /** The user's own copies that are used after this time, used last first. */
    Iterable<BlockKey> ownUsedAfter(long atNanos) {
      Copy bound = new Copy(NO_BLOCK, "", -1, 0, atNanos);
      return blocks(asking.copies.headSet(bound));
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
    Map<String, Long> held = new HashMap<>();
    Set<BlockKey> here = new HashSet<>();
    for (Copy copy : copies.values()) {
      boolean isHere = usable.test(copy.block);
      if (!resident.test(copy.block) || copy.state != (isHere ? State.HERE : State.AWAY)) {
        throw new IllegalStateException(
            "shares broken: block=" + copy.block + " user=" + copy.user + " state=" + copy.state);
      }
      if (isHere) {
        held.merge(copy.user, copy.bytes, Long::sum);
        here.add(copy.block);
      }
    }
    Map<String, Long> counted = new HashMap<>();
    List<BlockKey> indexed = new ArrayList<>();
    for (Group group : byLevel) {
      counted.put(group.user, group.heldBytes);
      blocks(group.copies).forEach(indexed::add);
    }
    if (!held.equals(counted) || indexed.size() != here.size() || !here.containsAll(indexed)) {
      throw new IllegalStateException("shares broken: held=" + held + " counted=" + counted);
    }
  }
}
