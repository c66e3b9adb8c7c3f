// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private final AtomicLong wall = new AtomicLong(TimeUnit.DAYS.toMillis(20_000));
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 500_000);

  @Test
  void wallClock_isSetBack_timePassesAsBefore() {
    SteadyClock clock = new SteadyClock(wall::get, nanos::get);
    long began = clock.getAsLong();
    assertEquals(wall.get(), began);
    wall.addAndGet(-TimeUnit.HOURS.toMillis(1));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(2000, clock.getAsLong() - began);
  }
}
