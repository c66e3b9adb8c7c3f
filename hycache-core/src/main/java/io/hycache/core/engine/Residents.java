// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The blocks that the policy holds: the residents of the usable devices. Residents of other devices
 * (sick, hanging, removed) are suspended: they are taken out of the policy in its order when the
 * device leaves, and put back in that order, as the youngest, when it returns. So a policy never
 * names a victim that can't leave. A block that the policy holds counts for the user whose hints
 * brought it; a suspended block counts for none. What is pinned belongs to neither policy nor user.
 *
 * <p>O(1) an event; O(residents) when a device leaves, O(suspended) when one returns. About 100
 * bytes for each suspended block. Owned by the planner's thread.
 */
final class Residents {
  private final BlockTable table;
  private final LivePolicy policy;
  private final FastSpace space;
  private final UserShares users;
  private final AheadCopies ahead;
  private final Pins pins;
  private final Advertiser advertiser;
  private final Set<BlockKey> suspended = new LinkedHashSet<>();
  private Set<String> usable = Set.of();

  Residents(
      BlockTable table,
      LivePolicy policy,
      FastSpace space,
      UserShares users,
      AheadCopies ahead,
      Pins pins,
      Advertiser advertiser) {
    this.table = table;
    this.policy = policy;
    this.space = space;
    this.users = users;
    this.ahead = ahead;
    this.pins = pins;
    this.advertiser = advertiser;
  }

  /** The block came to a fast device, or its size or device changed. */
  void admitted(BlockEntry entry, long now) {
    BlockKey key = entry.key();
    ahead.arrived(key, now);
    if (pins.holds(key)) {
      pinned(key); // its move may have begun before the pin
      pins.refresh(entry);
    } else if (space.usable(entry.device())) {
      suspended.remove(key);
      policy.onAdmitted(key, entry.sizeBytes(), now);
      users.arrived(key, entry.sizeBytes());
    } else if (suspended.add(key)) {
      policy.onRemoved(key);
      users.leaves(key);
    }
  }

  /** The block left the fast devices, or begins to, which may fail. */
  void removed(BlockKey key) {
    advertiser.gone(key);
    suspended.remove(key);
    policy.onRemoved(key);
    BlockEntry entry = table.get(key);
    if (entry != null && entry.isResident()) {
      users.leaves(key);
      ahead.leaves(key);
    } else {
      forget(key);
    }
    if (entry != null) {
      pins.refresh(entry);
    } else {
      pins.away(key);
    }
  }

  /**
   * Called when a block was pinned. From then on no policy manages it, it counts for no user, and
   * it does not leave after its last expected read.
   */
  void pinned(BlockKey key) {
    advertiser.gone(key);
    suspended.remove(key);
    policy.onRemoved(key);
    users.forget(key);
    ahead.pinned(key);
  }

  /** Called when a pin ended. The block is a resident like others, with the reads it had. */
  void unpinned(BlockEntry entry, long now) {
    if (entry.isResident()) {
      admitted(entry, now);
      if (space.usable(entry.device())) {
        LivePolicy.replayReads(policy, entry, now);
      }
    }
  }

  /** The block's replica is gone. */
  void deleted(BlockKey key) {
    policy.onDeleted(key);
  }

  /** The block is neither on the fast tier nor on its way there. */
  private void forget(BlockKey key) {
    users.forget(key);
    ahead.left(key);
  }

  /** A promotion ended, well or not. A block that did not arrive counts for no user. */
  void settled(BlockKey key) {
    BlockEntry entry = table.get(key);
    if (entry == null || !entry.isResident()) {
      forget(key);
    }
  }

  /** After a look at the devices: suspends residents of those that left, resumes others. */
  void devicesChanged(long now) {
    Set<String> found = ImmutableSet.copyOf(space.ids());
    if (found.equals(usable)) {
      return;
    }
    boolean lost = !found.containsAll(usable);
    usable = found;
    if (lost) {
      suspend();
    }
    resume(now);
  }

  private void suspend() {
    List<BlockKey> leaving = new ArrayList<>();
    for (CacheKey key : policy.evictionOrder()) {
      BlockEntry entry = table.get(key);
      if (entry != null && !space.usable(entry.device())) {
        leaving.add(entry.key());
      }
    }
    for (BlockKey key : leaving) {
      suspended.add(key);
      policy.onRemoved(key);
      users.leaves(key);
    }
  }

  private void resume(long now) {
    Iterator<BlockKey> keys = suspended.iterator();
    while (keys.hasNext()) {
      BlockKey key = keys.next();
      BlockEntry entry = table.get(key);
      if (entry == null || !entry.isResident()) {
        keys.remove();
        forget(key);
      } else if (space.usable(entry.device())) {
        keys.remove();
        policy.onAdmitted(key, entry.sizeBytes(), now);
        users.arrived(key, entry.sizeBytes());
        LivePolicy.replayReads(policy, entry, now);
      }
    }
  }

  /**
   * Makes the sums of table, policy and users agree again, after an Error may have interrupted a
   * change of them. O(n).
   */
  void repair(long now) {
    table.recount();
    pins.repair(table);
    List<BlockKey> gone = new ArrayList<>();
    for (CacheKey key : policy.evictionOrder()) {
      BlockEntry entry = table.get(key);
      if (entry == null || !entry.isResident()) {
        gone.add(BlockKey.of(key));
      }
    }
    gone.forEach(this::removed);
    users.recount(block -> table.get(block) != null);
    ahead.retain(block -> table.get(block) != null);
    for (BlockEntry entry : table.entries()) {
      if (entry.isResident() && entry.moving() != Moving.EVICTING) {
        admitted(entry, now);
      } else if (entry.moving() != Moving.PROMOTING) {
        removed(entry.key());
      }
    }
  }

  /**
   * Makes the policy hold the residents of usable devices and no other block, after it failed or
   * was replaced: one that is in no order would never leave. Those that move are left to the
   * outcome of the move. O(n).
   */
  void reconcile(long now) {
    Set<BlockKey> held = new HashSet<>();
    // The limit ends an order that has no end.
    for (CacheKey key : Iterables.limit(policy.evictionOrder(), table.size())) {
      held.add(BlockKey.of(key));
    }
    for (BlockKey key : held) {
      if (!isUsable(key)) {
        policy.onRemoved(key);
      }
    }
    for (BlockEntry entry : table.entries()) {
      BlockKey key = entry.key();
      if (entry.moving() == Moving.NOTHING && isUsable(key) && !held.contains(key)) {
        policy.onAdmitted(key, entry.sizeBytes(), now);
        LivePolicy.replayReads(policy, entry, now);
      }
    }
  }

  /**
   * Checks that policy, users and table agree, while nothing moves. O(n); for tests.
   *
   * @throws IllegalStateException naming what is wrong
   */
  void checkInvariants() {
    int held = policy.residents() + suspended.size();
    long resident =
        Streams.stream(table.entries()).filter(e -> e.isResident() && !pins.holds(e)).count();
    if (resident != held) {
      throw new IllegalStateException(
          "policy and table differ: policy=" + held + " table=" + resident);
    }
    users.checkInvariants(this::isResident, this::isUsable);
    ahead.checkInvariants(this::isResident);
    pins.checkInvariants(table);
  }

  private boolean isResident(BlockKey key) {
    BlockEntry entry = table.get(key);
    return entry != null && entry.isResident();
  }

  /** True for a resident of a usable device. */
  private boolean isUsable(BlockKey key) {
    BlockEntry entry = table.get(key);
    return entry != null
        && entry.isResident()
        && space.usable(entry.device())
        && !pins.holds(entry);
  }
}
