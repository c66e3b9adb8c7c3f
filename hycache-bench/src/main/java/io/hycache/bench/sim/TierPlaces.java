// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * On which of several fast tiers each resident of a simulated cache lies, and how many bytes each
 * tier serves. One policy decides for all tiers together, as in a DataNode: an object comes to the
 * fastest tier with room for it, which may be the room that its victims have left, and stays there
 * until it leaves. If no tier has room for all of it, as what is free is on several, it counts for
 * the slowest. Objects do not step down. O(tiers) per object that comes. Not thread-safe.
 */
final class TierPlaces implements CachePolicy {
  /** An object's tier and size. Immutable. */
  private static final class Place {
    final int tier;
    final long bytes;

    Place(int tier, long bytes) {
      this.tier = tier;
      this.bytes = bytes;
    }
  }

  private final CachePolicy policy;
  private final long[] capacityBytes;
  private final long[] usedBytes;
  private final long[] hitBytes;
  private final Map<CacheKey, Place> places = new HashMap<>();

  /**
   * @param capacityBytes of each tier, the fastest first
   */
  TierPlaces(CachePolicy policy, List<Long> capacityBytes) {
    this.policy = policy;
    this.capacityBytes = capacityBytes.stream().mapToLong(Long::longValue).toArray();
    this.usedBytes = new long[capacityBytes.size()];
    this.hitBytes = new long[capacityBytes.size()];
  }

  /** Bytes of requests that each tier served. */
  long[] hitBytes() {
    return hitBytes.clone();
  }

  /** Sizes of the tiers. */
  long[] capacityBytes() {
    return capacityBytes.clone();
  }

  /**
   * Seconds that the tiers took for what they served.
   *
   * @param bytesPerSec of each tier
   */
  double seconds(double[] bytesPerSec) {
    double seconds = 0;
    for (int tier = 0; tier < hitBytes.length; tier++) {
      seconds += hitBytes[tier] / bytesPerSec[tier];
    }
    return seconds;
  }

  private int tierFor(long bytes) {
    for (int tier = 0; tier < capacityBytes.length; tier++) {
      if (capacityBytes[tier] - usedBytes[tier] >= bytes) {
        return tier;
      }
    }
    return capacityBytes.length - 1;
  }

  private void leave(CacheKey key) {
    Place place = places.remove(key);
    if (place != null) {
      usedBytes[place.tier] -= place.bytes;
    }
  }

  @Override
  public void onAccess(Access access) {
    Place place = places.get(access.key());
    if (place != null) {
      hitBytes[place.tier] += access.requestBytes();
    }
    policy.onAccess(access);
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Place before = places.get(key);
    leave(key);
    int tier = before != null ? before.tier : tierFor(sizeBytes);
    places.put(key, new Place(tier, sizeBytes));
    usedBytes[tier] += sizeBytes;
    policy.onAdmitted(key, sizeBytes, nowNanos);
  }

  @Override
  public void onRemoved(CacheKey key) {
    leave(key);
    policy.onRemoved(key);
  }

  @Override
  public void onDeleted(CacheKey key) {
    leave(key);
    policy.onDeleted(key);
  }

  @Override
  public void onTime(long nowNanos) {
    policy.onTime(nowNanos);
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    policy.onReferences(key, remaining);
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    policy.onNextUse(key, atNanos);
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    policy.onUsedWithoutAccess(key);
  }

  @Override
  public void onClass(CacheKey key, String name) {
    policy.onClass(key, name);
  }

  @Override
  public void onSequence(KnownSequence sequence) {
    policy.onSequence(sequence);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long allBytes) {
    return policy.decide(candidate, freeBytes, allBytes);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return policy.evictionOrder();
  }

  @Override
  public int residents() {
    return policy.residents();
  }

  @Override
  public String follows() {
    return policy.follows();
  }

  @Override
  public String toString() {
    return "capacity=" + Arrays.toString(capacityBytes) + " used=" + Arrays.toString(usedBytes);
  }

  /** The sizes that {@code 5%+20%} names, the fastest tier first. */
  static List<Long> parse(String option, String text, long footprintBytes) {
    List<String> tiers = Units.tiers(text);
    if (tiers.contains("")) {
      throw new IllegalArgumentException(
          option + ": expected a size on each side of +, such as 5%+20%, found " + text);
    }
    return tiers.stream()
        .map(size -> Units.capacity(option, size, footprintBytes))
        .collect(Collectors.toList());
  }

  /** The transfer rates of tiers; null if none are given. */
  static double @Nullable [] rates(String option, @Nullable String text, int tiers) {
    if (text == null) {
      return null;
    }
    double[] rates =
        Units.list(text).stream().mapToDouble(rate -> Units.bytesPerSec(option, rate)).toArray();
    if (Arrays.stream(rates).anyMatch(rate -> rate <= 0)) {
      throw new IllegalArgumentException(
          option + ": expected more than 0 bytes/s for each tier, found " + text);
    }
    if (rates.length != tiers) {
      throw new IllegalArgumentException(
          option
              + ": expected a rate for each tier of --capacity, found "
              + rates.length
              + " for "
              + tiers
              + ". Fix: name as many");
    }
    return rates;
  }
}
