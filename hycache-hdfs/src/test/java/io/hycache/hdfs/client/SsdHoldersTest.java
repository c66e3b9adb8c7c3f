// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.rpc.BlockTokens;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SsdHoldersTest {
  /** As where the process has as many threads as it may. */
  private static final class NoThread extends Thread {
    @Override
    public synchronized void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  @Test
  void of_noThreadCanBeStarted_answersNothingAndRests() throws Exception {
    Duration second = Duration.ofSeconds(1);
    try (SsdHolders holders =
        new SsdHolders(new Configuration(false), second, second, task -> new NoThread())) {
      assertFalse(holders.isResting());
      assertEquals(
          Map.of(),
          holders.of(List.of(new BlockKey("BP-1", 1)), BlockTokens.NONE, List.of("localhost:1")));
      assertTrue(holders.isResting());
    }
  }
}
