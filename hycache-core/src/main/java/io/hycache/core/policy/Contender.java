// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A policy with a simulated cache of its own, and what that cache has cost lately.
 *
 * <p>A block's first write costs the write to the HDD that follows when the block leaves; further
 * ones are free. The cost of a read that misses is one disk operation for each of its requests if
 * the block is bypassed, but no more than one of the whole block, which it is if the block is
 * fetched; a fetch also costs the price of the bytes written to SSD. A fetch because of a hint
 * costs the same when the block is read, or leaves unread. Costs decay, so that recent ones count
 * more.
 *
 * <p>O(1) per access plus the policy; about 80 bytes per block in the simulated cache plus the
 * policy. Not thread-safe.
 */
final class Contender {
  /** A block in the simulated cache. */
  private static final class Held extends BlockMap.Value {
    long sizeBytes;

    /** Fetched because of a hint, and not read since: its cost is that of the read to come. */
    boolean unread;

    /** Written since it arrived. */
    boolean dirty;

    Held(CacheKey key, long sizeBytes) {
      super(key);
      this.sizeBytes = sizeBytes;
    }
  }

  /** Notified of what arrives in the simulated cache and what leaves it. */
  interface Watcher {
    void arrived(Contender in, CacheKey key);

    void left(Contender from, CacheKey key);
  }

  final String name;
  final boolean usesHints;
  final CachePolicy policy;
  private final DiskTime disk;
  private final Watcher watcher;
  private final BlockMap<Held> held = new BlockMap<>();
  private long usedBytes;
  private long capacityBytes;
  private double diskSeconds;
  private double writtenBytes;
  private @Nullable CacheKey decidedOn;
  private @Nullable Decision lastDecision;

  Contender(String name, boolean usesHints, CachePolicy policy, DiskTime disk, Watcher watcher) {
    this.name = name;
    this.usesHints = usesHints;
    this.policy = policy;
    this.disk = disk;
    this.watcher = watcher;
  }

  // ---- costs ------------------------------------------------------------------------------------

  /** Recent disk time, in decayed seconds. */
  double diskSeconds() {
    return diskSeconds;
  }

  /** Recent disk time and the price of recent SSD writes, in decayed seconds. */
  double cost() {
    return diskSeconds + disk.secondsOfWrite(writtenBytes);
  }

  /** Recent disk time, and of the price of recent SSD writes what exceeds the default. */
  double diskSecondsAndDearWrites() {
    return diskSeconds + disk.secondsBeyondDefault(writtenBytes);
  }

  /** Multiplies the costs so far by a factor, 0 to 1. */
  void decay(double factor) {
    diskSeconds *= factor;
    writtenBytes *= factor;
  }

  /** Starts with the costs of another. */
  void takeCosts(Contender other) {
    diskSeconds = other.diskSeconds;
    writtenBytes = other.writtenBytes;
  }

  // ---- the simulated cache ----------------------------------------------------------------------

  boolean holds(CacheKey key) {
    return held.get(key) != null;
  }

  int blocks() {
    return held.size();
  }

  long usedBytes() {
    return usedBytes;
  }

  /** Bytes of the blocks in the simulated cache that are not some others. O(n). */
  long bytesBeside(Predicate<CacheKey> others) {
    long[] bytes = new long[1];
    held.forEach(block -> bytes[0] += others.test(block.key) ? 0 : block.sizeBytes);
    return bytes[0];
  }

  /** The policy's last decision if it was about this block; null otherwise. */
  @Nullable Decision lastDecision(CacheKey key) {
    return Objects.equals(key, decidedOn) ? lastDecision : null;
  }

  /** Blocks in the policy's order of eviction. */
  Iterable<CacheKey> evictionOrder() {
    return policy.evictionOrder();
  }

  /** As {@link BlockMap#warm}, for the cache and the policy. */
  int warm(CacheKey[] keys, int count) {
    int seen = held.warm(keys, count);
    return policy instanceof Warmable ? seen + ((Warmable) policy).warm(keys, count) : seen;
  }

  /** Inserts some of the blocks into the cache of another, in the order of eviction. */
  void copyTo(Contender other, Predicate<CacheKey> which, long now) {
    for (CacheKey key : policy.evictionOrder()) {
      Held block = held.get(key);
      if (block != null && which.test(key)) {
        other.insert(key, block.sizeBytes, now);
      }
    }
  }

  /** Removes all but some of the blocks; costs nothing. */
  void retain(Predicate<CacheKey> which) {
    List<CacheKey> others = new ArrayList<>();
    held.forEach(
        block -> {
          if (!which.test(block.key)) {
            block.unread = false;
            others.add(block.key);
          }
        });
    others.forEach(this::remove);
  }

  /** Changes the size of the cache; evicts what no longer fits. */
  void setCapacityBytes(long bytes) {
    capacityBytes = bytes;
    makeRoom(0, null);
  }

  private void pay(Held block) {
    if (block.unread) {
      block.unread = false;
      pay(block.sizeBytes);
    }
  }

  /** Adds the cost of a fetch. */
  private void pay(long sizeBytes) {
    diskSeconds += disk.seconds(sizeBytes);
    writtenBytes += sizeBytes;
  }

  /** Reads or writes a block, and fetches it if the policy decides so. */
  void access(Access access, long referencesLeft) {
    Held block = held.get(access.key());
    if (block != null && Replay.isOutgrown(block.sizeBytes, access)) {
      remove(access.key());
      block = null;
    }
    policy.onAccess(access);
    if (block != null) {
      pay(block);
      if (block.sizeBytes != access.sizeBytes()) {
        insert(access.key(), access.sizeBytes(), access.timeNanos());
      }
    } else {
      Candidate candidate =
          new Candidate(
              access.key(), access.sizeBytes(), Candidate.Trigger.READ_MISS, referencesLeft);
      boolean covers = access.isWrite() && access.requestBytes() == access.sizeBytes();
      if (!offer(candidate, access.timeNanos(), !covers)) {
        diskSeconds +=
            disk.secondsOfParts(access.requests(), access.requestBytes(), access.sizeBytes());
        return;
      }
      block = held.get(access.key());
    }
    if (access.isWrite() && block != null && !block.dirty) {
      block.dirty = true;
      diskSeconds += disk.seconds(block.sizeBytes);
    }
  }

  /** Fetches a block if the policy decides so; returns whether it does. */
  boolean offer(Candidate candidate, long now) {
    return offer(candidate, now, true);
  }

  private boolean offer(Candidate candidate, long now, boolean reads) {
    long free = capacityBytes - usedBytes;
    Decision decision = policy.decide(candidate, free, capacityBytes);
    decidedOn = candidate.key();
    lastDecision = decision;
    if (!decision.isAdmit()) {
      return false;
    }
    decision.victims().forEach(this::remove);
    insert(candidate.key(), candidate.sizeBytes(), now);
    Held block = held.get(candidate.key());
    if (block != null && candidate.trigger() == Candidate.Trigger.HINT) {
      block.unread = true;
    } else if (reads) {
      pay(candidate.sizeBytes());
    } else {
      writtenBytes += candidate.sizeBytes();
    }
    return true;
  }

  /**
   * Takes a block whatever the policy thinks, because it was written to the SSD; costs nothing. A
   * block larger than the cache is not taken.
   */
  void insert(CacheKey key, long sizeBytes, long now) {
    Held block = held.get(key);
    if (sizeBytes > capacityBytes) {
      remove(key);
      return;
    }
    makeRoom(sizeBytes - (block == null ? 0 : block.sizeBytes), key);
    if (block == null) {
      held.add(new Held(key, sizeBytes));
      usedBytes += sizeBytes;
    } else {
      usedBytes += sizeBytes - block.sizeBytes;
      block.sizeBytes = sizeBytes;
    }
    policy.onAdmitted(key, sizeBytes, now);
    if (block == null) {
      watcher.arrived(this, key);
    }
  }

  /** Removes a block, if it is there. */
  void remove(CacheKey key) {
    remove(key, true);
  }

  /** Removes a block, and what the policy knows of it. */
  void delete(CacheKey key) {
    remove(key);
    policy.onDeleted(key);
  }

  /** Removes a block that the real cache lost for a reason that is not this policy's. */
  void lose(CacheKey key) {
    remove(key, false);
  }

  private void remove(CacheKey key, boolean pays) {
    Held block = held.remove(key);
    if (block != null) {
      usedBytes -= block.sizeBytes;
      if (pays) {
        pay(block);
      }
      policy.onRemoved(key);
      watcher.left(this, key);
    }
  }

  private void makeRoom(long bytes, @Nullable CacheKey except) {
    long missing = bytes - (capacityBytes - usedBytes);
    if (missing <= 0) {
      return;
    }
    List<CacheKey> victims = new ArrayList<>();
    for (CacheKey victim : policy.evictionOrder()) {
      Held block = held.get(victim);
      if (missing <= 0) {
        break;
      }
      if (block != null && !Objects.equals(victim, except)) {
        victims.add(victim);
        missing -= block.sizeBytes;
      }
    }
    victims.forEach(this::remove);
  }
}
