// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import com.google.common.primitives.Bytes;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.move.MoveQueue;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import io.hycache.core.table.HeatLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heat of the blocks on SSD, and the wear of the SSDs, across restarts.
 *
 * <p>Every half minute the blocks used since are appended to each device's log, in the order of
 * their use; once the log has more rows than the device has residents, it is replaced by a snapshot
 * of all. After a restart the rows are replayed to the policy in their order, which restores
 * recency, and frequency up to {@link LivePolicy#MAX_REPLAYED_READS}. Nothing is written for a
 * device before its old log was read. Pools may be restored long after each other: until then, each
 * snapshot begins with the rows of the old log that belong to the others. Owned by the planner's
 * thread; each device has a thread that writes. About 100 bytes for a block used since the last
 * write, and for a row of a pool that was not restored.
 */
final class HeatKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeatKeeper.class);

  /** Time between two writes. */
  private static final long WRITE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A log with fewer rows than this beyond the number of residents is not replaced. */
  private static final int MIN_ROWS_TO_REPLACE = 10_000;

  private static final int MAX_QUEUED_WRITES = 16;

  /** Row count of a device whose log must be replaced. */
  private static final long REPLACE_LOG = Long.MAX_VALUE;

  private final BlockTable table;
  private final CachePolicy policy;
  private final Pins pins;
  private final WriteBudgets budgets;
  private final HeatStore store;

  /** One for each device, so that a device that hangs does not delay the others. */
  private final Map<String, MoveQueue> writers = new HashMap<>();

  /** Devices whose log may end in a torn frame, behind which nothing would be read. */
  private final Queue<String> torn = new ConcurrentLinkedQueue<>();

  private final Set<BlockKey> used = new LinkedHashSet<>();

  /** Rows behind the last snapshot, for each device whose old log was read. */
  private final Map<String, Long> rowsBehind = new HashMap<>();

  /** The rows of each device's old log whose pool was not restored yet. */
  private final Map<String, List<HeatLog.Row>> unrestored = new HashMap<>();

  private long lastNanos = Long.MIN_VALUE;

  HeatKeeper(
      BlockTable table, CachePolicy policy, Pins pins, WriteBudgets budgets, HeatStore store) {
    this.table = table;
    this.policy = policy;
    this.pins = pins;
    this.budgets = budgets;
    this.store = store;
  }

  /** A block on SSD was used, or was brought there. */
  void used(BlockKey block) {
    used.remove(block);
    used.add(block);
  }

  /**
   * Restores a device's log of an earlier process. To be called once for each pool; the wear is
   * restored by the first call, because it is added to what this process has written.
   *
   * @param pool pool whose blocks' heat is restored
   * @param agoNanos time since the log was last written
   */
  void restore(String device, String pool, HeatLog.Loaded log, long agoNanos, long now) {
    if (rowsBehind.putIfAbsent(device, REPLACE_LOG) == null) {
      budgets.restore(device, log.wear(), agoNanos, now);
    }
    unrestored
        .computeIfAbsent(device, id -> new ArrayList<>(log.rows()))
        .removeIf(row -> row.block().pool().equals(pool));
    int residents = 0;
    for (HeatLog.Row row : log.rows()) {
      BlockEntry entry = row.block().pool().equals(pool) ? table.get(row.block()) : null;
      if (entry == null || !row.isOf(entry.replica()) || !device.equals(entry.device())) {
        continue;
      }
      entry.setReads(row.reads());
      if (entry.isResident()) {
        LivePolicy.replayReads(policy, entry, now);
        residents++;
      }
    }
    LOG.info(
        "restored heat: device={} blocks={} residents={}", device, log.rows().size(), residents);
  }

  /** Writes the logs if the interval is over. */
  void maintain(Iterable<String> devices, long now) {
    if (lastNanos == Long.MIN_VALUE) {
      lastNanos = now;
    }
    if (now - lastNanos < WRITE_INTERVAL_NANOS) {
      return;
    }
    lastNanos = now;
    for (String device = torn.poll(); device != null; device = torn.poll()) {
      rowsBehind.replace(device, REPLACE_LOG);
    }
    Map<String, List<HeatLog.Row>> since = byDevice(used);
    Map<String, List<HeatLog.Row>> all = null;
    for (String device : devices) {
      Long behind = rowsBehind.get(device);
      if (behind == null) {
        continue;
      }
      if (writer(device).unfinished() > 0) {
        rowsBehind.put(device, REPLACE_LOG); // the snapshot includes these rows
        continue;
      }
      if (behind >= MIN_ROWS_TO_REPLACE + (long) policy.residents()) {
        if (all == null) {
          all = byDevice(Iterables.concat(policy.evictionOrder(), pins.blocks()));
        }
        List<HeatLog.Row> rows = new ArrayList<>(unrestored.getOrDefault(device, List.of()));
        rows.addAll(all.getOrDefault(device, List.of()));
        byte[] wear = HeatLog.wear(budgets.save(device, now));
        boolean queued =
            write(device, true, Bytes.concat(HeatLog.header(), HeatLog.rows(rows), wear));
        rowsBehind.put(device, queued ? 0 : REPLACE_LOG);
        continue;
      }
      List<HeatLog.Row> rows = since.getOrDefault(device, List.of());
      if (!rows.isEmpty() || !budgets.isSaved(device)) {
        byte[] wear = HeatLog.wear(budgets.save(device, now));
        boolean queued = write(device, false, Bytes.concat(HeatLog.rows(rows), wear));
        rowsBehind.put(device, queued ? behind + rows.size() + 1 : REPLACE_LOG);
      }
    }
    used.clear();
  }

  private Map<String, List<HeatLog.Row>> byDevice(Iterable<? extends CacheKey> keys) {
    Map<String, List<HeatLog.Row>> rows = new HashMap<>();
    for (CacheKey key : keys) {
      BlockEntry entry = table.get(key);
      String device = entry == null ? null : entry.device();
      if (entry != null && device != null) {
        rows.computeIfAbsent(device, id -> new ArrayList<>())
            .add(
                new HeatLog.Row(
                    entry.key(),
                    entry.replica().generationStamp(),
                    entry.sizeBytes(),
                    entry.reads()));
      }
    }
    return rows;
  }

  private boolean write(String device, boolean fresh, byte[] frames) {
    return writer(device)
        .offer(
            () -> {
              boolean written = false;
              try {
                store.write(device, fresh, frames);
                written = true;
              } catch (IOException e) {
                LOG.debug("could not write heat: device={}", device, e);
              } finally {
                if (!written) {
                  torn.add(device);
                }
              }
            });
  }

  private MoveQueue writer(String device) {
    return writers.computeIfAbsent(
        device, id -> new MoveQueue("HyCacheHeat", 1, MAX_QUEUED_WRITES));
  }

  @Override
  public void close() {
    writers.values().forEach(MoveQueue::close);
  }
}
