package io.hycache.core.config;

import java.time.Duration;

/**
 * How much of a DataNode's hints one user may hold: {@code hycache.hints.user.*}. Immutable. What
 * all users may hold together is {@link HyCacheConfig#hintMaxSteps}.
 */
public final class HintLimits {
  /** A quarter of all hinted reads, as many workflows as a busy scheduler has, for a day. */
  public static final HintLimits DEFAULT = new HintLimits(250_000, 200, Duration.ofHours(24));

  private final int maxBlocks;
  private final int maxWorkflows;
  private final Duration maxTtl;

  /**
   * @param maxBlocks hinted reads, used up or not, of all workflows that are not, &gt; 0
   * @param maxWorkflows &gt; 0
   * @param maxTtl how long hints live at most, 1 ms or more
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public HintLimits(int maxBlocks, int maxWorkflows, Duration maxTtl) {
    this.maxBlocks = (int) HyCacheConfig.atLeast("hycache.hints.user.max-blocks", maxBlocks, 1);
    this.maxWorkflows =
        (int) HyCacheConfig.atLeast("hycache.hints.user.max-workflows", maxWorkflows, 1);
    if (maxTtl.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          "hycache.hints.user.max-ttl: found " + maxTtl + ", allowed is more than 0");
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
