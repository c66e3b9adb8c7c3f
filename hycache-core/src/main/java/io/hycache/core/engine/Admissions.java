// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import io.hycache.core.engine.Departures.Kind;
import io.hycache.core.engine.Departures.Place;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a block is promoted, to which device, and which victims make way: as the policy
 * decides, within what each user may hold ({@link UserShares}). Pure decisions; nothing is moved.
 * Owned by the planner's thread.
 */
final class Admissions {
  /** A block that is considered, and the space of the tier at that time. Immutable. */
  static final class Question {
    final Candidate candidate;

    /** The user whose hints ask for the block; null if none do. */
    final @Nullable String user;

    /** Expected time of the block's next use; {@link UserShares#NEVER} without a reference. */
    final long nextUse;

    /** Bytes free on the tier without a victim. */
    final long freeBytes;

    /** Bytes taken by residents, by writes in flight and by promotions under way. */
    final long takenBytes;

    /** Bytes that blocks may take in all. */
    final long capacityBytes;

    final long now;

    Question(
        Candidate candidate,
        @Nullable String user,
        long nextUse,
        long freeBytes,
        long takenBytes,
        long capacityBytes,
        long now) {
      this.candidate = candidate;
      this.user = user;
      this.nextUse = nextUse;
      this.freeBytes = freeBytes;
      this.takenBytes = takenBytes;
      this.capacityBytes = capacityBytes;
      this.now = now;
    }
  }

  /** Finds a device and its victims among the allowed devices; null if there is none. */
  private interface Places {
    @Nullable Place among(Predicate<String> allowed);
  }

  /** A decision and how to carry it out. Valid until the next event. */
  static final class Answer {
    final Decision decision;

    /** The free bytes that the decision was based on. */
    final long freeBytes;

    /** The victims were chosen by users' shares, not by the policy. */
    private final boolean byShare;

    private final Places places;

    /** With clean victims only, although the policy chose others. */
    private final Places cleanPlaces;

    private Answer(
        Decision decision, long freeBytes, boolean byShare, Places places, Places cleanPlaces) {
      this.decision = decision;
      this.freeBytes = freeBytes;
      this.byShare = byShare;
      this.places = places;
      this.cleanPlaces = cleanPlaces;
    }

    private Answer(Decision decision, long freeBytes, boolean byShare, Places places) {
      this(decision, freeBytes, byShare, places, allowed -> null);
    }

    /** The reason to record for its victims. */
    Reason whyEvicted() {
      return byShare ? Reason.USER_SHARE : Reason.EVICTED;
    }

    /** The device to write to and the victims on it; null if there is none. */
    @Nullable Place place(Predicate<String> allowed) {
      return places.among(allowed);
    }

    /**
     * The same with clean copies as victims, for when the victims of {@link #place} would have to
     * be written to a slow device that is busy: the first ones of the colder half of the policy's
     * order. Null if they don't make enough room.
     */
    @Nullable Place cleanPlace(Predicate<String> allowed) {
      return cleanPlaces.among(allowed);
    }
  }

  /** One in so many of the policy's order, the coldest, may go in place of dirty replicas. */
  private static final int COLDER_PART = 2;

  private final BlockTable table;
  private final CachePolicy policy;
  private final FastSpace space;
  private final Departures departures;
  private final SpaceShares shares;
  private final UserShares users;

  Admissions(
      BlockTable table,
      CachePolicy policy,
      FastSpace space,
      Departures departures,
      SpaceShares shares,
      UserShares users) {
    this.table = table;
    this.policy = policy;
    this.space = space;
    this.departures = departures;
    this.shares = shares;
    this.users = users;
  }

  /** Decides on a block that is not on the fast tier and is no larger than the largest device. */
  Answer decide(Question q) {
    // A block lies on one device: bytes that are free on others are no room for it.
    long free = Math.min(q.freeBytes, space.mostAvailableBytes());
    Decision decision = policy.decide(q.candidate, free, q.capacityBytes);
    Places byPolicy = allowed -> placeByPolicy(q, decision, allowed);
    Places clean = allowed -> colderClean(q, allowed);
    Answer plain = new Answer(decision, free, false, byPolicy, clean);
    long missing = q.candidate.sizeBytes() - free;
    if (missing <= 0 || (q.user == null && !users.any()) || !isForRoom(decision)) {
      return plain;
    }
    UserShares.Claim claim =
        users.claim(q.user, q.candidate.sizeBytes(), missing, q.takenBytes, q.now);
    Places allowedByPolicy = allowed -> within(claim, byPolicy.among(allowed));
    if (decision.isAdmit()) {
      Place place = byPolicy.among(device -> true);
      if (place == null || claim.allows(place.victims)) {
        Places allowedClean = allowed -> within(claim, clean.among(allowed));
        return new Answer(decision, free, false, allowedByPolicy, allowedClean);
      }
    }
    Answer ofRival = byShare(q, free, allowed -> ofRival(q, claim, allowed));
    if (ofRival != null) {
      return ofRival;
    }
    if (!decision.isAdmit() || q.user == null) {
      return plain; // shares refuse no read without hints
    }
    Iterable<BlockKey> own = claim.ownUsedAfter(q.nextUse);
    Answer ofOwn = byShare(q, free, allowed -> among(own, q, allowed));
    return ofOwn != null
        ? ofOwn
        : new Answer(Decision.bypass(Reason.USER_SHARE), free, false, byPolicy);
  }

  /**
   * Answers for a block that only passes through the tier: into free space, or in place of clean
   * copies that nothing needs.
   *
   * @param spare the blocks of such copies, the first to go first
   */
  Answer ahead(Question q, Iterable<BlockKey> spare) {
    long size = q.candidate.sizeBytes();
    Places places =
        allowed -> {
          String empty = size <= q.freeBytes ? space.roomiest(size, List.of(), allowed) : null;
          return empty != null
              ? new Place(empty, List.of())
              : departures.makeWay(spare, size, Kind.CLEAN, q.freeBytes, allowed, q.now);
        };
    return new Answer(Decision.admit(List.of()), q.freeBytes, false, places);
  }

  /**
   * Answers for a block that a directive pins: into free space, or in place of the first residents
   * of the policy's order, whatever they are worth and whoever hinted them. Clean copies go first,
   * because dirty replicas must be written to DISK for it.
   */
  Answer pin(Question q) {
    long size = q.candidate.sizeBytes();
    Places places =
        allowed -> {
          Place place =
              departures.placeFor(size, List.of(), Kind.CLEAN, q.freeBytes, allowed, q.now);
          return place != null || kind() == Kind.CLEAN
              ? place
              : departures.placeFor(size, List.of(), Kind.ANY, q.freeBytes, allowed, q.now);
        };
    return new Answer(Decision.admit(List.of()), q.freeBytes, false, places);
  }

  /** The block is promoted, or would be if no victim were needed. */
  private static boolean isForRoom(Decision decision) {
    return decision.isAdmit()
        || decision.reason() == Reason.COST_NOT_BELOW_GAIN
        || decision.reason() == Reason.NO_ROOM;
  }

  private static @Nullable Place within(UserShares.Claim claim, @Nullable Place place) {
    return place == null || claim.allows(place.victims) ? place : null;
  }

  /**
   * Admits the block in place of victims that the policy did not choose, if there are any and the
   * policy would promote the block into free space; otherwise null.
   */
  private @Nullable Answer byShare(Question q, long free, Places places) {
    Place place = places.among(device -> true);
    if (place == null) {
      return null;
    }
    long enough = Math.max(free, q.candidate.sizeBytes());
    if (!policy.decide(q.candidate, enough, q.capacityBytes).isAdmit()) {
      return null;
    }
    List<BlockKey> victims =
        place.victims.stream().map(BlockEntry::key).collect(Collectors.toList());
    return new Answer(Decision.admit(victims), free, true, places);
  }

  private @Nullable Place ofRival(Question q, UserShares.Claim claim, Predicate<String> allowed) {
    Place place = among(claim.rivals(), q, allowed);
    return place != null && claim.rivalMayLose(bytes(place.victims)) ? place : null;
  }

  private @Nullable Place among(Iterable<BlockKey> order, Question q, Predicate<String> allowed) {
    return departures.makeWay(order, q.candidate.sizeBytes(), kind(), q.freeBytes, allowed, q.now);
  }

  private static long bytes(List<BlockEntry> blocks) {
    return blocks.stream().mapToLong(BlockEntry::sizeBytes).sum();
  }

  /** Where clean copies have a share of their own, a new copy replaces other clean copies. */
  private Kind kind() {
    return shares.read() < 1 ? Kind.CLEAN : Kind.ANY;
  }

  private @Nullable Place placeByPolicy(Question q, Decision decision, Predicate<String> allowed) {
    long size = q.candidate.sizeBytes();
    Kind kind = kind();
    List<BlockEntry> chosen =
        kind == Kind.CLEAN
            ? departures.first(kind, size - q.freeBytes, Integer.MAX_VALUE, q.now)
            : named(decision);
    return chosen == null
        ? null
        : departures.placeFor(size, chosen, kind, q.freeBytes, allowed, q.now);
  }

  private @Nullable Place colderClean(Question q, Predicate<String> allowed) {
    Iterable<CacheKey> colder =
        Iterables.limit(policy.evictionOrder(), policy.residents() / COLDER_PART);
    long size = q.candidate.sizeBytes();
    return departures.makeWay(colder, size, Kind.CLEAN, q.freeBytes, allowed, q.now);
  }

  /** The policy's victims, each once; null if it names a block that it does not hold. */
  private @Nullable List<BlockEntry> named(Decision decision) {
    List<BlockEntry> victims = new ArrayList<>(decision.victims().size());
    for (CacheKey key : ImmutableSet.copyOf(decision.victims())) {
      BlockEntry victim = table.get(key);
      if (victim == null || !victim.isResident()) {
        return null;
      }
      victims.add(victim);
    }
    return victims;
  }

  /**
   * The copies that make way for a write where the policy would evict this one: the same copy, or
   * copies of a user who holds more by weight. Some may have begun to leave for another write.
   */
  List<BlockEntry> forWrite(BlockEntry chosen, long now) {
    List<BlockEntry> others =
        departures.first(
            users.insteadOf(chosen.key()), Kind.CLEAN, chosen.sizeBytes(), Integer.MAX_VALUE, now);
    return others.isEmpty() ? List.of(chosen) : others;
  }
}
