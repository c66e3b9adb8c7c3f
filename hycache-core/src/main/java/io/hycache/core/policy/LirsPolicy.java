// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Iterables;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * LIRS: keeps blocks with few other blocks between their last two reads.
 *
 * <p>Idea: a block's inter-reference recency (IRR) is the number of other blocks between its last
 * two reads. Blocks of low IRR (LIR) own 99 % of the space. The others (HIR) pass through a short
 * queue, from which victims are taken. A stack in order of reads, whose bottom is always LIR,
 * detects changes: a HIR block that is read while still in the stack has a lower IRR than the LIR
 * block at the bottom, and the two change roles.
 *
 * <p>Complexity: O(1) amortized per event and per victim.
 *
 * <p>Memory: about 230 bytes per resident plus its key, about 130 per non-resident block in the
 * stack.
 *
 * <p>Choices where the source is silent: sizes are in bytes. The non-resident blocks in the stack
 * amount to at most twice the capacity, and are bounded in number; the oldest are dropped first.
 * While the LIR blocks have not filled their share, a new block is LIR.
 *
 * <p>Source: S. Jiang, X. Zhang, "LIRS: an efficient low inter-reference recency set replacement
 * policy" (SIGMETRICS'02), section 3.
 */
final class LirsPolicy extends SweepPolicy {
  private static final double HIR_SHARE = 0.01;

  private final ResidentList lir = new ResidentList();
  private final ResidentList queue = new ResidentList();

  /** Bottom first. An entry's resident is null for a block that is not resident. */
  private final Map<CacheKey, Entry> stack = new LinkedHashMap<>();

  /** Blocks in the stack that are not resident. */
  private final GhostList ghosts = new GhostList();

  private long capacityBytes = Long.MAX_VALUE;

  /** State of a block in the stack. */
  private static final class Entry {
    static final Entry GHOST = new Entry(null);
    final @Nullable Resident resident;

    Entry(@Nullable Resident resident) {
      this.resident = resident;
    }
  }

  private void toTop(Resident resident) {
    stack.remove(resident.key);
    stack.put(resident.key, new Entry(resident));
  }

  private long lirTarget() {
    return capacityBytes - (long) Math.max(1, capacityBytes * HIR_SHARE);
  }

  @Override
  void insert(Resident resident) {
    boolean inStack = ghosts.remove(resident.key);
    toTop(resident);
    if (inStack || lir.bytes() + resident.sizeBytes <= lirTarget()) {
      lir.addLast(resident);
      shrinkLir();
    } else {
      queue.addLast(resident);
    }
  }

  /** Turns the bottom LIR blocks into HIR until the LIR blocks fit their share. */
  private void shrinkLir() {
    while (lir.bytes() > lirTarget() && lir.size() > 1) {
      prune();
      Resident bottom = bottom();
      if (bottom == null) {
        return;
      }
      stack.remove(bottom.key);
      lir.remove(bottom);
      queue.addLast(bottom);
    }
    prune();
  }

  private @Nullable Resident bottom() {
    Iterator<Entry> it = stack.values().iterator();
    return it.hasNext() ? it.next().resident : null;
  }

  private boolean isLir(Entry entry) {
    Resident resident = entry.resident;
    return resident != null && lir.has(resident);
  }

  /** Removes HIR blocks from the bottom of the stack. */
  private void prune() {
    Iterator<Map.Entry<CacheKey, Entry>> it = stack.entrySet().iterator();
    while (it.hasNext()) {
      Map.Entry<CacheKey, Entry> lowest = it.next();
      if (isLir(lowest.getValue())) {
        return;
      }
      ghosts.remove(lowest.getKey());
      it.remove();
    }
  }

  @Override
  void touch(Resident resident) {
    boolean inStack = stack.containsKey(resident.key);
    toTop(resident);
    if (lir.has(resident)) {
      prune();
      return;
    }
    queue.remove(resident);
    rank(resident, inStack);
  }

  @Override
  void reprieve(Resident resident) {
    boolean inStack = stack.containsKey(resident.key);
    toTop(resident);
    rank(resident, inStack);
  }

  /** Handles a read of a HIR block. */
  private void rank(Resident resident, boolean inStack) {
    if (inStack) {
      lir.addLast(resident);
      shrinkLir();
    } else {
      queue.addLast(resident);
    }
  }

  @Override
  void forget(Resident resident) {
    stack.remove(resident.key);
    boolean wasLir = lir.has(resident);
    super.forget(resident);
    if (wasLir) {
      prune();
    }
  }

  @Override
  void prepare(Candidate candidate, long freeBytes, long capacity) {
    if (capacity != capacityBytes) {
      capacityBytes = capacity;
      shrinkLir();
    }
  }

  @Override
  @Nullable Resident condemn() {
    Resident victim = queue.pollFirst();
    if (victim == null) {
      prune();
      victim = bottom();
      if (victim != null) {
        stack.remove(victim.key);
        lir.remove(victim);
        prune();
      }
    }
    return victim;
  }

  @Override
  void left(Resident resident) {
    if (stack.containsKey(resident.key)) {
      stack.put(resident.key, Entry.GHOST);
      ghosts.add(resident.key, resident.sizeBytes);
      forgetOldest();
    }
  }

  @Override
  void forgetGhost(CacheKey key) {
    if (ghosts.remove(key)) {
      stack.remove(key);
    }
  }

  private void forgetOldest() {
    long most = capacityBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * capacityBytes;
    ghosts.trim(most, maxGhosts(), stack::remove);
  }

  /** The queue, and then the LIR blocks from the bottom of the stack. O(stack) for all. */
  @Override
  Iterable<Resident> order() {
    Iterable<Entry> ofLir = Iterables.filter(stack.values(), this::isLir);
    return Iterables.concat(
        queue, Iterables.transform(ofLir, entry -> requireNonNull(entry.resident)));
  }
}
