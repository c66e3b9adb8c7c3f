// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy.Eviction;
import com.google.common.collect.Iterables;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Window TinyLFU, implemented by a Caffeine cache that runs alongside and selects the victims.
 *
 * <p>Idea: a new block enters a window in LRU order. The block that leaves the window competes with
 * the victim of the main area: a sketch of 4-bit counters estimates how often each was read
 * recently, and the loser is evicted. The size of the window adapts to the hit ratio.
 *
 * <p>Complexity: O(1) per event, O(k) for a decision with k victims, of which more than 64 take
 * O(residents).
 *
 * <p>Memory: about 250 bytes per resident plus its key, and the sketch: 8 bytes per potential
 * resident.
 *
 * <p>Approximate: Caffeine's weights are multiples of 1/2^30 of the capacity, at least one byte,
 * rounded up. It takes no seed: of candidates that lose but were read often, it admits one in 128
 * at random. This is the only policy whose results may differ from run to run.
 *
 * <p>Source: Einziger, Friedman, Manes, "TinyLFU: a highly efficient cache admission policy" (ACM
 * TOS 13(4), 2017), and Einziger, Eytan, Friedman, Manes, "Adaptive software cache management"
 * (Middleware'18); the implementation is Caffeine's.
 */
final class WTinyLfuPolicy implements CachePolicy {
  private static final int WEIGHT_BITS = 30;
  private static final int MIN_BLOCKS = 16;
  private static final int MAX_BLOCKS = 1 << 20;

  /** Victims that are looked up at once; most decisions need fewer. */
  private static final int FEW = 64;

  /** The capacity may differ by one in so many: it changes with each checksum file. */
  private static final int TOLERANCE = 100;

  private final Map<CacheKey, Long> residents = new HashMap<>();

  /** Residents that Caffeine has evicted, in its order. */
  private final Set<CacheKey> condemned = new LinkedHashSet<>();

  private final List<CacheKey> evicted = new ArrayList<>();
  private @Nullable Cache<CacheKey, Long> cache;
  private long capacityBytes = -1;
  private long unitBytes = 1;

  /** The candidate of the last decision: in Caffeine's cache, but not resident as far as known. */
  private @Nullable CacheKey pending;

  /** The last decision, until the next event. */
  private @Nullable Decision last;

  private @Nullable Candidate lastCandidate;
  private long lastFreeBytes;
  private long lastCapacity;

  /**
   * @param sizeBytes size of a typical block, from which the sketch gets its full size at the
   *     start. Otherwise Caffeine would size it by the number of blocks once half the weight is
   *     used, and lose its counts each time it grows.
   */
  private Cache<CacheKey, Long> cacheFor(long capacity, long sizeBytes) {
    Cache<CacheKey, Long> current = cache;
    // Each change of the maximum has Caffeine begin anew with the size of its window.
    if (current != null && Math.abs(capacity - capacityBytes) <= capacityBytes / TOLERANCE) {
      return current;
    }
    long unit = Math.max(1, (capacity >> WEIGHT_BITS) + 1);
    if (current == null || unit != unitBytes) {
      Cache<CacheKey, Long> before = current;
      current = create(unit, capacity, capacity / Math.max(1, sizeBytes));
      unitBytes = unit;
      if (before != null) {
        for (CacheKey key : eviction(before).coldest(Integer.MAX_VALUE).keySet()) {
          Long size = residents.get(key);
          if (size != null) {
            current.put(key, size);
          }
        }
      }
      cache = current;
    } else {
      eviction(current).setMaximum(capacity / unit);
    }
    capacityBytes = capacity;
    condemnEvicted();
    return current;
  }

  private Cache<CacheKey, Long> create(long unit, long capacity, long blocks) {
    return Caffeine.newBuilder()
        .executor(Runnable::run)
        .initialCapacity((int) Math.max(MIN_BLOCKS, Math.min(MAX_BLOCKS, blocks)))
        .maximumWeight(capacity / unit)
        .weigher(
            (CacheKey key, Long size) ->
                (int) Math.min(Integer.MAX_VALUE, (size + unit - 1) / unit))
        .evictionListener((key, size, cause) -> evicted.add(key))
        .build();
  }

  private static Eviction<CacheKey, Long> eviction(Cache<CacheKey, Long> cache) {
    return cache.policy().eviction().orElseThrow();
  }

  private boolean isPending(CacheKey key) {
    CacheKey candidate = pending;
    return candidate != null && candidate.equals(key);
  }

  private void condemnEvicted() {
    for (CacheKey key : evicted) {
      if (isPending(key)) {
        pending = null;
      } else if (residents.containsKey(key)) {
        condemned.add(key);
      }
    }
    evicted.clear();
  }

  @Override
  public void onAccess(Access access) {
    last = null;
    CacheKey key = access.key();
    Cache<CacheKey, Long> current = cache;
    if (current == null || !residents.containsKey(key)) {
      return;
    }
    if (condemned.remove(key) || current.getIfPresent(key) == null) {
      put(current, key);
    }
  }

  /** Adds a resident. */
  private void put(Cache<CacheKey, Long> current, CacheKey key) {
    Long size = residents.get(key);
    if (size != null) {
      current.put(key, size);
      current.cleanUp();
      condemnEvicted();
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    last = null;
    boolean entered = isPending(key);
    if (entered) {
      pending = null;
    }
    Long before = residents.put(key, sizeBytes);
    if ((entered && before == null) || (before != null && before == sizeBytes)) {
      return;
    }
    condemned.remove(key);
    put(cacheFor(capacityBytes < 0 ? Long.MAX_VALUE >> 1 : capacityBytes, sizeBytes), key);
  }

  @Override
  public void onRemoved(CacheKey key) {
    last = null;
    if (residents.remove(key) == null) {
      return;
    }
    Cache<CacheKey, Long> current = cache;
    if (!condemned.remove(key) && current != null) {
      current.invalidate(key);
    }
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacity) {
    Decision before = last;
    Candidate of = lastCandidate;
    if (before != null
        && of != null
        && of.key().equals(candidate.key())
        && of.sizeBytes() == candidate.sizeBytes()
        && of.trigger() == candidate.trigger()
        && freeBytes == lastFreeBytes
        && capacity == lastCapacity) {
      return before;
    }
    Decision decision = choose(candidate, freeBytes, capacity);
    last = decision;
    lastCandidate = candidate;
    lastFreeBytes = freeBytes;
    lastCapacity = capacity;
    return decision;
  }

  private Decision choose(Candidate candidate, long freeBytes, long capacity) {
    CacheKey key = candidate.key();
    Decision refused = ReadFetchPolicy.refuse(candidate, residents.containsKey(key), capacity);
    if (refused != null) {
      return refused;
    }
    Cache<CacheKey, Long> current = cacheFor(capacity, candidate.sizeBytes());
    CacheKey before = pending;
    if (before != null && !before.equals(key)) {
      current.invalidate(before);
    }
    pending = key;
    current.put(key, candidate.sizeBytes());
    current.cleanUp();
    condemnEvicted();
    if (!isPending(key)) {
      return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    List<CacheKey> victims = new ArrayList<>();
    for (CacheKey victim : missingBytes > 0 ? evictionOrder() : List.<CacheKey>of()) {
      Long size = residents.get(victim);
      if (size != null) {
        victims.add(victim);
        missingBytes -= size;
      }
      if (missingBytes <= 0) {
        break;
      }
    }
    return missingBytes <= 0 ? Decision.admit(victims) : Decision.bypass(Reason.NO_ROOM);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    Cache<CacheKey, Long> current = cache;
    if (current == null) {
      return List.of();
    }
    return Iterables.filter(
        Iterables.concat(
            condemned,
            () -> coldest(current, FEW).iterator(),
            () -> coldest(current, Integer.MAX_VALUE).skip(FEW).iterator()),
        residents::containsKey);
  }

  /** A copy of the first blocks of the order: most callers need few. */
  private Stream<CacheKey> coldest(Cache<CacheKey, Long> current, int most) {
    return eviction(current).coldest(most).keySet().stream();
  }

  @Override
  public int residents() {
    return residents.size();
  }
}
