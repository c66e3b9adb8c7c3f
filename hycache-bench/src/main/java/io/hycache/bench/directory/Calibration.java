// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures {@link Costs} with real processes: the CPU time of each in three arrangements with one
 * client, and with calls of one and of many operations. One node with the client in it; a client
 * alone and one node; a client alone and two nodes with two copies, of whose CPU time what goes
 * beyond the operations' is for the copies, a half at either end.
 */
final class Calibration {
  private static final int BATCH = 64;

  private final Launcher launcher;
  private final PrintWriter progress;
  private final Phase form;
  private final Phase leadIn;

  Calibration(Launcher launcher, PrintWriter progress, Phase form) {
    this.launcher = launcher;
    this.progress = progress;
    this.leadIn = form;
    this.form = new Phase(form.operation, "", 1, BATCH, form.warmupMillis, form.millis, form.seed);
  }

  Costs measure() throws IOException {
    Costs.Side near;
    try (Cluster alone = Cluster.directory(launcher, 1, 1)) {
      warm(alone);
      near = Costs.Side.fit(cpu(alone, 1).get(0), cpu(alone, BATCH).get(0), BATCH);
    }
    Costs.Side serve;
    Costs.Side ask;
    try (Cluster two = Cluster.directory(launcher, 1, 1, 1)) {
      warm(two);
      List<Double> one = cpu(two, 1);
      List<Double> many = cpu(two, BATCH);
      serve = Costs.Side.fit(one.get(0), many.get(0), BATCH);
      ask = Costs.Side.fit(one.get(1), many.get(1), BATCH);
    }
    Costs.Side copy;
    try (Cluster three = Cluster.directory(launcher, 2, 1, 2)) {
      warm(three);
      List<Double> one = cpu(three, 1);
      List<Double> many = cpu(three, BATCH);
      int call = BATCH / 2;
      copy =
          Costs.Side.fit(
              one.get(0) + one.get(1) - serve.of(1),
              many.get(0) + many.get(1) - serve.of(call) / call,
              call);
    }
    Costs costs = new Costs(near, ask, serve, copy.times(0.5), copy.times(0.5));
    progress.println("CPU us of a call of k operations: " + costs);
    progress.flush();
    return costs;
  }

  /** With all clients: what one of them would have to run for long is compiled sooner. */
  private void warm(Cluster cluster) throws IOException {
    cluster.run(leadIn.leadIn(1));
    cluster.run(leadIn.leadIn(BATCH));
  }

  /** Of each process, in microseconds an operation. */
  private List<Double> cpu(Cluster cluster, int batch) throws IOException {
    List<PhaseResult> results = cluster.runEach(form.of(Phase.Operation.CREATE, batch));
    PhaseResult all = PhaseResult.sum(results);
    if (all.errors > 0) {
      throw new IOException("measuring CPU time failed: " + all.error);
    }
    List<Double> out = new ArrayList<>();
    for (PhaseResult result : results) {
      out.add(result.cpuMicros / (all.operationsPerSecond * form.millis / 1e3));
    }
    return out;
  }
}
