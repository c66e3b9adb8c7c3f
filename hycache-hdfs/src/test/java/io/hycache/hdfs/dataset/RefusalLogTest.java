// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.WriteFallback;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  private long nowNanos;

  @Test
  void log_manyAtOnce_oneInTenSeconds() {
    RefusalLog log = new RefusalLog(() -> nowNanos);
    IOException cause = new IOException("full");
    assertTrue(log.log(1, WriteFallback.SSD_FULL, cause));
    assertFalse(log.log(2, WriteFallback.SSD_FULL, cause));
    nowNanos = TimeUnit.SECONDS.toNanos(10);
    assertTrue(log.log(3, WriteFallback.SSD_FAILED, cause));
  }
}
