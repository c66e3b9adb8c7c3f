package io.hycache.core.engine;

import com.google.common.primitives.Bytes;
import io.hycache.core.model.BlockKey;
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
 * Keeps the heat of what is on SSD, and the wear of the SSDs, across restarts.
 *
 * <p>Every half minute the blocks that were used since go behind each device's log, in the order of
 * their use; once these are more than the device's residents, the log is replaced by a snapshot of
 * all. After a restart the rows are played to the policy in their order, so that recency is what it
 * was and frequency at least {@link LivePolicy#READS} deep. Nothing is written for a device before
 * its old log was taken up. Owned by the planner's thread; a thread of its own writes. About 100
 * bytes for a block used since the last time.
 */
final class HeatKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeatKeeper.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int LEAST_ROWS = 10_000;
  private static final int QUEUE = 16;

  /** Of a device whose log must be written anew. */
  private static final long NO_LOG = Long.MAX_VALUE;

  private final BlockTable table;
  private final CachePolicy policy;
  private final WriteBudgets budgets;
  private final HeatStore store;

  /** One for each device: one that hangs keeps no other's heat from being written. */
  private final Map<String, MoveQueue> writers = new HashMap<>();

  /** Devices whose log may end in a torn frame: nothing behind that would be read. */
  private final Queue<String> torn = new ConcurrentLinkedQueue<>();

  private final Set<BlockKey> used = new LinkedHashSet<>();

  /** Rows behind the last snapshot of each device whose old log was taken up. */
  private final Map<String, Long> rowsBehind = new HashMap<>();

  private long lastNanos = Long.MIN_VALUE;

  HeatKeeper(BlockTable table, CachePolicy policy, WriteBudgets budgets, HeatStore store) {
    this.table = table;
    this.policy = policy;
    this.budgets = budgets;
    this.store = store;
  }

  /** A block was used or came to SSD. */
  void used(BlockKey block) {
    used.remove(block);
    used.add(block);
  }

  /**
   * Takes up a device's log of an earlier process. To be called once for each pool; the wear is
   * taken up the first time, because it is added to what this process has written.
   *
   * @param pool whose blocks' heat is taken up
   * @param agoNanos how long ago it was last written
   */
  void restore(String device, String pool, HeatLog.Loaded log, long agoNanos, long now) {
    if (rowsBehind.putIfAbsent(device, NO_LOG) == null) {
      budgets.restore(device, log.wear(), agoNanos, now);
    }
    int residents = 0;
    for (HeatLog.Row row : log.rows()) {
      BlockEntry entry = row.block().pool().equals(pool) ? table.get(row.block()) : null;
      if (entry == null || !row.isOf(entry.replica()) || !device.equals(entry.device())) {
        continue;
      }
      entry.setReads(row.reads());
      if (entry.isResident()) {
        LivePolicy.heard(policy, entry, now);
        residents++;
      }
    }
    LOG.info(
        "took up heat: device={} blocks={} residents={}", device, log.rows().size(), residents);
  }

  /** Writes what is due. */
  void maintain(Iterable<String> devices, long now) {
    if (lastNanos == Long.MIN_VALUE) {
      lastNanos = now;
    }
    if (now - lastNanos < EVERY_NANOS) {
      return;
    }
    lastNanos = now;
    for (String device = torn.poll(); device != null; device = torn.poll()) {
      rowsBehind.replace(device, NO_LOG);
    }
    Map<String, List<HeatLog.Row>> since = byDevice(used);
    Map<String, List<HeatLog.Row>> all = null;
    for (String device : devices) {
      Long behind = rowsBehind.get(device);
      if (behind == null) {
        continue;
      }
      if (writer(device).unfinished() > 0) {
        rowsBehind.put(device, NO_LOG); // what it misses now comes with a snapshot
        continue;
      }
      if (behind >= LEAST_ROWS + (long) policy.residents()) {
        if (all == null) {
          all = byDevice(policy.evictionOrder());
        }
        List<HeatLog.Row> rows = all.getOrDefault(device, List.of());
        byte[] wear = HeatLog.wear(budgets.save(device, now));
        boolean queued =
            write(device, true, Bytes.concat(HeatLog.header(), HeatLog.rows(rows), wear));
        rowsBehind.put(device, queued ? 0 : NO_LOG);
        continue;
      }
      List<HeatLog.Row> rows = since.getOrDefault(device, List.of());
      if (!rows.isEmpty() || !budgets.isSaved(device)) {
        byte[] wear = HeatLog.wear(budgets.save(device, now));
        boolean queued = write(device, false, Bytes.concat(HeatLog.rows(rows), wear));
        rowsBehind.put(device, queued ? behind + rows.size() + 1 : NO_LOG);
      }
    }
    used.clear();
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

  private boolean write(String device, boolean fresh, byte[] frames) {
    return writer(device)
        .offer(
            () -> {
              boolean written = false;
              try {
                store.write(device, fresh, frames);
                written = true;
              } catch (IOException e) {
                LOG.debug("heat was not written: device={}", device, e);
              } finally {
                if (!written) {
                  torn.add(device);
                }
              }
            });
  }

  private MoveQueue writer(String device) {
    return writers.computeIfAbsent(device, id -> new MoveQueue("HyCacheHeat", 1, QUEUE));
  }

  @Override
  public void close() {
    writers.values().forEach(MoveQueue::close);
  }
}
