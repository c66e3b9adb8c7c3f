// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Base class of policies whose search for a victim changes their state: a hand advances, bits are
 * cleared, queues rotate.
 *
 * <p>Idea: a victim is removed from the policy's lists and waits among the condemned until it is
 * evicted. The next decision starts with those, so repeating a decision gives the same answer. A
 * condemned block that is read returns to the lists ({@link #reprieve}). Every block just read is
 * fetched; hints are not used (see {@link ReadFetchPolicy}).
 *
 * <p>Complexity: O(1) per event, and O(k) amortized for a decision with k victims, excluding the
 * policy's own work.
 */
abstract class SweepPolicy implements CachePolicy {
  /** Blocks that a list of ghosts may hold in any case. */
  private static final int MIN_GHOSTS = 65_536;

  /** Blocks that it may hold beyond that for each resident. */
  private static final int GHOSTS_PER_RESIDENT = 4;

  private final BlockMap<Resident> residents = new BlockMap<>();
  private final ResidentList condemned = new ResidentList();
  private long bytes;

  /** Adds a new resident to the lists. */
  abstract void insert(Resident resident);

  /** Handles a read of a resident in the lists. */
  abstract void touch(Resident resident);

  /** Removes a resident from the lists. */
  void forget(Resident resident) {
    resident.leaveList();
  }

  /** Finds the next victim and removes it from the lists; null if they are empty. */
  abstract @Nullable Resident condemn();

  /**
   * All residents in the lists, in the order in which they would be condemned if nothing were read.
   */
  abstract Iterable<Resident> order();

  /** Returns a condemned resident that was read to the lists. */
  void reprieve(Resident resident) {
    insert(resident);
  }

  /** Called after a victim was evicted. */
  void left(Resident resident) {}

  /** Forgets what is remembered of a block that is not resident. */
  void forgetGhost(CacheKey key) {}

  /** Called before a search for victims. */
  void prepare(Candidate candidate, long freeBytes, long capacityBytes) {}

  @Override
  public final void onAccess(Access access) {
    Resident resident = residents.get(access.key());
    if (resident == null) {
      return;
    }
    if (condemned.has(resident)) {
      condemned.remove(resident);
      reprieve(resident);
    } else {
      touch(resident);
    }
  }

  @Override
  public final void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(key);
    if (resident == null) {
      resident = new Resident(key, sizeBytes);
      residents.add(resident);
      bytes += sizeBytes;
      insert(resident);
      return;
    }
    bytes += sizeBytes - resident.sizeBytes;
    if (resident.list != null) {
      resident.list.resized(sizeBytes - resident.sizeBytes);
    }
    resident.sizeBytes = sizeBytes;
  }

  @Override
  public final void onRemoved(CacheKey key) {
    Resident resident = residents.remove(key);
    if (resident == null) {
      return;
    }
    bytes -= resident.sizeBytes;
    if (condemned.has(resident)) {
      condemned.remove(resident);
      left(resident);
    } else {
      forget(resident);
    }
  }

  @Override
  public final void onDeleted(CacheKey key) {
    onRemoved(key);
    forgetGhost(key);
  }

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused =
        ReadFetchPolicy.refuse(candidate, residents.get(candidate.key()) != null, capacityBytes);
    if (refused != null) {
      return refused;
    }
    prepare(candidate, freeBytes, capacityBytes);
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes > bytes) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    List<CacheKey> victims = new ArrayList<>();
    Resident victim = condemned.first();
    while (missingBytes > 0) {
      if (victim == null) {
        victim = condemn();
        if (victim == null) {
          return Decision.bypass(Reason.NO_ROOM);
        }
        condemned.addLast(victim);
      }
      victims.add(victim.key);
      missingBytes -= victim.sizeBytes;
      victim = condemned.after(victim);
    }
    return Decision.admit(victims);
  }

  @Override
  public final Iterable<CacheKey> evictionOrder() {
    return Iterables.transform(Iterables.concat(condemned, order()), resident -> resident.key);
  }

  @Override
  public final int residents() {
    return residents.size();
  }

  /** Blocks that a list of ghosts may hold, at most. */
  final int maxGhosts() {
    return Math.max(MIN_GHOSTS, GHOSTS_PER_RESIDENT * residents.size());
  }

  /** Total bytes of all residents. */
  final long bytes() {
    return bytes;
  }
}
