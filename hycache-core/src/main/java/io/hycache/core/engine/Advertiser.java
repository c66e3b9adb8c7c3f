// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Lists;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Chooses the clean copies that the DataNode reports to the NameNode as cached, beside what
 * directives pin: the {@code hycache.advertise.blocks} hottest that are stable. The NameNode names
 * their hosts to clients and schedulers. Advertised blocks take no space from pins, and are evicted
 * as others are.
 *
 * <p>A block's heat is the number of its accesses since its copy was made; one of {@link
 * #HALF_LIFE_NANOS} ago counts half. The list does not flap: it is revised every {@link
 * #REVISION_NANOS}, a block comes to it after {@link #MIN_READS} accesses in at least {@link
 * #STABLE_NANOS}, another takes its place only with twice its heat, and a revision replaces a tenth
 * of the list at most.
 *
 * <p>The NameNode asks to uncache, again and again, whatever no directive covers. That is no user's
 * wish, so a block is not withdrawn for it. But a block leaves the list {@link #IDLE_NANOS} after
 * its last access, and so the requests for it end. What was pinned, and is released because its
 * directive ended, is not listed for {@link #REST_NANOS}, so that the directive is seen to end. A
 * listed block that the NameNode has not asked to uncache for {@link #UNASKED_NANOS} stands for a
 * replica that a directive wants cached, and that no DataNode pins. It is withdrawn, and rests, so
 * that the NameNode asks a DataNode to cache it.
 *
 * <p>A NameNode that has begun to ask does not cease when a directive is added later: it counts the
 * block for the directive and goes on asking to uncache it, until no DataNode reports the block. So
 * a block that has been listed for {@link #PAUSED_AFTER_NANOS} is not reported for {@link
 * #PAUSE_NANOS}, once in {@link #PAUSE_PERIOD_NANOS}, while it keeps its place in the list; a
 * revision begins the pauses of a tenth at most. The time of its pause depends on its id and the
 * wall clock alone, and so is the same on all DataNodes that advertise it, as far as their clocks
 * agree.
 *
 * <p>A block whose copy leaves the fast device, or whose replica changes, leaves the list at once.
 * O(1) an access; a revision is O(n log n) of at most {@link #TRACKED_PER_LISTED} blocks for each
 * that may be listed; about 150 bytes for each of these, and 100 for each block that rests. Owned
 * by the planner's thread, which publishes the list to others.
 */
final class Advertiser {
  /** Time between two revisions: that between two cache reports of a DataNode, by default. */
  static final long REVISION_NANOS = TimeUnit.SECONDS.toNanos(10);

  static final long STABLE_NANOS = TimeUnit.MINUTES.toNanos(1);
  static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long UNASKED_NANOS = TimeUnit.MINUTES.toNanos(3);
  static final long REST_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long HALF_LIFE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** A pause of a block begins once in this time. */
  static final long PAUSE_PERIOD_NANOS = TimeUnit.MINUTES.toNanos(30);

  /**
   * A revision, a cache report (10 s) and a scan of the NameNode (30 s) take less than a minute;
   * the rest is for clocks that differ.
   */
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** Shorter than the time between two pauses. */
  static final long PAUSED_AFTER_NANOS = TimeUnit.MINUTES.toNanos(10);

  static final int MIN_READS = 2;
  static final int TRACKED_PER_LISTED = 4;

  /** A revision changes 1 of this many of the list at most. */
  private static final int CHANGED_PART = 10;

  /** Times the heat of a listed block that another needs to take its place. */
  private static final double HYSTERESIS = 2;

  private static final class Heat {
    final BlockKey block;

    /** From this time on it may be listed, if it does not rest. */
    long stableNanos;

    long listedNanos;

    /** When it was listed, or when the NameNode last asked to uncache it. */
    long askedNanos;

    long readNanos;
    int reads;

    /** It has a place in the list. */
    boolean listed;

    /** It has a place in the list, but is not reported while it rests. */
    boolean pausing;

    /** As of the last revision. */
    double rank;

    /** As of {@link #readNanos}. */
    private double value;

    Heat(BlockKey block) {
      this.block = block;
    }

    void read(long now) {
      value = at(now) + 1;
      readNanos = now;
      reads++;
    }

    double at(long now) {
      return value * Math.pow(2, -(double) (now - readNanos) / HALF_LIFE_NANOS);
    }

    boolean isUnasked(long now) {
      return !pausing && now - askedNanos > UNASKED_NANOS;
    }

    boolean isIdle(long now) {
      return now - readNanos > IDLE_NANOS;
    }
  }

  private final LiveConfig config;
  private final Counters counters;
  private final RoundClock clock;
  private final LongSupplier wallMillis;
  private final PublishedBlocks list;
  private final Map<BlockKey, Heat> heats = new HashMap<>();

  /** Blocks that are not listed, whatever becomes of their copy, and until when. */
  private final Map<BlockKey, Long> resting = new HashMap<>();

  private long revisedNanos = Long.MIN_VALUE;

  /**
   * @param wallMillis the time of day, in milliseconds since the epoch
   * @param list receives every change
   */
  Advertiser(
      LiveConfig config,
      Counters counters,
      RoundClock clock,
      LongSupplier wallMillis,
      PublishedBlocks list) {
    this.config = config;
    this.counters = counters;
    this.clock = clock;
    this.wallMillis = wallMillis;
    this.list = list;
  }

  /** Most blocks that may be listed. */
  private int limit() {
    HyCacheConfig now = config.get();
    return now.directives() && now.mode() == Mode.ACTIVE ? now.advertiseBlocks() : 0;
  }

  // ---- events -----------------------------------------------------------------------------------

  /** A read completed an access to a block that is not pinned. */
  void read(BlockEntry entry, BlockKey block) {
    int limit = limit();
    if (limit == 0 || !entry.cleanData()) {
      return;
    }
    Heat heat = heats.get(block);
    if (heat == null) {
      if (heats.size() >= (long) TRACKED_PER_LISTED * limit) {
        return; // until the next revision drops the coldest
      }
      heat = track(block);
    }
    heat.read(clock.now());
  }

  private Heat track(BlockKey block) {
    Heat heat = new Heat(block);
    heat.readNanos = clock.now();
    heat.stableNanos = clock.now() + STABLE_NANOS;
    heats.put(block, heat);
    return heat;
  }

  /** The block's copy left the fast device, or begins to; or it is pinned from now on. */
  void gone(BlockKey block) {
    Heat heat = heats.isEmpty() ? null : heats.remove(block);
    if (heat != null && heat.listed) {
      withdraw(heat);
    }
  }

  /** A directive that pinned the block ended. */
  void released(BlockKey block) {
    if (limit() > 0) {
      rest(block, REST_NANOS);
    }
  }

  private void rest(BlockKey block, long nanos) {
    resting.put(block, clock.now() + nanos);
  }

  /**
   * The NameNode asks to uncache a block that is not pinned. Returns false if it is none that was
   * advertised, or pinned until lately.
   */
  boolean asked(BlockKey block) {
    Heat heat = heats.get(block);
    if (heat != null) {
      heat.askedNanos = clock.now();
    } else if (!resting.containsKey(block)) {
      return false;
    }
    counters.increment(Counter.ADVERTISED_ASKED);
    return true;
  }

  /** Nothing is advertised any more. */
  void clear() {
    resting.clear();
    if (!heats.isEmpty()) {
      heats.values().stream().filter(heat -> heat.listed).forEach(this::withdraw);
      heats.clear();
    }
  }

  // ---- revision ---------------------------------------------------------------------------------

  /** Revises the list if it is time to. */
  void maintain() {
    long now = clock.now();
    int limit = limit();
    if (limit == 0) {
      clear();
    } else if (revisedNanos == Long.MIN_VALUE || now - revisedNanos >= REVISION_NANOS) {
      revisedNanos = now;
      revise(limit, now);
    }
  }

  private void revise(int limit, long now) {
    resting.values().removeIf(until -> now - until >= 0);
    heats.values().removeIf(heat -> !heat.listed && heat.isIdle(now));
    long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
    heats.values().stream()
        .filter(heat -> heat.listed && !heat.pausing)
        .filter(heat -> now - heat.listedNanos >= PAUSED_AFTER_NANOS && pauses(heat.block, wall))
        .limit(most(limit))
        .forEach(this::pause);
    List<Heat> order = new ArrayList<>(heats.values());
    order.forEach(heat -> heat.rank = heat.at(now) * (heat.listed ? HYSTERESIS : 1));
    order.sort(Comparator.comparingDouble((Heat heat) -> heat.rank).reversed());
    Set<Heat> wanted =
        order.stream()
            .filter(heat -> mayBeListed(heat, now))
            .limit(limit)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Lists.reverse(order).stream()
        .filter(heat -> heat.listed && !wanted.contains(heat))
        .limit(most(limit))
        .forEach(
            heat -> {
              if (heat.isUnasked(now)) {
                rest(heat.block, REST_NANOS);
              }
              withdraw(heat);
            });
    heats.values().stream()
        .filter(heat -> heat.pausing && !resting.containsKey(heat.block))
        .forEach(this::report);
    long listed = heats.values().stream().filter(heat -> heat.listed).count();
    wanted.stream()
        .filter(heat -> !heat.listed)
        .limit(Math.max(0, Math.min(most(limit), limit - listed)))
        .forEach(this::list);
    order.stream()
        .skip((long) TRACKED_PER_LISTED * limit / 2)
        .filter(heat -> !heat.listed)
        .forEach(heat -> heats.remove(heat.block));
  }

  /** Most blocks that a revision withdraws, lists, and lets pause. */
  private static int most(int limit) {
    return Math.max(1, limit / CHANGED_PART);
  }

  /** True if the pause of the block is at this time of day. */
  static boolean pauses(BlockKey block, long wallNanos) {
    long offsetNanos = TimeUnit.MILLISECONDS.toNanos(block.hashCode());
    return Math.floorMod(wallNanos + offsetNanos, PAUSE_PERIOD_NANOS) < PAUSE_NANOS;
  }

  private boolean mayBeListed(Heat heat, long now) {
    return heat.listed
        ? !heat.isIdle(now) && !heat.isUnasked(now)
        : heat.reads >= MIN_READS
            && now - heat.stableNanos >= 0
            && !resting.containsKey(heat.block);
  }

  private void list(Heat heat) {
    heat.listed = true;
    report(heat);
    counters.increment(Counter.ADVERTISED);
  }

  private void report(Heat heat) {
    heat.pausing = false;
    heat.listedNanos = clock.now();
    heat.askedNanos = clock.now();
    list.add(heat.block);
  }

  private void pause(Heat heat) {
    heat.pausing = true;
    rest(heat.block, PAUSE_NANOS);
    list.remove(heat.block);
  }

  private void withdraw(Heat heat) {
    heat.listed = false;
    heat.pausing = false;
    list.remove(heat.block);
    counters.increment(Counter.ADVERTISED_WITHDRAWN);
  }
}
