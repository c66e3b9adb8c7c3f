// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.util.PriorityQueue;

/** A virtual clock and what happens at its times; what happens at the same time, in order. */
final class Events {
  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private double nowMicros;
  private long number;

  private static final class Event implements Comparable<Event> {
    final double atMicros;
    final long number;
    final Runnable action;

    Event(double atMicros, long number, Runnable action) {
      this.atMicros = atMicros;
      this.number = number;
      this.action = action;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(atMicros, other.atMicros);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  double nowMicros() {
    return nowMicros;
  }

  /** Has something happen, now or later. */
  void at(double micros, Runnable action) {
    queue.add(new Event(Math.max(nowMicros, micros), number++, action));
  }

  /** Goes on until a time. */
  void runTo(double micros) {
    for (Event next = queue.peek(); next != null && next.atMicros <= micros; next = queue.peek()) {
      queue.remove();
      nowMicros = next.atMicros;
      next.action.run();
    }
    nowMicros = micros;
  }
}
