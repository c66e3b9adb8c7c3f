// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Simulates what was measured, and what is too large for it. */
final class Scale {
  private static final int SPLIT_CLIENTS = 2;

  /**
   * Full calls that a node has under way, whatever the number of nodes. Real clients that gather
   * for each owner have more of them the more nodes there are; no simulation could hold these.
   */
  private static final int FULL_CLIENTS = 8;

  private static final int BATCH = 64;
  private static final int ROUNDS = 4;

  private static final int ROUNDS_BESIDE = 60;
  private static final double LOOPBACK_MICROS = 20;
  private static final int BASE = 16;

  private final Costs costs;
  private final double latencyMicros;
  private final Row.Setting setting;
  private final PrintWriter progress;

  Scale(Costs costs, double latencyMicros, Row.Setting setting, PrintWriter progress) {
    this.costs = costs;
    this.latencyMicros = latencyMicros;
    this.setting = setting;
    this.progress = progress;
  }

  private Row run(DirectorySimulation.Form form, int rounds) {
    Row row = new DirectorySimulation(form, costs).run(rounds, setting);
    progress.println(
        String.format(
            Locale.ROOT,
            "simulation create nodes=%d batch=%d calls=%s: %,.0f ops/s",
            row.nodes,
            row.batch,
            row.calls,
            row.opsPerSecond));
    progress.flush();
    return row;
  }

  /** Simulates each measured point of creates: the same nodes, clients and cores. */
  List<Row> beside(List<Row> measured) {
    List<Row> out = new ArrayList<>();
    for (Row real : creates(measured)) {
      out.add(
          run(
              new DirectorySimulation.Form(
                  real.nodes,
                  real.cores,
                  Row.Calls.SPLIT,
                  real.clients,
                  real.batch,
                  LOOPBACK_MICROS,
                  setting.replicas,
                  setting.seed),
              ROUNDS_BESIDE));
    }
    return out;
  }

  private static List<Row> creates(List<Row> measured) {
    return measured.stream()
        .filter(row -> row.system.equals(Row.HYCACHE) && row.operation.equals("create"))
        .collect(Collectors.toList());
  }

  /** Nodes with a core each. */
  List<Row> large(List<Integer> sizes) {
    List<Row> out = new ArrayList<>();
    for (Row.Calls calls : List.of(Row.Calls.FULL, Row.Calls.SPLIT)) {
      for (int nodes : sizes) {
        int clients = calls == Row.Calls.FULL ? FULL_CLIENTS : SPLIT_CLIENTS;
        out.add(
            run(
                new DirectorySimulation.Form(
                    nodes, 0, calls, clients, BATCH, latencyMicros, setting.replicas, setting.seed),
                ROUNDS));
      }
    }
    return out;
  }

  /** For people: simulated beside measured, and what a node does, relative to 16 nodes. */
  static String summary(List<Row> measured, List<Row> beside, List<Row> large) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (Row real : creates(measured)) {
      Row simulated = beside.get(at++);
      out.append(
          String.format(
              Locale.ROOT,
              "create nodes=%d batch=%d: measured %,.0f ops/s, simulated %,.0f ops/s (%.2f)%n",
              real.nodes,
              real.batch,
              real.opsPerSecond,
              simulated.opsPerSecond,
              simulated.opsPerSecond / Math.max(1, real.opsPerSecond)));
    }
    for (Row row : large) {
      for (Row base : large) {
        if (base.nodes == BASE && base.calls.equals(row.calls)) {
          out.append(
              String.format(
                  Locale.ROOT,
                  "create nodes=%d calls=%s: %,.0f ops/s a node, %.2f of that of 16 nodes%n",
                  row.nodes,
                  row.calls,
                  row.opsPerSecond / row.nodes,
                  row.opsPerSecond / row.nodes / (base.opsPerSecond / base.nodes)));
        }
      }
    }
    return out.toString();
  }
}
