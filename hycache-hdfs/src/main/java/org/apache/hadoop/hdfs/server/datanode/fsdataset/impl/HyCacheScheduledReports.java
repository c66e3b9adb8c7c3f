// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.hdfs.dataset.ScheduledReports;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports.Line;

/**
 * Reports of a block that does not exist. HDFS reserves the ids up to {@code
 * SequentialBlockIdGenerator.LAST_RESERVED_BLOCK_ID} (2^30) and issues none of them. An existing
 * replica can't be used: it may be appended to while the report is on its way, and the NameNode
 * considers a received replica with an older generation stamp corrupt. HDFS assigns the reported
 * generation stamp to no new block.
 *
 * <p>Thread-safe.
 */
final class HyCacheScheduledReports implements ScheduledReports {
  private static final Block UNISSUED = new Block(1, 0, HdfsConstants.GRANDFATHER_GENERATION_STAMP);

  private final FsDatasetImpl dataset;
  private final HyCacheReports reports;
  private final boolean available = HyCacheReports.available();

  HyCacheScheduledReports(FsDatasetImpl dataset, HyCacheReports reports) {
    this.dataset = dataset;
    this.reports = reports;
  }

  @Override
  public boolean available() {
    return available;
  }

  @Override
  public boolean receivedUnissued(String pool, StorageType type, int times) throws IOException {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageType() == type) {
        Line line = Line.received(volume.getStorageID(), new Block(UNISSUED));
        reports.report(pool, Collections.nCopies(times, line), () -> {});
        return true;
      }
    }
    return false;
  }

  /** Returns the blocks without the one that exists only in these reports. */
  static Block[] issued(Block[] blocks) {
    return Arrays.stream(blocks).anyMatch(HyCacheScheduledReports::isUnissued)
        ? Arrays.stream(blocks).filter(block -> !isUnissued(block)).toArray(Block[]::new)
        : blocks;
  }

  private static boolean isUnissued(Block block) {
    return block.getBlockId() == UNISSUED.getBlockId()
        && block.getGenerationStamp() == UNISSUED.getGenerationStamp();
  }
}
