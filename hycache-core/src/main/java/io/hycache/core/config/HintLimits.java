// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.config;

import java.time.Duration;

/**
 * Limits on the hints that one user may hold on a DataNode: {@code hycache.hints.user.*}. The limit
 * over all users is {@link HyCacheConfig#hintMaxReferences}. Immutable.
 */
public final class HintLimits {
  /** A quarter of all references, as many workflows as a busy scheduler runs, for one day. */
  public static final HintLimits DEFAULT = new HintLimits(250_000, 200, Duration.ofHours(24));

  private final int maxBlocks;
  private final int maxWorkflows;
  private final Duration maxTtl;

  /**
   * @param maxBlocks references of all active workflows of a user, including used-up ones, &gt; 0
   * @param maxWorkflows active workflows of a user, &gt; 0
   * @param maxTtl longest lifetime of hints, 1 ms or more
   * @throws IllegalArgumentException naming the key, the expected range and the value
   */
  public HintLimits(int maxBlocks, int maxWorkflows, Duration maxTtl) {
    this.maxBlocks = (int) HyCacheConfig.atLeast("hycache.hints.user.max-blocks", maxBlocks, 1);
    this.maxWorkflows =
        (int) HyCacheConfig.atLeast("hycache.hints.user.max-workflows", maxWorkflows, 1);
    if (maxTtl.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          "hycache.hints.user.max-ttl: expected more than 0, found " + maxTtl);
    }
    this.maxTtl = maxTtl;
  }

  public int maxBlocks() {
    return maxBlocks;
  }

  public int maxWorkflows() {
    return maxWorkflows;
  }

  public Duration maxTtl() {
    return maxTtl;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HintLimits && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return "maxBlocks=" + maxBlocks + " maxWorkflows=" + maxWorkflows + " maxTtl=" + maxTtl;
  }
}
