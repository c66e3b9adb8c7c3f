// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.spi.CachePolicy;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates policies from the value of {@code hycache.policy}. */
public final class Policies {
  /** All that {@link #builtIn} makes, in order. */
  private static final Set<String> NAMES =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              List.of(
                  "lru",
                  "lfu",
                  "fifo",
                  "clock",
                  "sieve",
                  "s3-fifo",
                  "gdsf",
                  "arc",
                  "lirs",
                  "w-tinylfu",
                  "random",
                  "weighted-lru",
                  "hystor",
                  "hit-density",
                  "hit-value",
                  "reuse",
                  "heuristic",
                  "pro-rata",
                  "lookahead",
                  "adaptive",
                  "belady",
                  "belady-size")));

  private static final Set<String> CLAIRVOYANT = Set.of("belady", "belady-size");

  private static final Set<String> USE_HINTS =
      Set.of("adaptive", "heuristic", "lookahead", "pro-rata");

  private Policies() {}

  /**
   * Creates a policy without residents.
   *
   * @param nameOrClass one of {@link #names}, or a class name
   * @param disk time that an HDD needs per operation
   * @param seed for policies that make random choices
   * @throws IllegalArgumentException if there is no such name or class, or the class is no policy;
   *     the message lists the expected names
   */
  public static CachePolicy create(String nameOrClass, DiskTime disk, long seed) {
    CachePolicy builtIn = builtIn(nameOrClass, disk, seed);
    if (builtIn != null) {
      return builtIn;
    }
    try {
      return Class.forName(nameOrClass, true, Policies.class.getClassLoader())
          .asSubclass(CachePolicy.class)
          .getConstructor()
          .newInstance();
    } catch (ClassNotFoundException e) {
      throw refused(nameOrClass, "no such class", e);
    } catch (ClassCastException e) {
      throw refused(nameOrClass, "the class does not implement CachePolicy", e);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw refused(nameOrClass, "the class has no public no-argument constructor", e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw refused(nameOrClass, "its constructor failed", e);
    }
  }

  /** {@link #create(String, DiskTime, long)} with the default disk and seed 1. */
  public static CachePolicy create(String nameOrClass) {
    return create(nameOrClass, DiskTime.DEFAULT, 1);
  }

  /** The names of the built-in policies, in order. */
  public static Set<String> names() {
    return NAMES;
  }

  /**
   * Whether a built-in policy needs known future accesses and can't decide from past ones alone.
   */
  public static boolean needsFuture(String name) {
    return USE_HINTS.contains(name) || isClairvoyant(name);
  }

  /**
   * Whether a built-in policy takes what it knows of the future for all that comes: to compare
   * others with where all accesses are known, as in the simulator.
   */
  public static boolean isClairvoyant(String name) {
    return CLAIRVOYANT.contains(name);
  }

  /**
   * Creates the policy that the settings name.
   *
   * @throws IllegalArgumentException if there is no such policy; the message names the property
   */
  public static CachePolicy create(HyCacheConfig config) {
    try {
      return create(config.policy(), DiskTime.DEFAULT.withWritePrice(config.writePrice()), 1);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("hycache." + e.getMessage(), e);
    }
  }

  private static IllegalArgumentException refused(String value, String why, Throwable cause) {
    return new IllegalArgumentException(
        "policy: expected "
            + String.join(", ", NAMES)
            + ", or the name of a public class that implements "
            + CachePolicy.class.getName()
            + " and has a public no-argument constructor, found "
            + value
            + " ("
            + why
            + ")",
        cause);
  }

  /** A built-in policy; null if there is none of this name. */
  private static @Nullable CachePolicy builtIn(String name, DiskTime disk, long seed) {
    switch (name) {
      case "lru":
        return new LruPolicy();
      case "lfu":
        return new LfuPolicy();
      case "fifo":
        return new FifoPolicy();
      case "clock":
        return new ClockPolicy();
      case "sieve":
        return new SievePolicy();
      case "s3-fifo":
        return new S3FifoPolicy();
      case "gdsf":
        return new GdsfPolicy();
      case "arc":
        return new ArcPolicy();
      case "lirs":
        return new LirsPolicy();
      case "w-tinylfu":
        return new WTinyLfuPolicy();
      case "random":
        return new RandomPolicy(seed);
      case "weighted-lru":
        return new WeightedLruPolicy();
      case "hystor":
        return new HystorPolicy();
      case "hit-density":
        return new HitDensityPolicy(disk);
      case "hit-value":
        return new HitDensityPolicy(disk, BlockKinds.Order.VALUE);
      case "reuse":
        return new ProRataPolicy(disk, new ReuseEstimator());
      case "heuristic":
        return new HeuristicPolicy();
      case "pro-rata":
        return new ProRataPolicy(disk, null);
      case "lookahead":
        return new LookaheadPolicy(disk);
      case "adaptive":
        return new AdaptivePolicy(disk, seed);
      case "belady":
        return new BeladyPolicy();
      case "belady-size":
        return new BeladySizePolicy(disk);
      default:
        return null;
    }
  }
}
