package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.move.WriteBudget;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers operators' queries from the planner's state. Read-only. Owned by the planner's thread.
 */
final class Inspection {
  private final BlockTable table;
  private final FastSpace space;
  private final WriteBudgets budgets;
  private final HintPacer hints;
  private final DecisionLog decisions;
  private final Movers movers;
  private final Host host;
  private final Counters counters;

  Inspection(
      BlockTable table,
      FastSpace space,
      WriteBudgets budgets,
      HintPacer hints,
      DecisionLog decisions,
      Movers movers,
      Host host,
      Counters counters) {
    this.table = table;
    this.space = space;
    this.budgets = budgets;
    this.hints = hints;
    this.decisions = decisions;
    this.movers = movers;
    this.host = host;
    this.counters = counters;
  }

  /** The state of the node as of the last look at the devices. */
  NodeStatus node(HyCacheConfig config, String partition, boolean passThrough, long now) {
    BlockTable.Use use = table.use();
    return new NodeStatus(
        config.mode().toString(),
        config.policy(),
        partition,
        passThrough,
        space.capacityBytes(),
        use.dirtyBytes(),
        use.ownerBytes(),
        use.cleanBytes(),
        use.checksumBytes(),
        space.availableBytes(),
        table.size(),
        movers.unfinished(),
        hints.remaining(),
        0,
        devices(now),
        counters.snapshot());
  }

  private List<DeviceStatus> devices(long now) {
    List<DeviceStatus> out = new ArrayList<>();
    Set<String> ids = new TreeSet<>(space.ids());
    ids.addAll(table.devices());
    ids.addAll(host.refusedDevices());
    for (String id : ids) {
      FastDevice device = space.get(id);
      WriteBudget budget = budgets.of(id);
      BlockTable.Use use = table.use(List.of(id));
      out.add(
          new DeviceStatus(
              id,
              device != null,
              device == null ? 0 : device.capacityBytes(),
              device == null ? 0 : device.availableBytes(),
              use.dirtyBytes(),
              use.ownerBytes(),
              use.cleanBytes(),
              use.checksumBytes(),
              budget == null ? 0 : budget.lastDayBytes(Cause.USER_WRITE, now),
              budget == null ? 0 : budget.lastDayBytes(Cause.PROMOTION, now),
              budget == null ? Long.MAX_VALUE : budget.leftBytes(now)));
    }
    return out;
  }

  /** For each block where it is, and why it is or is not on SSD. */
  List<BlockStatus> blocks(Mode mode, List<BlockKey> keys, long now) {
    List<BlockStatus> out = new ArrayList<>(keys.size());
    for (BlockKey block : keys) {
      BlockEntry e = table.get(block);
      long left = hints.remaining(block);
      if (e == null) {
        out.add(
            new BlockStatus(block, "NONE", false, false, false, left, 0, Reason.NOT_TRACKED, null));
        continue;
      }
      out.add(
          new BlockStatus(
              block,
              e.home() == Home.DISK ? "DISK" : "SSD",
              e.home() == Home.SSD_GUEST,
              e.cleanData(),
              e.checksumBytes() > 0,
              left,
              e.reads(),
              why(mode, e),
              decisions.of(block, now)));
    }
    return out;
  }

  private static Reason why(Mode mode, BlockEntry e) {
    if (mode == Mode.OFF && !e.fast()) {
      return Reason.MODE_OFF;
    }
    if (e.cleanData()) {
      return Reason.ON_SSD_CLEAN;
    }
    if (e.reason() == Reason.NEVER_READ && e.checksumBytes() > 0) {
      return Reason.CHECKSUMS_ONLY;
    }
    return e.reason();
  }
}
