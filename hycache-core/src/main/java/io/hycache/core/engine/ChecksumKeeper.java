package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the checksum files of DISK replicas on SSD.
 *
 * <p>Idea: every block read opens the checksum file too, so for 1/128 of the space a cold read on
 * DISK is spared most of its disk operations. Files are copied in two queues: the wanted one
 * (blocks just read or hinted) before the background one (all others). When the share is used up, a
 * wanted file replaces the one that was least recently read; a background one waits. All steps
 * O(1); about 100 bytes a kept file. Owned by the planner's thread.
 */
final class ChecksumKeeper {
  private static final int IN_FLIGHT = 4;
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Between two background files while users wait for a disk's head: eight a second move it little.
   */
  private static final long YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

  private final HyCacheConfig config;
  private final BlockTable table;
  private final FastSpace space;
  private final WriteBudgets budgets;
  private final Movers movers;
  private final Counters counters;
  private final ArrayDeque<BlockKey> wanted = new ArrayDeque<>();
  private final ArrayDeque<BlockKey> background = new ArrayDeque<>();
  private final Map<BlockKey, Boolean> recency = new LinkedHashMap<>(16, 0.75f, true);
  private int inFlight;
  private long inFlightBytes;
  private boolean evicting;
  private long restUntilNanos = Long.MIN_VALUE;
  private long backgroundNanos = Long.MIN_VALUE;

  ChecksumKeeper(
      HyCacheConfig config,
      BlockTable table,
      FastSpace space,
      WriteBudgets budgets,
      Movers movers,
      Counters counters) {
    this.config = config;
    this.budgets = budgets;
    this.table = table;
    this.space = space;
    this.movers = movers;
    this.counters = counters;
  }

  /** Size of a checksum file: a 7-byte header and 4 bytes for each 512 of data (HDFS's default). */
  static long estimateBytes(long dataBytes) {
    return 7 + 4 * ((dataBytes + 511) / 512);
  }

  void onReplica(BlockEntry entry) {
    if (lacks(entry) && !entry.checksumQueued()) {
      entry.setChecksumQueued(true);
      background.add(entry.key());
    }
    track(entry);
  }

  private void track(BlockEntry entry) {
    if (entry.checksumBytes() > 0) {
      recency.putIfAbsent(entry.key(), Boolean.TRUE);
    } else {
      recency.remove(entry.key());
    }
  }

  void onGone(BlockKey block) {
    recency.remove(block);
  }

  void onRead(BlockEntry entry) {
    if (entry.checksumBytes() > 0) {
      recency.put(entry.key(), Boolean.TRUE);
    } else {
      wantFirst(entry);
    }
  }

  /** The block is about to be read: its checksum file goes before all that only might be. */
  void wantFirst(BlockEntry entry) {
    if (lacks(entry) && wanted.size() < config.queueLength()) {
      wanted.add(entry.key());
    }
  }

  void onEvicted(BlockEntry entry) {
    track(entry);
  }

  private static boolean lacks(BlockEntry entry) {
    return entry.home() == Home.DISK && entry.checksumBytes() == 0 && entry.sizeBytes() > 0;
  }

  /**
   * Begins what copies there is room for.
   *
   * @param usersWait users wait for a slow device's head: what nobody wants yet steps back
   */
  void maintain(long now, boolean usersWait) {
    long budget = (long) (space.capacityBytes() * config.checksumShare());
    if (taken() > budget) {
      evictColdest();
    }
    if (restUntilNanos != Long.MIN_VALUE && now - restUntilNanos < 0) {
      return;
    }
    while (inFlight < IN_FLIGHT) {
      boolean first = !wanted.isEmpty();
      if (!first
          && usersWait
          && backgroundNanos != Long.MIN_VALUE
          && now - backgroundNanos < YIELD_NANOS) {
        return;
      }
      ArrayDeque<BlockKey> queue = first ? wanted : background;
      BlockKey key = queue.peek();
      if (key == null) {
        return;
      }
      BlockEntry entry = table.get(key);
      if (entry == null || !lacks(entry) || entry.moving() != Moving.NOTHING) {
        queue.remove();
        if (entry != null && !first) {
          entry.setChecksumQueued(false);
        }
        continue;
      }
      long bytes = estimateBytes(entry.sizeBytes());
      if (taken() + bytes > budget) {
        if (bytes > budget) {
          queue.remove();
          entry.setChecksumQueued(false);
          continue;
        }
        if (!first) {
          return;
        }
        evictColdest();
        return;
      }
      queue.remove();
      entry.setChecksumQueued(false);
      if (!first) {
        backgroundNanos = now;
      }
      if (!fetch(entry, bytes, now)) {
        return;
      }
    }
  }

  private long taken() {
    return table.use(space.ids()).checksumBytes() + inFlightBytes;
  }

  private boolean fetch(BlockEntry entry, long bytes, long now) {
    String device = space.roomiest(bytes, List.of(), id -> budgets.allowsPromotion(id, now));
    if (device == null) {
      return false;
    }
    inFlight++;
    inFlightBytes += bytes;
    entry.setMoving(Moving.PROMOTING);
    Replica wanted = entry.replica();
    boolean queued =
        movers.promoteChecksums(
            wanted,
            device,
            written -> {
              ended(entry, bytes);
              budgets.wrote(device, Cause.PROMOTION, written, now);
              if (table.get(entry.key()) == entry
                  && entry.replica().equals(wanted)
                  && lacks(entry)) {
                table.setChecksumBytes(entry, Math.max(1, written), device);
                track(entry);
                counters.increment(Counter.CHECKSUMS_PROMOTED);
              } else if (table.get(entry.key()) != entry) {
                movers.discard(entry.key());
              }
            },
            why -> {
              ended(entry, bytes);
              counters.increment(Counter.MOVES_FAILED);
              restUntilNanos = now + REST_NANOS / 30;
              movers.log(entry.replica(), why);
            });
    if (!queued) {
      ended(entry, bytes);
    }
    return queued;
  }

  private void ended(BlockEntry entry, long bytes) {
    inFlight--;
    inFlightBytes -= bytes;
    entry.setMoving(Moving.NOTHING);
  }

  /** Drops the file least recently read whose block's data is not on SSD either. */
  private void evictColdest() {
    if (evicting) {
      return;
    }
    for (Iterator<BlockKey> it = recency.keySet().iterator(); it.hasNext(); ) {
      BlockKey key = it.next();
      BlockEntry entry = table.get(key);
      if (entry == null || entry.checksumBytes() == 0) {
        it.remove();
        continue;
      }
      if (entry.cleanData()
          || entry.moving() != Moving.NOTHING
          || !space.usable(entry.checksumDevice())) {
        continue;
      }
      it.remove();
      evicting = true;
      entry.setMoving(Moving.EVICTING);
      movers.evictChecksums(
          key,
          () -> {
            evicting = false;
            entry.setMoving(Moving.NOTHING);
            if (table.get(key) == entry) {
              table.setChecksumBytes(entry, 0, null);
            }
          });
      return;
    }
  }
}
