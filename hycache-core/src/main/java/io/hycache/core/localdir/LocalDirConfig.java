// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.policy.Policies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The validated settings of one tree. Immutable. Error messages give the setting, what was expected
 * and what was found.
 */
public final class LocalDirConfig {
  private final Path ssd;
  private final List<Path> hdds;
  private final List<Path> neighbours;
  private final String policy;
  private final double high;
  private final double low;
  private final long capacityBytes;
  private final long bandwidthBytesPerSec;
  private final long leastBytes;
  private final Duration grace;
  private final Duration sweepGrace;
  private final Duration period;

  private LocalDirConfig(Builder b) {
    ssd = root("ssd", b.ssd);
    if (b.hdds.isEmpty()) {
      throw new IllegalArgumentException(
          "hdd: expected at least one directory on an HDD for ssd=" + ssd + ", found none");
    }
    LinkedHashSet<Path> roots = new LinkedHashSet<>();
    for (Path hdd : b.hdds) {
      Path root = root("hdd", hdd);
      if (TreeLayout.overlap(root, ssd)) {
        throw new IllegalArgumentException(
            "hdd: expected a directory outside of ssd="
                + ssd
                + " that does not contain it, found "
                + root);
      }
      for (Path other : roots) {
        if (TreeLayout.overlap(root, other)) {
          throw new IllegalArgumentException(
              "hdd: expected each HDD once and none inside another, found "
                  + root
                  + " and "
                  + other);
        }
      }
      roots.add(root);
    }
    hdds = List.copyOf(roots);
    neighbours = List.copyOf(b.neighbours);
    policy = b.policy;
    var unused = Policies.create(policy);
    high = share("high", b.high);
    low = share("low", b.low);
    if (low > high) {
      throw new IllegalArgumentException("low: expected at most high=" + high + ", found " + low);
    }
    capacityBytes = atLeast("capacity", b.capacityBytes, 0);
    bandwidthBytesPerSec = atLeast("bandwidth", b.bandwidthBytesPerSec, 1);
    leastBytes = atLeast("least-size", b.leastBytes, 1);
    grace = notNegative("grace", b.grace);
    sweepGrace = notNegative("sweep-grace", b.sweepGrace);
    period = notNegative("period", b.period);
    if (period.isZero()) {
      throw new IllegalArgumentException("period: expected more than 0, found " + period);
    }
  }

  private static Path root(String what, Path path) {
    Path root = path.toAbsolutePath().normalize();
    if (root.getNameCount() == 0) {
      throw new IllegalArgumentException(
          what + ": expected a directory below the root of the file system, found " + path);
    }
    return root;
  }

  private static double share(String key, double value) {
    if (!(value > 0 && value <= 1)) {
      throw new IllegalArgumentException(
          key + ": expected more than 0 (0%) up to 1 (100%), found " + value);
    }
    return value;
  }

  private static long atLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + ": expected " + least + " or more, found " + value);
    }
    return value;
  }

  private static Duration notNegative(String key, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(key + ": expected 0 or more, found " + value);
    }
    return value;
  }

  /** Starts with the defaults for the tree under an SSD root. */
  public static Builder builder(Path ssd) {
    return new Builder(ssd);
  }

  /** The root of the tree as jobs see it; absolute and normalized. */
  public Path ssd() {
    return ssd;
  }

  /** The roots on HDDs, at least one; absolute and normalized. */
  public List<Path> hdds() {
    return hdds;
  }

  /** The roots of other trees that may have the same HDDs. */
  public List<Path> neighbours() {
    return neighbours;
  }

  /** Name or class name of the policy. */
  public String policy() {
    return policy;
  }

  /** High watermark: share of the SSD above which files move down, 0 to 1. */
  public double high() {
    return high;
  }

  /** Low watermark: share of the SSD at which moving down stops, 0 to 1. */
  public double low() {
    return low;
  }

  /** Bytes that the tree may use on the SSD; 0 for the whole file system. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Rate limit of moves from or to one HDD. */
  public long bandwidthBytesPerSec() {
    return bandwidthBytesPerSec;
  }

  /** Minimum size of files that move down: below it, a link costs more than it frees. */
  public long leastBytes() {
    return leastBytes;
  }

  /** Time since its last change after which a file may move. */
  public Duration grace() {
    return grace;
  }

  /** Time without a link after which a file on an HDD is removed. */
  public Duration sweepGrace() {
    return sweepGrace;
  }

  /** Time between two checks of the SSD below the high watermark. */
  public Duration period() {
    return period;
  }

  @Override
  public String toString() {
    return "ssd="
        + ssd
        + " hdds="
        + hdds
        + " policy="
        + policy
        + " high="
        + high
        + " low="
        + low
        + " capacityBytes="
        + capacityBytes
        + " bandwidthBytesPerSec="
        + bandwidthBytesPerSec
        + " leastBytes="
        + leastBytes
        + " grace="
        + grace
        + " sweepGrace="
        + sweepGrace
        + " period="
        + period;
  }

  /** Collects settings; those not set keep their defaults. */
  public static final class Builder {
    private final Path ssd;
    private final List<Path> hdds = new ArrayList<>();
    private final List<Path> neighbours = new ArrayList<>();
    private String policy = "heuristic";
    private double high = 0.7;
    private double low = 0.5;
    private long capacityBytes;
    private long bandwidthBytesPerSec = 100L << 20;
    private long leastBytes = 64L << 10;
    private Duration grace = Duration.ofSeconds(10);
    private Duration sweepGrace = Duration.ofSeconds(60);
    private Duration period = Duration.ofSeconds(1);

    private Builder(Path ssd) {
      this.ssd = ssd;
    }

    /** Adds an HDD root. */
    public Builder hdd(Path hdd) {
      hdds.add(hdd);
      return this;
    }

    /** Adds HDD roots. */
    public Builder hdds(List<Path> more) {
      hdds.addAll(more);
      return this;
    }

    /**
     * Adds roots of other trees that may have the same HDDs. What they have there is not reported
     * as left behind. This tree may be among them.
     */
    public Builder neighbours(List<Path> ssds) {
      neighbours.addAll(ssds);
      return this;
    }

    /** Default: {@code heuristic}. */
    public Builder policy(String nameOrClass) {
      policy = nameOrClass;
      return this;
    }

    /** Default: 0.7. */
    public Builder high(double share) {
      high = share;
      return this;
    }

    /** Default: 0.5. */
    public Builder low(double share) {
      low = share;
      return this;
    }

    /** Default: 0, the whole file system. */
    public Builder capacityBytes(long bytes) {
      capacityBytes = bytes;
      return this;
    }

    /** Default: 100 MiB/s. */
    public Builder bandwidthBytesPerSec(long bytesPerSec) {
      bandwidthBytesPerSec = bytesPerSec;
      return this;
    }

    /** Default: 64 KiB. */
    public Builder leastBytes(long bytes) {
      leastBytes = bytes;
      return this;
    }

    /** Default: 10 s. */
    public Builder grace(Duration time) {
      grace = time;
      return this;
    }

    /** Default: 60 s. */
    public Builder sweepGrace(Duration time) {
      sweepGrace = time;
      return this;
    }

    /** Default: 1 s. */
    public Builder period(Duration time) {
      period = time;
      return this;
    }

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException naming the setting, what was expected and what was found
     */
    public LocalDirConfig build() {
      return new LocalDirConfig(this);
    }
  }
}
