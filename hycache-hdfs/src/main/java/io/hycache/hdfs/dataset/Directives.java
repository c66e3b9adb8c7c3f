// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.engine.PinnedBlocks;
import io.hycache.core.engine.PublishedBlocks;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's cache directives ({@code hdfs cacheadmin}) on this DataNode: with {@code
 * hycache.directives}, caching a block means that its data and its checksum file are kept on SSD,
 * and the cache that the DataNode reports to the NameNode is the share of the SSDs for pins.
 *
 * <p>In all other cases (another mode than active, pass-through, a setting that was refused)
 * caching means what it means to HDFS, which locks the block in memory; see {@link LockedBlocks}.
 *
 * <p>A NameNode that has seen blocks in a report must see that they are gone, and HDFS sends it no
 * report while the capacity is 0. So once a block was reported, the capacity is a page at least,
 * also without an SSD or a share for pins; what is not there counts as used, so that no block is
 * assigned to it. Pass-through ends all pins: the capacity stays what it was, all of it counts as
 * used, and the report is empty.
 *
 * <p>With {@code hycache.advertise.blocks} the report has the hottest clean copies, too; see the
 * engine's {@code Advertiser}. They take nothing of the capacity: bytes and number of cached blocks
 * are those of pins.
 *
 * <p>A pinned block is not locked in memory, so clients verify its checksums as ever: HDFS's own
 * {@code isCached} is left as it is. Called by the threads of commands, heartbeats and JMX; never
 * throws and never blocks. Thread-safe.
 */
public final class Directives {
  private final boolean enabled;
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final HyCacheEngine engine;
  private final PinnedBlocks pinned;
  private final PublishedBlocks advertised;
  private final ReplicaEvents events;
  private final Activity activity;
  private final Guard guard;
  private final Counters counters;

  /** A report had a block in it. */
  private volatile boolean reported;

  /**
   * @param enabled false if directives are left to HDFS
   * @param areas clean area of each device, by device id; a live view
   */
  Directives(
      boolean enabled,
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      HyCacheEngine engine,
      ReplicaEvents events,
      Activity activity,
      Guard guard,
      Counters counters) {
    this.enabled = enabled;
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.engine = engine;
    this.pinned = engine.pinned();
    this.advertised = engine.advertised();
    this.events = events;
    this.activity = activity;
    this.guard = guard;
    this.counters = counters;
  }

  /** Returns true if directives pin blocks at present. */
  private boolean areOurs() {
    return enabled && activity.active();
  }

  /** Returns true in pass-through if pinned blocks were reported before. */
  private boolean wereOurs() {
    return reported && guard.tripped();
  }

  // ---- commands ---------------------------------------------------------------------------------

  /**
   * Called when the NameNode asks to cache blocks.
   *
   * @param plain HDFS's own caching
   */
  public void cache(String pool, long[] ids, Runnable plain) {
    List<BlockKey> blocks = keys(pool, ids);
    if (areOurs()) {
      guard.run("pin blocks", () -> engine.pin(blocks));
    } else {
      blocks.forEach(events::lockedInMemory);
      plain.run();
    }
  }

  /**
   * Called when the NameNode asks to uncache blocks.
   *
   * @param plain HDFS's own uncaching
   */
  public void uncache(String pool, long[] ids, Runnable plain) {
    List<BlockKey> blocks = keys(pool, ids);
    if (areOurs()) {
      guard.run("unpin blocks", () -> engine.unpin(blocks));
    } else {
      plain.run();
      blocks.forEach(events::unlocked);
    }
  }

  private static List<BlockKey> keys(String pool, long[] ids) {
    return Arrays.stream(ids).mapToObj(id -> new BlockKey(pool, id)).collect(Collectors.toList());
  }

  // ---- figures and reports ----------------------------------------------------------------------

  /** Returns the bytes that cached blocks may take, in all block pools. */
  public long capacityBytes(LongSupplier plain) {
    return areOurs() || wereOurs() ? capacityBytes() : plain.getAsLong();
  }

  private long capacityBytes() {
    long bytes = pinned.capacityBytes();
    return reported ? Math.max(store.pageBytes(), bytes) : bytes;
  }

  /**
   * Returns the bytes of blocks that are cached or being copied, at most the capacity. Blocks whose
   * copy has not begun are not in them: the NameNode takes those, which it has asked for and not
   * seen in a report, off what is left itself.
   */
  public long usedBytes(LongSupplier plain) {
    if (wereOurs()) {
      return capacityBytes();
    }
    if (!areOurs()) {
      return plain.getAsLong();
    }
    long left = Math.max(0, pinned.capacityBytes() - pinned.cachedBytes());
    return Math.max(0, capacityBytes() - left);
  }

  /** Returns the number of cached blocks of all pools. O(pins). */
  public long blocks(LongSupplier plain) {
    if (!areOurs()) {
      return plain.getAsLong();
    }
    return guard.call(
        "count pinned blocks",
        0L,
        () -> store.pools().stream().mapToLong(pool -> pinnedIds(pool).size()).sum());
  }

  /** Returns the number of blocks that could not be cached. */
  public long failedToCache(LongSupplier plain) {
    return areOurs() ? counters.get(Counter.PINS_FAILED) : plain.getAsLong();
  }

  /** Returns the number of blocks that could not be uncached. */
  public long failedToUncache(LongSupplier plain) {
    return areOurs() ? counters.get(Counter.UNPINS_FAILED) : plain.getAsLong();
  }

  /**
   * Returns the ids of the pinned and of the advertised blocks of a pool: only those that are on
   * SSD now. O(ids).
   */
  public List<Long> report(String pool, Supplier<List<Long>> plain) {
    if (!areOurs()) {
      return wereOurs() ? new ArrayList<>() : plain.get();
    }
    List<Long> ids = guard.call("report cached blocks", new ArrayList<>(), () -> reported(pool));
    if (!ids.isEmpty()) {
      reported = true;
    }
    return ids;
  }

  private List<Long> reported(String pool) {
    List<Long> ids = pinnedIds(pool);
    for (BlockKey block : advertised.blocks(pool)) {
      if (isServedFromCopy(block) && !pinned.contains(block)) {
        ids.add(block.id());
      }
    }
    return ids;
  }

  private List<Long> pinnedIds(String pool) {
    List<Long> ids = new ArrayList<>();
    for (BlockKey block : pinned.blocks(pool)) {
      if (isServedFromCopy(block) || isOnSsdVolume(block)) {
        ids.add(block.id());
      }
    }
    return ids;
  }

  /**
   * Returns true if data and checksum file of the replica's present state are on an SSD that is
   * well, as verified copies.
   */
  private boolean isServedFromCopy(BlockKey block) {
    CleanCopies.Copy copy = copies.get(block);
    return copy != null
        && store.isFinalizedOnDisk(copy.replica())
        && isWell(copy.data())
        && isWell(copy.checksums());
  }

  private boolean isOnSsdVolume(BlockKey block) {
    ReplicaView view = store.finalized(block);
    CleanArea area = view == null ? null : areas.get(view.volumeRoot().getPath());
    return view != null && view.onSsd() && area != null && !area.watch().sick();
  }

  private static boolean isWell(@Nullable CleanFile file) {
    return file != null && file.isVerified() && !file.area().watch().sick();
  }
}
