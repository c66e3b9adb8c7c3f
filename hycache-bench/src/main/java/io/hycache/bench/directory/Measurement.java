// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs the phases with real processes. */
final class Measurement {
  private final Launcher launcher;
  private final PrintWriter progress;
  private final Row.Setting setting;
  private final Phase form;

  /**
   * @param form how long a phase is, and its clients
   */
  Measurement(Launcher launcher, PrintWriter progress, Row.Setting setting, Phase form) {
    this.launcher = launcher;
    this.progress = progress;
    this.setting = setting;
    this.form = form;
  }

  /** The directory, with all operations and batches one after the other in the same processes. */
  void directory(
      int nodes, List<Phase.Operation> operations, List<Integer> batches, Consumer<Row> to)
      throws IOException {
    try (Cluster cluster = Cluster.directory(launcher, nodes, setting.replicas)) {
      cluster.run(form.leadIn(batches.get(batches.size() - 1)));
      for (Phase.Operation operation : operations) {
        for (int batch : batches) {
          to.accept(run(Row.HYCACHE, cluster, nodes, form.of(operation, batch)));
        }
      }
    }
  }

  /** A NameNode: the same, but for what it hasn't. It has no calls of many operations. */
  void nameNode(int nodes, List<Phase.Operation> operations, Consumer<Row> to) throws IOException {
    try (Cluster cluster = Cluster.nameNode(launcher, nodes)) {
      cluster.run(form.leadIn(1));
      for (Phase.Operation operation : operations) {
        if (operation != Phase.Operation.CAS) {
          to.accept(run(Row.NAMENODE, cluster, nodes, form.of(operation, 1)));
        }
      }
    }
  }

  private Row run(String system, Cluster cluster, int nodes, Phase phase) throws IOException {
    PhaseResult result = cluster.run(phase);
    progress.println(
        String.format(
            Locale.ROOT,
            "%s %s nodes=%d batch=%d: %,.0f ops/s, %.1f us of the nodes' CPU each%s",
            system,
            phase.operation.label(),
            nodes,
            phase.batch,
            result.operationsPerSecond,
            result.cpuMicros * 1e3 / phase.millis / Math.max(1, result.operationsPerSecond),
            result.errors == 0 ? "" : ", " + result.errors + " errors, such as " + result.error));
    progress.flush();
    return new Row(
        system,
        phase,
        nodes,
        Row.Calls.SPLIT,
        result.operationsPerSecond,
        result.histogram(),
        result.errors,
        Runtime.getRuntime().availableProcessors(),
        setting);
  }
}
