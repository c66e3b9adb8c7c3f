// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a DataNode's dataset. */
@Timeout(120)
class ShutdownIT {
  /** A log for whose last line of HyCache there is no memory. */
  private static final class NoMemory extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      if (event.getRenderedMessage().startsWith("stopped: ")) {
        throw new OutOfMemoryError("injected");
      }
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  @Test
  void shutdown_hyCacheThrowsAnError_hdfsOwnIsShutDownAsWell() throws Exception {
    Logger logger = Logger.getLogger(HyCacheNode.class);
    NoMemory noMemory = new NoMemory();
    try (EmbeddedCluster c = EmbeddedCluster.start(EmbeddedCluster.conf(), 1)) {
      byte[] unused = c.write("/a", 1, EmbeddedCluster.BLOCK);
      File root = c.node(0).ssdVolumes().get(0).root();
      String pool = c.cluster.getNamesystem().getBlockPoolId();
      // HDFS writes it when a volume is shut down.
      File used = new File(root, "current/" + pool + "/current/dfsUsed");
      assertFalse(used.exists());
      FsDatasetSpi<?> dataset = c.dataNode(0).getFSDataset();
      logger.addAppender(noMemory);
      try {
        assertThrows(OutOfMemoryError.class, dataset::shutdown);
      } finally {
        logger.removeAppender(noMemory);
      }
      assertTrue(used.exists());
    }
  }
}
