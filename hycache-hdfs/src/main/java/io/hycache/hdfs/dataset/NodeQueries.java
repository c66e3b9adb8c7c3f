// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.BuildVersion;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.directory.DirectoryHost;
import io.hycache.hdfs.rpc.NodeService;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Implements the client protocol on top of the engine. Owns the settings that can change at run
 * time. Thread-safe.
 */
final class NodeQueries implements NodeService {
  /** A query to the engine. */
  private interface Query<T> {
    T answer() throws IOException, TimeoutException;
  }

  private final String uuid;
  private final HyCacheEngine engine;
  private final Mode mode;
  private final Guard guard;
  private final Supplier<@Nullable DirectoryHost> directory;
  private final Function<HyCacheConf, List<String>> warnings;
  private final LongSupplier outOfUse;
  private final BooleanSupplier scanned;
  private volatile HyCacheConf settings;

  /**
   * @param uuid of the DataNode
   * @param directory supplies the DataNode's share of the directory, or null before it has joined
   * @param warnings supplies what an operator should mend, with the present settings
   * @param outOfUse supplies the number of fast devices that are not used
   * @param scanned supplies whether all replicas have been reported to the engine
   */
  NodeQueries(
      String uuid,
      HyCacheEngine engine,
      Mode mode,
      Guard guard,
      HyCacheConf settings,
      Supplier<@Nullable DirectoryHost> directory,
      Function<HyCacheConf, List<String>> warnings,
      LongSupplier outOfUse,
      BooleanSupplier scanned) {
    this.uuid = uuid;
    this.engine = engine;
    this.mode = mode;
    this.guard = guard;
    this.settings = settings;
    this.directory = directory;
    this.warnings = warnings;
    this.outOfUse = outOfUse;
    this.scanned = scanned;
  }

  private static <T> T ask(Query<T> query) throws IOException {
    try {
      return query.answer();
    } catch (TimeoutException e) {
      String why = e.getMessage(); // null if the time was over
      throw new IOException(why == null ? "the planner did not answer in time" : why, e);
    }
  }

  private void refuseIfOff() throws IOException {
    if (guard.tripped()) {
      throw new IOException("HyCache on this DataNode is in pass-through; see its log");
    }
    if (mode == Mode.OFF) {
      throw new IOException("HyCache on this DataNode is off (hycache.mode=off)");
    }
  }

  @Override
  public HintReceipt submitHints(Hints hints, String user, boolean exempt) throws IOException {
    refuseIfOff();
    return ask(() -> engine.submitHints(hints, user, exempt));
  }

  @Override
  public OptionalInt withdraw(WorkflowId workflow) throws IOException {
    return ask(() -> engine.withdrawHints(workflow));
  }

  @Override
  public void readElsewhere(List<BlockKey> blocks) {
    engine.onReadElsewhere(blocks);
  }

  @Override
  public List<HintedBlock> explain(WorkflowId workflow, int from, int most) throws IOException {
    return ask(() -> engine.explain(workflow, from, most));
  }

  @Override
  public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws IOException {
    return ask(() -> engine.workflows(which));
  }

  @Override
  public List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) throws IOException {
    return ask(() -> engine.endedWorkflows(which));
  }

  @Override
  public NodeStatus status() throws IOException {
    boolean complete = scanned.getAsBoolean(); // the engine answers after what was reported before
    return complete(ask(() -> engine.status(guard.tripped())), complete);
  }

  /** As {@link #status}, but never waits: see {@link HyCacheEngine#lastStatus}. */
  NodeStatus lastStatus() {
    boolean complete = scanned.getAsBoolean(); // before the figures, as above
    return complete(engine.lastStatus(guard.tripped()), complete);
  }

  private static String notCounted(NodeStatus ofEngine, boolean allReported) {
    return ofEngine.isCounted() && !allReported
        ? "the DataNode's replicas are still being scanned"
        : ofEngine.notCounted();
  }

  /** Adds what the engine does not know. */
  private NodeStatus complete(NodeStatus ofEngine, boolean allReported) {
    NodeStatus.Builder status =
        ofEngine.withWarnings(warnings.apply(settings)).toBuilder()
            .put(NodeFigure.VERSION, BuildVersion.text())
            .put(NodeFigure.SSDS_SICK, outOfUse.getAsLong())
            .put(NodeFigure.DATANODE_UUID, uuid)
            .put(NodeFigure.NOT_COUNTED, notCounted(ofEngine, allReported));
    DirectoryHost host = directory.get();
    if (host != null) {
      DirectoryStatus part = host.status();
      status
          .put(NodeFigure.DIRECTORY_MEMBERS, part.members)
          .put(NodeFigure.DIRECTORY_TROUBLE, host.trouble())
          .put(NodeFigure.DIRECTORY_MEMBERS_AGE_MILLIS, part.viewAgeMillis)
          .put(NodeFigure.DIRECTORY_SHARDS_PULLING, part.pullingShards)
          .put(NodeFigure.DIRECTORY_RECORDS, part.records)
          .put(NodeFigure.DIRECTORY_BYTES, part.bytes)
          .put(NodeFigure.DIRECTORY_OPERATIONS, part.operations)
          .put(NodeFigure.DIRECTORY_SHED, part.shed)
          .put(NodeFigure.DIRECTORY_REPLICATED, part.replicated);
    }
    return status.build();
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    return ask(() -> engine.locate(blocks));
  }

  List<BlockStatus> mostRead(int most) throws IOException {
    return ask(() -> engine.mostRead(most));
  }

  @Override
  public synchronized Map<String, String> settings(Map<String, String> changes) throws IOException {
    if (!changes.isEmpty()) {
      refuseIfOff();
      HyCacheConf now =
          ask(
              () -> {
                engine.awaitChanges(); // an earlier call may have given up waiting for its own
                return settings;
              });
      change(now, changes);
    }
    return settings.changeable();
  }

  private void change(HyCacheConf now, Map<String, String> changes) throws IOException {
    try {
      HyCacheConf next = now.with(changes);
      engine.reconfigure(next.engine(), () -> settings = next);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      throw new IOException(
          "the planner did not answer in time, and may still apply the change. Fix: look with"
              + " hycache settings, and change again what is not set",
          e);
    }
  }
}
