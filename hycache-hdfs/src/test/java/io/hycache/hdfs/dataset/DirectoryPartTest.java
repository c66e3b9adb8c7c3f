// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.rpc.BlockDirectory;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DirectoryPartTest {
  private final DirectoryPart part = new DirectoryPart();
  private final BlockDirectory share = Stubs.of(BlockDirectory.class, Map.of());
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void directory_whileAnotherHasTheMonitor_isAnsweredAtOnce() throws Exception {
    assertTrue(part.install(share, closed::incrementAndGet));
    FutureTask<@Nullable BlockDirectory> other = new FutureTask<>(part::directory);
    synchronized (part) {
      new Thread(other).start();
      assertSame(share, other.get());
    }
  }

  @Test
  void close_shareIsClosedOnce_andThereIsNoneAnyMore() throws Exception {
    assertTrue(part.install(share, closed::incrementAndGet));
    part.close();
    part.close();
    assertEquals(1, closed.get());
    assertNull(part.directory());
  }

  @Test
  void install_closedWhileTheShareWasStarted_isClosedAtOnce() throws Exception {
    part.close();
    assertFalse(part.install(share, closed::incrementAndGet));
    assertEquals(1, closed.get());
    assertNull(part.directory());
  }
}
