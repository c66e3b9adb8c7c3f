// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.Host;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * A policy compares blocks that compete for space, and for a block that is read once it is right to
 * refuse. But a job reads from a few slow devices at a time, those of its running tasks, while the
 * others stand still, and before its first task runs all of them do. What they read in that time
 * need not be waited for later. So such blocks pass through a bounded part of the fast tier: each
 * is copied while its slow device has nothing else to do, is served from the copy, and leaves.
 *
 * Why not into the page cache alone (posix_fadvise on the replica), which costs no SSD write: the
 * NameNode and our directory do not see the page cache, so a reader goes to this replica only by
 * chance; it has no bound that would keep one user's blocks from pushing out all that the operating
 * system holds for others, and no answer to what became of a page; and the call needs libhadoop.
 * A copy is read from the device through the page cache, too, so a reader that comes soon finds
 * both: the SSD write is what makes the block findable, and keep until it is read.
 */
/**
 * Fetches hinted blocks that the policy refuses ahead of their reader into a bounded share of the
 * fast tier, and gives the space back when they were read.
 *
 * <p>A block is fetched if
 *
 * <ul>
 *   <li>the share ({@code hycache.prefetch.share}), and the user's part of it by weight among the
 *       users with hints, has room for it; a part has room for one block at least. Share and part
 *       are computed from the usable fast devices; copies on other devices do not count. Blocks are
 *       considered in the order of their expected reads, so what is fetched is read before what was
 *       refused, and nothing makes way unread;
 *   <li>nobody uses its slow device, and at most one other block waits to be fetched from it, to
 *       the same fast device: each slow device is one stream, and all stream at the same time;
 *   <li>its job does not run yet, or is expected to read it later than the copy is complete;
 *   <li>the tier has free space for it, or copies that nobody needs: without references, and not
 *       read without hints for some time. A copy with a later reference never makes way, whoever
 *       hinted it;
 *   <li>the write budget allows it.
 * </ul>
 *
 * <p>A copy leaves when its read used up the last reference, or when the references end otherwise.
 * One that is overdue makes way first (see {@link AheadCopies}) if its job runs already, and else
 * only for other users' blocks: a job that starts late finds its blocks. What a user holds above a
 * part of the share makes way for users who are kept out by it, once it has waited for some time.
 *
 * <p>O(users with hints) for a block that is refused, O({@link #MAX_SPARE_STEPS}) more for one that
 * is fetched. Owned by the planner's thread.
 */
final class ReadAhead {
  /** Residents of the policy's order that are looked at for copies that nobody needs, at most. */
  private static final int MAX_SPARE_STEPS = 1_000;

  /** One runs, and the other is queued behind it, so that the device is not idle in between. */
  private static final int MAX_FETCHES_PER_SLOW_DEVICE = 2;

  /** Time in a walk in which blocks are not considered after no place was found for one. */
  private static final long NO_PLACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time between two searches for overdue copies. */
  private static final long OVERDUE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LiveConfig config;
  private final BlockTable table;
  private final LivePolicy policy;
  private final FastSpace space;
  private final UserShares users;
  private final AheadCopies copies;
  private final HintPacer hints;
  private final Admissions admissions;
  private final Scrubber scrubber;
  private final Fetcher fetcher;
  private final MoveOutcomes outcomes;
  private final DecisionLog decisions;
  private final Host host;
  private final RoundClock clock;

  /** A block was refused because the share is full. */
  private boolean shareFull;

  /** Users of such blocks whose own parts have room, so that copies of others are in the way. */
  private final Set<String> crowdedOut = new HashSet<>();

  private long soughtOverdueNanos;

  /** Value of {@link AheadCopies#releases} in the last round. */
  private long releases;

  /** Capacity of the usable devices in the last round. */
  private long capacityBytes;

  /**
   * Users without room in the share, and slow devices that are busy, in the walk of this number:
   * room that comes during the walk is for the blocks that were passed over, not for later ones.
   */
  private final Set<String> closedUsers = new HashSet<>();

  private final Set<String> closedDevices = new HashSet<>();
  private long walk;

  /** Why no place was found for a block in this walk, the least size of one, and when. */
  private @Nullable Reason noPlace;

  private long noPlaceBytes;
  private long noPlaceNanos;

  ReadAhead(
      LiveConfig config,
      BlockTable table,
      LivePolicy policy,
      FastSpace space,
      UserShares users,
      AheadCopies copies,
      HintPacer hints,
      Admissions admissions,
      Scrubber scrubber,
      Fetcher fetcher,
      MoveOutcomes outcomes,
      DecisionLog decisions,
      Host host,
      RoundClock clock) {
    this.config = config;
    this.table = table;
    this.policy = policy;
    this.space = space;
    this.users = users;
    this.copies = copies;
    this.hints = hints;
    this.admissions = admissions;
    this.scrubber = scrubber;
    this.fetcher = fetcher;
    this.outcomes = outcomes;
    this.decisions = decisions;
    this.host = host;
    this.clock = clock;
  }

  /** False if the share is 0. */
  boolean isOn() {
    return config.get().prefetchShare() > 0;
  }

  /** Fetches under way to usable devices. */
  int underWay() {
    return copies.arriving(this::isUsable);
  }

  private boolean isUsable(String device) {
    return space.get(device) != null;
  }

  // ---- copies that are done with ----------------------------------------------------------------

  /** Gives the space of copies back that are done with, and of overdue ones if it is needed. */
  void maintain() {
    if (copies.releases() != releases || space.capacityBytes() != capacityBytes) {
      releases = copies.releases();
      capacityBytes = space.capacityBytes();
      hints.rewindSoon(); // the share has room again, or may have
    }
    long now = clock.now();
    Set<String> full = new HashSet<>();
    if (shareFull && now - soughtOverdueNanos >= OVERDUE_INTERVAL_NANOS) {
      shareFull = false;
      soughtOverdueNanos = now;
      overdue(now, crowdedOut).forEach(key -> giveBack(key, full));
      if (!crowdedOut.isEmpty()) {
        copies
            .outstaying(now, user -> partOf(user, share()), space.ids())
            .forEach(key -> giveBack(key, full));
      }
      crowdedOut.clear();
    }
    List<BlockKey> later = new ArrayList<>();
    for (int left = copies.doneCount(); left > 0; left--) {
      BlockKey key = copies.pollDone();
      if (key == null) {
        break;
      }
      if (!giveBack(key, full)) {
        later.add(key);
      }
    }
    later.forEach(copies::again);
  }

  /** Overdue copies of jobs that run, and of users who keep others' blocks out. */
  private List<BlockKey> overdue(long now, Set<String> othersFor) {
    return copies.overdue(
        now,
        (block, owner) ->
            hints.isUnderWay(block) || othersFor.stream().anyMatch(user -> !user.equals(owner)));
  }

  /**
   * Returns false if the copy can't leave now.
   *
   * @param full fast devices whose queue is full; added to
   */
  private boolean giveBack(BlockKey key, Set<String> full) {
    BlockEntry entry = table.get(key);
    if (entry == null || !entry.cleanData()) {
      copies.left(key); // gone in another way
      return true;
    }
    String device = entry.device();
    if (entry.moving() != BlockEntry.Moving.NOTHING
        || entry.resting(clock.now())
        || device == null
        || !space.usable(device)
        || full.contains(device)) {
      return false;
    }
    Reason why = entry.unreadPromotion() ? Reason.AHEAD_UNREAD : Reason.AHEAD_READ;
    if (!outcomes.evict(entry, why)) {
      full.add(device);
      return false;
    }
    return true;
  }

  // ---- blocks to fetch --------------------------------------------------------------------------

  /**
   * Considers a hinted block that the policy refused. Its reason says why it is not fetched, if it
   * is not.
   *
   * @param question on which the policy decided
   * @param user whose hints ask for it
   */
  void consider(BlockEntry entry, Admissions.Question question, String user) {
    if (hints.walks() != walk) {
      walk = hints.walks();
      closedUsers.clear();
      closedDevices.clear();
      noPlace = null;
    }
    Reason refused = refuse(entry, user);
    if (refused != null) {
      entry.setReason(refused);
      return;
    }
    String slowDevice = host.slowDevice(entry.key());
    if (slowDevice == null || closedDevices.contains(slowDevice) || isBusy(slowDevice)) {
      if (slowDevice != null) {
        closedDevices.add(slowDevice);
      }
      entry.setReason(Reason.AHEAD_DISK_BUSY);
      hints.rewindSoon();
      return;
    }
    if (comesTooSoon(entry, slowDevice)) {
      entry.setReason(Reason.AHEAD_TOO_SOON);
      return;
    }
    Admissions.Answer answer = admissions.ahead(question, spare(user));
    List<BlockEntry> victims = fetcher.begin(entry, answer, false, user, slowDevice);
    if (victims != null) {
      Candidate candidate = question.candidate;
      decisions.fetchedAhead(candidate, answer.freeBytes, answer.decision, clock.now());
      decisions.madeWay(
          victims, Reason.EVICTED, candidate, answer.freeBytes, answer.decision, clock.now());
    } else if (entry.reason() == Reason.NO_ROOM || entry.reason() == Reason.WRITE_BUDGET) {
      noPlace(entry, slowDevice);
    }
  }

  private void noPlace(BlockEntry entry, String slowDevice) {
    if (copies.fetchedTo(slowDevice, this::isUsable) != null) {
      // Another fast device may have room, once nothing is fetched to the one any more.
      closedDevices.add(slowDevice);
      hints.rewindSoon();
      return;
    }
    noPlaceBytes = noPlace == null ? entry.sizeBytes() : Math.min(noPlaceBytes, entry.sizeBytes());
    noPlace = entry.reason();
    noPlaceNanos = clock.now();
  }

  private @Nullable Reason refuse(BlockEntry entry, String user) {
    if (copies.isPassedOver(entry.key())) {
      return Reason.AHEAD_UNREAD;
    }
    long share = share();
    long size = entry.sizeBytes();
    long held = copies.bytes(user, space.ids());
    long heldByAll = copies.bytes(space.ids());
    if (closedUsers.contains(user)
        || heldByAll + size > share
        || (held > 0 && held + size > partOf(user, share))) {
      shareFull = true;
      if (heldByAll + size > share
          && size <= share
          && (held == 0 || held + size <= partOf(user, share))) {
        crowdedOut.add(user);
      }
      closedUsers.add(user);
      return Reason.AHEAD_SHARE_FULL;
    }
    boolean searched = size >= noPlaceBytes && clock.now() - noPlaceNanos < NO_PLACE_NANOS;
    return searched ? noPlace : null;
  }

  private long share() {
    return (long) (space.capacityBytes() * config.get().prefetchShare());
  }

  /** A user's part of the share: by weight among the users with hints. */
  private long partOf(String user, long share) {
    Map<String, Double> weights = config.get().userWeights();
    double sum = 0;
    for (String other : hints.users()) {
      sum += weights.getOrDefault(other, HintedCopies.DEFAULT_WEIGHT);
    }
    double own = weights.getOrDefault(user, HintedCopies.DEFAULT_WEIGHT);
    return sum <= own ? share : (long) (share * own / sum);
  }

  private boolean isBusy(String slowDevice) {
    return copies.fetchedFrom(slowDevice, this::isUsable) >= MAX_FETCHES_PER_SLOW_DEVICE
        || !scrubber.isUnused(slowDevice, clock.now());
  }

  private boolean comesTooSoon(BlockEntry entry, String slowDevice) {
    if (!hints.isUnderWay(entry.key())) {
      return false;
    }
    double nanos = (double) entry.sizeBytes() / copies.bytesPerSec(slowDevice) * 1e9;
    return (double) (hints.expectedUse(entry.key()) - clock.now()) < nanos;
  }

  /**
   * Blocks whose clean copies nobody needs: overdue ones, and others in the policy's order.
   *
   * @param user for whom a block is fetched
   */
  private Iterable<BlockKey> spare(String user) {
    long now = clock.now();
    Iterable<BlockKey> others =
        Iterables.filter(
            Iterables.transform(
                Iterables.limit(policy.evictionOrder(), MAX_SPARE_STEPS), BlockKey::of),
            key -> !copies.has(key) && !hints.isHinted(key) && !users.isClaimed(key, now));
    return Iterables.concat(overdue(now, Set.of(user)), others);
  }
}
