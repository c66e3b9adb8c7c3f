package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.MoveQueue;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import io.hycache.core.table.HeatLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heat of what is on SSD across restarts.
 *
 * <p>Every half minute the blocks that were used since go behind each device's log, in the order of
 * their use; once these are more than the device's residents, the log is replaced by a snapshot of
 * all. After a restart the rows are played to the policy in their order, so that recency is what it
 * was and frequency at least {@link #ACCESSES} deep. Nothing is written for a device before its old
 * log was taken up. Owned by the planner's thread; a thread of its own writes. About 100 bytes for
 * a block used since the last time.
 */
final class HeatKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeatKeeper.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int ACCESSES = 16;
  private static final int LEAST_ROWS = 10_000;
  private static final int QUEUE = 16;

  /** Rows behind a device's last snapshot. */
  private static final class Log {
    long rows = Long.MAX_VALUE;
  }

  private final BlockTable table;
  private final CachePolicy policy;
  private final HeatStore store;
  private final MoveQueue writer = new MoveQueue("HyCacheHeat", 1, QUEUE);
  private final Set<BlockKey> used = new LinkedHashSet<>();
  private final Map<String, Log> logs = new HashMap<>();
  private long lastNanos = Long.MIN_VALUE;

  HeatKeeper(BlockTable table, CachePolicy policy, HeatStore store) {
    this.table = table;
    this.policy = policy;
    this.store = store;
  }

  /** A block was used or came to SSD. */
  void used(BlockKey block) {
    used.remove(block);
    used.add(block);
  }

  /** Takes up a device's log of an earlier process; empty if there is none. */
  void restore(String device, List<HeatLog.Row> rows, long now) {
    for (HeatLog.Row row : rows) {
      BlockEntry entry = table.get(row.block());
      if (entry == null || !row.isOf(entry.replica()) || !device.equals(entry.device())) {
        continue;
      }
      entry.setReads(row.reads());
      if (Planner.isResident(entry)) {
        for (int i = 0; i < Math.min(row.reads(), ACCESSES); i++) {
          policy.onAccess(entry.key(), entry.sizeBytes(), now);
        }
      }
    }
    logs.computeIfAbsent(device, id -> new Log());
  }

  /** Writes what is due. */
  void maintain(Iterable<String> devices, long now) {
    if (lastNanos == Long.MIN_VALUE) {
      lastNanos = now;
    }
    if (now - lastNanos < EVERY_NANOS || writer.unfinished() > 0) {
      return;
    }
    lastNanos = now;
    Map<String, List<HeatLog.Row>> since = byDevice(used);
    Map<String, List<HeatLog.Row>> all = null;
    for (String device : devices) {
      Log log = logs.get(device);
      List<HeatLog.Row> rows = since.getOrDefault(device, List.of());
      if (log == null) {
        continue;
      }
      if (log.rows < LEAST_ROWS + (long) policy.residents()) {
        if (!rows.isEmpty()) {
          write(device, false, HeatLog.rows(rows), log);
          log.rows += rows.size();
        }
        continue;
      }
      if (all == null) {
        all = byDevice(policy.evictionOrder());
      }
      write(device, true, snapshot(all.getOrDefault(device, List.of())), log);
      log.rows = 0;
    }
    used.clear();
  }

  private static byte[] snapshot(List<HeatLog.Row> rows) {
    byte[] header = HeatLog.header();
    byte[] frames = HeatLog.rows(rows);
    byte[] whole = Arrays.copyOf(header, header.length + frames.length);
    System.arraycopy(frames, 0, whole, header.length, frames.length);
    return whole;
  }

  private Map<String, List<HeatLog.Row>> byDevice(Iterable<BlockKey> blocks) {
    Map<String, List<HeatLog.Row>> rows = new HashMap<>();
    for (BlockKey block : blocks) {
      BlockEntry entry = table.get(block);
      String device = entry == null ? null : entry.device();
      if (entry != null && device != null) {
        rows.computeIfAbsent(device, id -> new ArrayList<>())
            .add(
                new HeatLog.Row(
                    block, entry.replica().generationStamp(), entry.sizeBytes(), entry.reads()));
      }
    }
    return rows;
  }

  private void write(String device, boolean fresh, byte[] frames, Log log) {
    boolean queued =
        writer.offer(
            () -> {
              try {
                store.write(device, fresh, frames);
              } catch (IOException | RuntimeException e) {
                LOG.debug("heat was not written: device={}", device, e);
              }
            });
    if (!queued) {
      log.rows = Long.MAX_VALUE;
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
