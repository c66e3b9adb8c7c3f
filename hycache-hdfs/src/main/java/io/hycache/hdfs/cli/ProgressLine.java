// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.Progress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Reports long work every few seconds, and short work not at all. Thread-safe. */
final class ProgressLine implements Progress {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Console console;
  private final LongSupplier nanoTime;
  private long lastNanos;

  ProgressLine(Console console, LongSupplier nanoTime) {
    this.console = console;
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong();
  }

  @Override
  public synchronized void at(String what, long done, long total) {
    long now = nanoTime.getAsLong();
    if (now - lastNanos >= EVERY_NANOS) {
      lastNanos = now;
      console.warn(what + ": " + Text.count(done) + (total < 0 ? "" : " of " + Text.count(total)));
    }
  }
}
