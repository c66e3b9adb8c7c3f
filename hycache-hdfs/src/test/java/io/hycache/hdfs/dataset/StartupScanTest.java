// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.StorageTiers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.test.GenericTestUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartupScanTest {
  private static final String WELL = "BP-1";
  private static final String BAD = "BP-2";

  private final CountDownLatch failed = new CountDownLatch(1);

  private @Nullable Object all(Object[] arguments) throws IOException {
    if (arguments[0].equals(BAD)) {
      failed.countDown();
      throw new IOException("made to fail");
    }
    return null;
  }

  /** The scan of pools without replicas. */
  @SuppressWarnings("NullAway") // nothing is adopted or reported
  private StartupScan scan() {
    ReplicaStore store =
        Stubs.of(
            ReplicaStore.class,
            Map.of(
                "ssdVolumes", arguments -> List.of(),
                "diskVolumes", arguments -> List.of(),
                "failedSsds", arguments -> List.of(),
                "tiers", arguments -> StorageTiers.DEFAULT,
                "all", this::all));
    HdfsHost host =
        new HdfsHost(
            store,
            new CleanCopies(),
            Map.of(),
            new LockedBlocks(store),
            DeviceLoads.of(DataDirMode.OWNER_ONLY, true),
            List.of(),
            DataDirMode.OWNER_ONLY,
            Long.MAX_VALUE,
            false,
            new Counters());
    return new StartupScan(
        store,
        new CleanCopies(),
        Map.of(),
        new Guests(),
        host,
        new HeatFiles(Map.of()),
        null,
        null,
        null,
        Mode.ACTIVE,
        new Guard(20, new Counters()));
  }

  @Test
  void poolLeavesWhileItsScanIsRepeated_theOthersAreComplete() throws Exception {
    try (StartupScan scan = scan()) {
      scan.poolAdded(WELL);
      scan.poolAdded(BAD);
      scan.reported(WELL);
      scan.reported(BAD);
      assertTrue(failed.await(60, TimeUnit.SECONDS));
      assertFalse(scan.isComplete());
      scan.poolLeaves(BAD);
      GenericTestUtils.waitFor(scan::isComplete, 10, 60_000);
    }
  }
}
