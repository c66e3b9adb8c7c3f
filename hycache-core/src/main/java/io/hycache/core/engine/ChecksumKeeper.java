// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.ReplicaNotCacheableException;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the checksum files of DISK replicas on SSD.
 *
 * <p>Idea: every block read opens the checksum file too, so for 1/128 of the space a cold read on
 * DISK is spared most of its disk operations. Files of blocks just read or hinted (the wanted
 * queue) are copied before all others (the background). When the share is used up, a wanted file
 * replaces one that was not read since the hand last passed it (CLOCK over the rows of the block
 * table); a background file waits. A replica whose copy failed rests ({@link FailedReplicas}),
 * whether it is read or not. Each slow device is read from by a thread of its own, one file at a
 * time where there are several ({@link SlowSources}), so that one that hangs holds up no other. All
 * steps O(1) amortized; five bits for each replica. Owned by the planner's thread.
 */
final class ChecksumKeeper {
  /** Copies under way at a time, over all devices. */
  private static final int MAX_CONCURRENT_COPIES = 4;

  /** Rows that the hand passes in one search, so that events do not wait for it. */
  private static final int MAX_HAND_STEPS = 10_000;

  /** Pause of background copies after a copy failed. */
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Pause between two background files while users wait for a slow device's head: eight files a
   * second take little of its time.
   */
  private static final long BACKGROUND_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

  /** Files that one search leaves for later, at most, because their slow device is in use. */
  private static final int MAX_POSTPONED_PER_ROUND = 64;

  /** Until files left for later are looked at again if no copy has ended meanwhile. */
  private static final long POSTPONED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Remembered refusals; all are forgotten at once, and each then costs one more attempt. */
  private static final int MAX_REFUSED = 10_000;

  private final HyCacheConfig config;
  private final BlockTable table;
  private final FastSpace space;
  private final WriteBudgets budgets;
  private final Movers movers;
  private final Host host;
  private final Counters counters;
  private final RoundClock clock;
  private final SlowSources sources;

  /** Blocks that were read or hinted, the first to be copied first. */
  private final Set<BlockKey> wanted = new LinkedHashSet<>();

  /** Rows whose checksum file may be copied when no wanted one waits. */
  private final BitSet background = new BitSet();

  /** Rows like these whose slow device was in use, or did not respond. */
  private final BitSet postponed = new BitSet();

  /** Rows like these whose copy failed: looked at again from time to time, as they rest. */
  private final BitSet resting = new BitSet();

  private final FailedReplicas failures = new FailedReplicas();

  /** Rows whose checksum file is kept. */
  private final BitSet kept = new BitSet();

  /** Kept rows that were read since the hand last passed them. */
  private final BitSet readSince = new BitSet();

  /** Replicas whose checksum file is too long to be kept. */
  private final Set<Replica> refused = new HashSet<>();

  private int backgroundAt;
  private int hand;

  /** Copies under way to each device, and their bytes. */
  private final BytesByDevice inFlight = new BytesByDevice();

  private final BytesByDevice inFlightBytes = new BytesByDevice();

  /** Devices from which a file is being removed. */
  private final Set<String> evicting = new HashSet<>();

  private long restUntilNanos = Long.MIN_VALUE;
  private long backgroundNanos = Long.MIN_VALUE;
  private long resumedNanos;

  ChecksumKeeper(
      HyCacheConfig config,
      BlockTable table,
      FastSpace space,
      WriteBudgets budgets,
      Movers movers,
      Host host,
      Counters counters,
      RoundClock clock) {
    this.config = config;
    this.budgets = budgets;
    this.table = table;
    this.space = space;
    this.sources = new SlowSources(space);
    this.movers = movers;
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  /** A replica, or the place of its copies, has changed. */
  void onReplica(BlockEntry entry) {
    int row = entry.row();
    kept.set(row, entry.checksumBytes() > 0);
    background.set(row, lacks(entry));
    if (entry.checksumBytes() == 0) {
      readSince.clear(row);
    }
  }

  /** The replica is about to leave the table. */
  void onGone(BlockEntry entry) {
    kept.clear(entry.row());
    readSince.clear(entry.row());
    background.clear(entry.row());
    postponed.clear(entry.row());
    resting.clear(entry.row());
  }

  /** Takes over the slow devices that respond. */
  void update(List<SlowDevice> devices) {
    sources.update(devices);
  }

  void onRead(BlockEntry entry) {
    if (entry.checksumBytes() > 0) {
      readSince.set(entry.row());
    } else {
      want(entry, config.queueLength());
    }
  }

  /**
   * The block is about to be read: its checksum file is copied before all background ones. Half of
   * the queue is left to blocks that were read.
   */
  void wantFirst(BlockEntry entry) {
    want(entry, config.queueLength() / 2);
  }

  private void want(BlockEntry entry, int maxWanted) {
    if (lacks(entry) && wanted.size() < maxWanted) {
      wanted.add(entry.key());
    }
  }

  private boolean lacks(BlockEntry entry) {
    return entry.home() == Home.DISK
        && entry.checksumBytes() == 0
        && entry.sizeBytes() > 0
        && (refused.isEmpty() || !refused.contains(entry.replica()));
  }

  /**
   * Begins the copies for which there is room.
   *
   * @param usersWait users wait for a slow device's head: background copies slow down
   */
  void maintain(long now, boolean usersWait) {
    long budget = (long) (space.capacityBytes() * config.checksumShare());
    if (taken() > budget) {
      evictColdest();
    }
    if (now - resumedNanos >= POSTPONED_NANOS) {
      resumedNanos = now;
      resume();
      background.or(resting);
      resting.clear();
    }
    int left = MAX_POSTPONED_PER_ROUND;
    boolean moreWanted = true;
    while (left > 0 && inFlight.on(space.ids()) < MAX_CONCURRENT_COPIES) {
      BlockEntry next = moreWanted ? nextWanted() : null;
      boolean first = next != null;
      moreWanted = first;
      if (!first && backgroundPauses(now, usersWait)) {
        return;
      }
      BlockEntry entry = next != null ? next : nextInBackground();
      if (entry == null) {
        return;
      }
      long bytes = expectedBytes(entry);
      if (bytes > budget) {
        drop(entry, first);
        continue;
      }
      if (taken() + bytes > budget) {
        if (first) {
          evictColdest();
        }
        return;
      }
      drop(entry, first);
      String source = host.slowDevice(entry.key());
      if (!sources.mayRead(source)) {
        postponed.set(entry.row());
        left--;
        continue;
      }
      if (!first) {
        backgroundNanos = now;
      }
      if (!fetch(entry, source, bytes, first)) {
        background.set(entry.row()); // tried again in the next round
        if (first) {
          wanted.add(entry.key());
        }
        return;
      }
    }
  }

  private boolean backgroundPauses(long now, boolean usersWait) {
    return (restUntilNanos != Long.MIN_VALUE && now - restUntilNanos < 0)
        || (usersWait
            && backgroundNanos != Long.MIN_VALUE
            && now - backgroundNanos < BACKGROUND_PAUSE_NANOS);
  }

  private void resume() {
    background.or(postponed);
    postponed.clear();
  }

  /**
   * The first wanted block whose file can be copied now; null if there is none among those looked
   * at. Those whose slow device is in use go to the end, those whose file is not needed or can't be
   * copied are removed.
   */
  private @Nullable BlockEntry nextWanted() {
    for (int left = Math.min(wanted.size(), MAX_POSTPONED_PER_ROUND); left > 0; left--) {
      BlockKey key = wanted.iterator().next();
      BlockEntry entry = table.get(key);
      boolean needed = entry != null && mayFetch(entry);
      String source = needed ? host.slowDevice(key) : null;
      if (needed && sources.mayRead(source)) {
        return entry;
      }
      wanted.remove(key);
      if (needed && sources.responds(source)) {
        wanted.add(key);
      }
    }
    return null;
  }

  private @Nullable BlockEntry nextInBackground() {
    while (true) {
      int row = nextRow(background, backgroundAt);
      if (row < 0) {
        return null;
      }
      backgroundAt = row;
      BlockEntry entry = table.at(row);
      if (entry != null && mayFetch(entry)) {
        return entry;
      }
      // The end of its move adds it again.
      background.clear(row);
      if (entry != null && rests(entry)) {
        resting.set(row);
      }
    }
  }

  /** The first set row at or after a row, wrapping around; -1 if there is none. */
  private static int nextRow(BitSet rows, int from) {
    int row = rows.nextSetBit(from);
    return row < 0 ? rows.nextSetBit(0) : row;
  }

  private boolean mayFetch(BlockEntry entry) {
    return lacks(entry) && entry.moving() == Moving.NOTHING && !rests(entry);
  }

  private boolean rests(BlockEntry entry) {
    return failures.rests(entry.replica(), clock.now());
  }

  /** Takes a block out of the queue that it came from. */
  private void drop(BlockEntry entry, boolean first) {
    if (first) {
      wanted.remove(entry.key());
    }
    background.clear(entry.row());
  }

  /** What the file takes: an estimate that is too small costs one copy, which is evicted again. */
  private long expectedBytes(BlockEntry entry) {
    long last = entry.lastChecksumBytes();
    return last > 0
        ? last
        : space.allocatedBytes(Replica.estimatedChecksumBytes(entry.sizeBytes()));
  }

  private long taken() {
    return table.use(space.ids()).checksumBytes() + inFlightBytes.on(space.ids());
  }

  /** Returns false if there is no device, or its queue is full. */
  private boolean fetch(BlockEntry entry, @Nullable String source, long bytes, boolean first) {
    String device =
        space.roomiest(bytes, List.of(), id -> budgets.allowsPromotion(id, clock.now()));
    if (device == null) {
      return false;
    }
    Replica wanted = entry.replica();
    boolean queued = false;
    inFlight.prepare(device); // an Error in these three steps leaves nothing to take back
    inFlightBytes.prepare(device);
    sources.prepare(source, device);
    inFlight.add(device, 1);
    inFlightBytes.add(device, bytes);
    sources.begins(source, device);
    try {
      entry.setMoving(Moving.PROMOTING);
      queued =
          movers.promoteChecksums(
              wanted,
              source,
              device,
              written -> {
                ended(entry, source, device, bytes);
                failures.succeeded(wanted);
                budgets.wrote(device, Cause.PROMOTION, written, clock.now());
                fetched(entry, wanted, device, written, first);
              },
              why -> {
                ended(entry, source, device, bytes);
                if (why instanceof MoveAbandonedException) {
                  counters.increment(Counter.MOVES_ABANDONED);
                  return;
                }
                if (why instanceof ReplicaNotCacheableException) {
                  refuse(wanted, why);
                  return;
                }
                failed(entry, wanted, why);
              });
    } finally {
      if (!queued) {
        ended(entry, source, device, bytes);
      }
    }
    return queued;
  }

  private void failed(BlockEntry entry, Replica replica, Throwable why) {
    counters.increment(Counter.MOVES_FAILED);
    restUntilNanos = clock.now() + PAUSE_AFTER_FAILURE_NANOS;
    failures.failed(replica, clock.now());
    if (table.has(entry)) {
      resting.set(entry.row());
    }
    movers.log(replica, why);
  }

  private void refuse(Replica replica, Throwable why) {
    if (refused.size() >= MAX_REFUSED) {
      refused.clear();
    }
    refused.add(replica);
    counters.increment(Counter.MOVES_REJECTED);
    movers.log(replica, why);
  }

  private void fetched(
      BlockEntry entry, Replica copied, String device, long written, boolean first) {
    if (!table.has(entry) || !entry.replica().equals(copied)) {
      movers.discard(copied);
    } else if (lacks(entry) && host.hasClean(entry.key(), Part.CHECKSUM)) {
      // Nothing is written if the copy was there already.
      long taken = written > 0 ? space.allocatedBytes(device, written) : expectedBytes(entry);
      table.setChecksumBytes(entry, taken, device);
      readSince.set(entry.row(), first);
      counters.increment(Counter.CHECKSUMS_PROMOTED);
    }
    if (table.has(entry)) {
      onReplica(entry);
    }
  }

  private void ended(BlockEntry entry, @Nullable String source, String device, long bytes) {
    sources.ends(source, device);
    inFlight.add(device, -1);
    inFlightBytes.add(device, -bytes);
    entry.setMoving(Moving.NOTHING);
    resume();
  }

  /** Evicts a file that was not read lately and whose block's data is not on SSD either. */
  private void evictColdest() {
    if (evicting.containsAll(space.ids())) {
      return;
    }
    BlockEntry victim = findCold();
    String device = victim == null ? null : victim.checksumDevice();
    if (victim == null || device == null) {
      return;
    }
    boolean queued = false;
    evicting.add(device);
    try {
      victim.setMoving(Moving.EVICTING);
      queued =
          movers.evictChecksums(
              victim.key(),
              device,
              () -> {
                kept(victim, device);
                if (table.has(victim) && !host.hasClean(victim.key(), Part.CHECKSUM)) {
                  table.setChecksumBytes(victim, 0, null);
                  onReplica(victim);
                }
              },
              why -> kept(victim, device));
    } finally {
      if (!queued) {
        kept(victim, device);
      }
    }
  }

  private void kept(BlockEntry victim, String device) {
    evicting.remove(device);
    victim.setMoving(Moving.NOTHING);
  }

  /** Moves the hand to the next file that may leave; null if there is none within its steps. */
  private @Nullable BlockEntry findCold() {
    for (int steps = 0; steps < MAX_HAND_STEPS; steps++) {
      int row = nextRow(kept, hand);
      if (row < 0) {
        return null;
      }
      hand = row + 1;
      if (readSince.get(row)) {
        readSince.clear(row);
        continue;
      }
      BlockEntry entry = table.at(row);
      if (entry != null
          && !entry.cleanData()
          && entry.moving() == Moving.NOTHING
          && entry.checksumDevice() != null
          && space.usable(entry.checksumDevice())
          && !evicting.contains(entry.checksumDevice())) {
        return entry;
      }
    }
    return null;
  }
}
