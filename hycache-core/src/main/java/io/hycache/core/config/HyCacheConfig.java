// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The engine's validated settings. Immutable. Keys, defaults, units and descriptions are in {@code
 * conf/hycache-default.xml}; this class holds the ranges.
 */
public final class HyCacheConfig {
  private static final int MAX_WRITE_PRICE = 100;
  private static final int MAX_USER_WEIGHT = 1000;
  private static final int MAX_SHADOW_BLOCKS = 1 << 18;
  private static final int MAX_ADVERTISED_BLOCKS = 100_000;

  /** What the plugin does with its decisions. */
  public enum Mode {
    /** Decides and moves blocks. */
    ACTIVE,
    /** Decides and counts, but moves nothing. */
    OBSERVE,
    /** Behaves as plain HDFS, with the plugin's classes loaded. */
    OFF;

    /**
     * Parses a mode, ignoring case.
     *
     * @throws IllegalArgumentException if the text names no mode
     */
    public static Mode parse(String text) {
      for (Mode mode : values()) {
        if (mode.name().equalsIgnoreCase(text.trim())) {
          return mode;
        }
      }
      throw new IllegalArgumentException(
          "hycache.mode: expected active, observe or off, found '" + text + "'");
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Mode mode;
  private final String policy;
  private final long minBlockBytes;
  private final double writeShare;
  private final double demoteHigh;
  private final double demoteLow;
  private final PartitionRule partition;
  private final Duration partitionPeriod;
  private final double reserveShare;
  private final double checksumShare;
  private final double driveWritesPerDay;
  private final int moverThreads;
  private final int queueLength;
  private final long demoteBytesPerSec;
  private final long demoteBusyBytesPerSec;
  private final long promoteBytesPerSec;
  private final long promoteBusyBytesPerSec;
  private final double prefetchShare;
  private final boolean directives;
  private final double pinsShare;
  private final int advertiseBlocks;
  private final int ringLength;
  private final int hintMaxReferences;
  private final HintLimits hintLimits;
  private final Map<String, Double> userWeights;
  private final int hotReads;
  private final int shadowBlocks;
  private final boolean policyClasses;
  private final double writePrice;
  private final Duration tick;

  private final Builder builder;

  private HyCacheConfig(Builder b) {
    builder = b.copy();
    mode = b.mode;
    policy = Objects.requireNonNull(b.policy);
    minBlockBytes = atLeast("hycache.write.min-block-size", b.minBlockBytes, 0);
    writeShare = share("hycache.write.share", b.writeShare);
    demoteHigh = share("hycache.demote.high", b.demoteHigh);
    demoteLow = share("hycache.demote.low", b.demoteLow);
    if (demoteLow > demoteHigh) {
      throw new IllegalArgumentException(
          "hycache.demote.low: expected at most hycache.demote.high="
              + demoteHigh
              + ", found "
              + demoteLow);
    }
    partition = b.partition;
    partitionPeriod = b.partitionPeriod;
    if (partitionPeriod.isNegative() || partitionPeriod.isZero()) {
      throw new IllegalArgumentException(
          "hycache.partition.period: expected more than 0, found " + partitionPeriod);
    }
    reserveShare = share("hycache.reserve.share", b.reserveShare);
    checksumShare = share("hycache.checksum.share", b.checksumShare);
    driveWritesPerDay = upTo("hycache.ssd.write-budget", b.driveWritesPerDay, 1000);
    moverThreads = (int) atLeast("hycache.mover.threads", b.moverThreads, 1);
    queueLength = (int) atLeast("hycache.mover.queue-length", b.queueLength, 1);
    demoteBytesPerSec = atLeast("hycache.demote.bandwidth", b.demoteBytesPerSec, 1);
    demoteBusyBytesPerSec = atLeast("hycache.demote.bandwidth.busy", b.demoteBusyBytesPerSec, 1);
    promoteBytesPerSec = atLeast("hycache.promote.bandwidth", b.promoteBytesPerSec, 1);
    promoteBusyBytesPerSec = atLeast("hycache.promote.bandwidth.busy", b.promoteBusyBytesPerSec, 1);
    prefetchShare = share("hycache.prefetch.share", b.prefetchShare);
    directives = b.directives;
    pinsShare = share("hycache.pins.share", b.pinsShare);
    advertiseBlocks = (int) atLeast("hycache.advertise.blocks", b.advertiseBlocks, 0);
    if (advertiseBlocks > MAX_ADVERTISED_BLOCKS) {
      throw new IllegalArgumentException(
          "hycache.advertise.blocks: expected at most "
              + MAX_ADVERTISED_BLOCKS
              + ", found "
              + advertiseBlocks);
    }
    ringLength = (int) atLeast("hycache.events.buffer-length", b.ringLength, 64);
    hintMaxReferences = (int) atLeast("hycache.hints.max-blocks", b.hintMaxReferences, 1);
    hintLimits = b.hintLimits;
    userWeights = Map.copyOf(b.userWeights);
    userWeights.forEach(HyCacheConfig::checkWeight);
    hotReads = (int) atLeast("hycache.cooperation.hot-reads", b.hotReads, 0);
    shadowBlocks = (int) atLeast("hycache.shadow.max-blocks", b.shadowBlocks, 0);
    if (shadowBlocks > MAX_SHADOW_BLOCKS) {
      throw new IllegalArgumentException(
          "hycache.shadow.max-blocks: expected at most "
              + MAX_SHADOW_BLOCKS
              + ", found "
              + shadowBlocks);
    }
    policyClasses = b.policyClasses;
    writePrice = upTo("hycache.policy.write-price", b.writePrice, MAX_WRITE_PRICE);
    tick = b.tick;
    if (tick.isNegative() || tick.isZero()) {
      throw new IllegalArgumentException("tick: expected more than 0, found " + tick);
    }
  }

  private static double share(String key, double value) {
    return upTo(key, value, 1);
  }

  private static double upTo(String key, double value, int most) {
    if (!(value >= 0 && value <= most)) {
      throw new IllegalArgumentException(key + ": expected 0 to " + most + ", found " + value);
    }
    return value;
  }

  private static void checkWeight(String user, double weight) {
    if (!(weight > 0 && weight <= MAX_USER_WEIGHT)) {
      throw new IllegalArgumentException(
          "hycache.users."
              + user
              + ".weight: expected more than 0 and at most "
              + MAX_USER_WEIGHT
              + ", found "
              + weight);
    }
  }

  static long atLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + ": expected " + least + " or more, found " + value);
    }
    return value;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A builder with the settings of another configuration. */
  public static Builder builder(HyCacheConfig other) {
    return other.builder.copy();
  }

  public Mode mode() {
    return mode;
  }

  /** Name or class name of the policy. */
  public String policy() {
    return policy;
  }

  /** Smallest block size whose writes are placed on SSD. */
  public long minBlockBytes() {
    return minBlockBytes;
  }

  /** How the fast tier is split between read space and write space. */
  public PartitionRule partition() {
    return partition;
  }

  /** Time between two adjustments of an automatic split, &gt; 0. */
  public Duration partitionPeriod() {
    return partitionPeriod;
  }

  /** Share of the fast tier for dirty replicas and in-flight writes, 0 to 1. */
  public double writeShare() {
    return writeShare;
  }

  /** High watermark: share of dirty bytes above which devices in use are written, too, 0 to 1. */
  public double demoteHigh() {
    return demoteHigh;
  }

  /** Low watermark: share of dirty bytes above which demotion begins, 0 to 1. */
  public double demoteLow() {
    return demoteLow;
  }

  /** Share of the fast tier that is kept free, 0 to 1. */
  public double reserveShare() {
    return reserveShare;
  }

  /** Share of the fast tier for checksum files of blocks whose data is not on it, 0 to 1. */
  public double checksumShare() {
    return checksumShare;
  }

  /** Write budget of each fast device in drive writes per day; 0 for no limit. */
  public double driveWritesPerDay() {
    return driveWritesPerDay;
  }

  public int moverThreads() {
    return moverThreads;
  }

  public int queueLength() {
    return queueLength;
  }

  public long demoteBytesPerSec() {
    return demoteBytesPerSec;
  }

  /** Demotion rate to a DISK volume while users read or write it. */
  public long demoteBusyBytesPerSec() {
    return demoteBusyBytesPerSec;
  }

  public long promoteBytesPerSec() {
    return promoteBytesPerSec;
  }

  /** Promotion rate from a DISK volume while users wait for its disk head. */
  public long promoteBusyBytesPerSec() {
    return promoteBusyBytesPerSec;
  }

  /** Share of the fast tier for blocks fetched ahead of a single reference, 0 to 1; 0 for none. */
  public double prefetchShare() {
    return prefetchShare;
  }

  /** Whether cache directives pin blocks on the fast tier. */
  public boolean directives() {
    return directives;
  }

  /** Share of the fast tier that pinned blocks may take, 0 to 1. */
  public double pinsShare() {
    return pinsShare;
  }

  /** Most clean copies that are reported as cached although no directive pins them; 0 for none. */
  public int advertiseBlocks() {
    return advertiseBlocks;
  }

  public int ringLength() {
    return ringLength;
  }

  /** Limit on references over all users. */
  public int hintMaxReferences() {
    return hintMaxReferences;
  }

  /** Limits on the hints of each user. */
  public HintLimits hintLimits() {
    return hintLimits;
  }

  /**
   * Weights by user name in the division of the fast space among hinted blocks; users not listed
   * have weight 1. Immutable.
   */
  public Map<String, Double> userWeights() {
    return userWeights;
  }

  /** Number of reads after which a block is promoted although another DataNode has it on SSD. */
  public int hotReads() {
    return hotReads;
  }

  /**
   * Most blocks in each of the two samples of the shadow working set, 0 to 262,144; 0: there is
   * none.
   */
  public int shadowBlocks() {
    return shadowBlocks;
  }

  /** Whether policies get the class of a block: its reader's, or its workflow's. */
  public boolean policyClasses() {
    return policyClasses;
  }

  /** Price of a byte written to SSD, as a part of the time to transfer it from an HDD; 0 to 100. */
  public double writePrice() {
    return writePrice;
  }

  /** Longest pause of the planner between two rounds. */
  public Duration tick() {
    return tick;
  }

  /** Collects settings; {@link #build} validates them. Not thread-safe. */
  public static final class Builder implements Cloneable {
    private Mode mode = Mode.ACTIVE;
    private String policy = "adaptive";
    private long minBlockBytes = 64L << 20;
    private double writeShare = 0.9;
    private double demoteHigh = 0.5;
    private double demoteLow = 0.3;
    private PartitionRule partition = PartitionRule.SHARED;
    private Duration partitionPeriod = Duration.ofMinutes(1);
    private double reserveShare = 0.03;
    private double checksumShare = 0.03;
    private double driveWritesPerDay;
    private int moverThreads = 2;
    private int queueLength = 1024;
    private long demoteBytesPerSec = 64L << 20;
    private long demoteBusyBytesPerSec = 2L << 20;
    private long promoteBytesPerSec = 256L << 20;
    private long promoteBusyBytesPerSec = 2L << 20;
    private double prefetchShare = 0.2;
    private boolean directives;
    private double pinsShare = 0.5;
    private int advertiseBlocks;
    private int ringLength = 1 << 14;
    private int hintMaxReferences = 1_000_000;
    private HintLimits hintLimits = HintLimits.DEFAULT;
    private Map<String, Double> userWeights = Map.of();
    private int hotReads = 8;
    private int shadowBlocks = 1 << 14;
    private boolean policyClasses = true;
    private double writePrice = 0.05;
    private Duration tick = Duration.ofMillis(100);

    private Builder() {}

    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    public Builder policy(String value) {
      policy = value;
      return this;
    }

    public Builder minBlockBytes(long value) {
      minBlockBytes = value;
      return this;
    }

    public Builder writeShare(double value) {
      writeShare = value;
      return this;
    }

    public Builder demoteWatermarks(double low, double high) {
      demoteLow = low;
      demoteHigh = high;
      return this;
    }

    public Builder partition(PartitionRule rule, Duration period) {
      partition = rule;
      partitionPeriod = period;
      return this;
    }

    public Builder reserveShare(double value) {
      reserveShare = value;
      return this;
    }

    public Builder checksumShare(double value) {
      checksumShare = value;
      return this;
    }

    public Builder driveWritesPerDay(double value) {
      driveWritesPerDay = value;
      return this;
    }

    public Builder moverThreads(int value) {
      moverThreads = value;
      return this;
    }

    public Builder queueLength(int value) {
      queueLength = value;
      return this;
    }

    public Builder demoteBytesPerSec(long value, long busy) {
      demoteBytesPerSec = value;
      demoteBusyBytesPerSec = busy;
      return this;
    }

    public Builder promoteBytesPerSec(long value, long busy) {
      promoteBytesPerSec = value;
      promoteBusyBytesPerSec = busy;
      return this;
    }

    public Builder prefetchShare(double value) {
      prefetchShare = value;
      return this;
    }

    public Builder directives(boolean value) {
      directives = value;
      return this;
    }

    public Builder pinsShare(double value) {
      pinsShare = value;
      return this;
    }

    public Builder advertiseBlocks(int value) {
      advertiseBlocks = value;
      return this;
    }

    public Builder ringLength(int value) {
      ringLength = value;
      return this;
    }

    public Builder hintMaxReferences(int value) {
      hintMaxReferences = value;
      return this;
    }

    public Builder hintLimits(HintLimits value) {
      hintLimits = value;
      return this;
    }

    public Builder userWeights(Map<String, Double> value) {
      userWeights = value;
      return this;
    }

    public Builder hotReads(int value) {
      hotReads = value;
      return this;
    }

    public Builder shadowBlocks(int value) {
      shadowBlocks = value;
      return this;
    }

    public Builder writePrice(double value) {
      writePrice = value;
      return this;
    }

    public Builder policyClasses(boolean value) {
      policyClasses = value;
      return this;
    }

    public Builder tick(Duration value) {
      tick = value;
      return this;
    }

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException naming the key, the expected range and the value
     */
    private Builder copy() {
      try {
        return (Builder) clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }

    public HyCacheConfig build() {
      return new HyCacheConfig(this);
    }
  }
}
