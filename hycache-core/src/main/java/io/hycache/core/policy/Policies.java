// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.spi.CachePolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Creates policies from the value of {@code hycache.policy}. */
public final class Policies {
  /** Creates a policy from the parameters of {@link Policies#create(String, DiskTime, long)}. */
  private interface Maker {
    CachePolicy make(DiskTime disk, long seed);
  }

  private static final Map<String, Maker> BY_NAME = byName();
  private static final Set<String> NEED_FUTURE =
      Set.of("adaptive", "heuristic", "lookahead", "pro-rata", "belady", "belady-size");

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
    Maker builtIn = BY_NAME.get(nameOrClass);
    if (builtIn != null) {
      return builtIn.make(disk, seed);
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
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  /**
   * Whether a built-in policy needs known future accesses and can't decide from past ones alone.
   */
  public static boolean needsFuture(String name) {
    return NEED_FUTURE.contains(name);
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
            + String.join(", ", BY_NAME.keySet())
            + ", or the name of a public class that implements "
            + CachePolicy.class.getName()
            + " and has a public no-argument constructor, found "
            + value
            + " ("
            + why
            + ")",
        cause);
  }

  private static Map<String, Maker> byName() {
    Map<String, Maker> names = new LinkedHashMap<>();
    names.put("lru", (disk, seed) -> new LruPolicy());
    names.put("lfu", (disk, seed) -> new LfuPolicy());
    names.put("fifo", (disk, seed) -> new FifoPolicy());
    names.put("clock", (disk, seed) -> new ClockPolicy());
    names.put("sieve", (disk, seed) -> new SievePolicy());
    names.put("s3-fifo", (disk, seed) -> new S3FifoPolicy());
    names.put("gdsf", (disk, seed) -> new GdsfPolicy());
    names.put("arc", (disk, seed) -> new ArcPolicy());
    names.put("lirs", (disk, seed) -> new LirsPolicy());
    names.put("w-tinylfu", (disk, seed) -> new WTinyLfuPolicy());
    names.put("random", (disk, seed) -> new RandomPolicy(seed));
    names.put("weighted-lru", (disk, seed) -> new WeightedLruPolicy());
    names.put("hystor", (disk, seed) -> new HystorPolicy());
    names.put("hit-density", (disk, seed) -> new HitDensityPolicy(disk));
    names.put("hit-value", (disk, seed) -> new HitDensityPolicy(disk, BlockKinds.Order.VALUE));
    names.put("reuse", (disk, seed) -> new ProRataPolicy(disk, new ReuseEstimator()));
    names.put("heuristic", (disk, seed) -> new HeuristicPolicy());
    names.put("pro-rata", (disk, seed) -> new ProRataPolicy(disk, null));
    names.put("lookahead", (disk, seed) -> new LookaheadPolicy(disk));
    names.put("adaptive", AdaptivePolicy::new);
    names.put("belady", (disk, seed) -> new BeladyPolicy());
    names.put("belady-size", (disk, seed) -> new BeladySizePolicy(disk));
    return names;
  }
}
