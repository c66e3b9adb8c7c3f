// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.math.BigDecimal;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;

/**
 * HyCache's dataset where Hadoop's tests of caching want memory to be locked: the bytes that they
 * set as {@code dfs.datanode.max.locked.memory} become the capacity for pins, so that the tests'
 * directives pin blocks. Their own configuration wins over files, so that this can't be done there.
 */
public class PinsDatasetFactory extends HyCacheDatasetFactory {
  /** Of which the capacity for pins is a share without rounding: a power of two. */
  private static final long SSD_BYTES = 64 << 20;

  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    String memory = DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY;
    Configuration own = new Configuration(conf);
    long bytes = own.getLongBytes(memory, 0);
    own.unset(memory);
    own.setLong("hycache.ssd.capacity", SSD_BYTES);
    own.set("hycache.pins.share", new BigDecimal((double) bytes / SSD_BYTES).toPlainString());
    own.setBoolean("hycache.directives", true);
    return super.newInstance(datanode, storage, own);
  }
}
