// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.DeviceStatus;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An SSD hangs while a DataNode that starts looks at its replicas. */
@Timeout(120)
class HungStartIT {
  private static final int BLOCKS = 6;
  private static final StorageType[] VOLUMES = {StorageType.SSD, StorageType.SSD, StorageType.DISK};

  private final CountDownLatch answers = new CountDownLatch(1);

  /** Volumes whose replicas were looked at. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  @AfterEach
  void endFaults() {
    answers.countDown();
    FileOperation.observe(null);
  }

  private void hang(FileOperation operation, java.io.File file) {
    String path = file.getPath();
    if (operation != FileOperation.MARKED) {
      return;
    }
    String volume = path.substring(0, path.indexOf("/current/"));
    synchronized (asked) {
      if (asked.isEmpty()) {
        asked.add(volume);
      } else if (!asked.contains(volume)) {
        return;
      }
    }
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void oneSsdHangs_theReplicasOfTheOtherAreKnown() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    byte[] data;
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, VOLUMES)) {
      data = c.write("/a", 3, BLOCKS * EmbeddedCluster.BLOCK);
      c.await("known", () -> c.node(0).status().trackedBlocks() == BLOCKS);
      assertTrue(
          c.node(0).status().devices().stream()
              .allMatch(device -> device.figure(DeviceStatus.Figure.DIRTY_BYTES) > 0),
          "both SSDs have some");
    }
    FileOperation.observe(this::hang);
    try (EmbeddedCluster c = EmbeddedCluster.restart(conf, VOLUMES)) {
      c.await("those of one SSD", () -> c.node(0).status().trackedBlocks() >= BLOCKS / 2 - 1);
      assertEquals(1, answers.getCount());
      answers.countDown();
      c.await("those of both", () -> c.node(0).status().trackedBlocks() == BLOCKS);
      assertArrayEquals(data, c.read("/a"));
    }
  }
}
