// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

/** Servers with one queue, first come first served: cores of a node, or those that nodes share. */
final class Cores {
  private final Events events;
  private final double[] freeAtMicros;

  Cores(Events events, int count) {
    this.events = events;
    this.freeAtMicros = new double[count];
  }

  /** Occupies the core that is free first, and schedules an action for the end of the work. */
  void work(double micros, Runnable then) {
    int first = 0;
    for (int core = 1; core < freeAtMicros.length; core++) {
      first = freeAtMicros[core] < freeAtMicros[first] ? core : first;
    }
    double end = Math.max(freeAtMicros[first], events.nowMicros()) + micros;
    freeAtMicros[first] = end;
    events.at(end, then);
  }
}
