// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Value of {@code dfs.datanode.fsdataset.factory}: creates a {@link HyCacheDataset}, or HDFS's own
 * dataset if the installed Hadoop is incompatible.
 */
public class HyCacheDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheDatasetFactory.class);

  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    List<String> problems = HyCacheSelfCheck.problems();
    if (!problems.isEmpty()) {
      LOG.error(
          "HyCache is incompatible with this Hadoop, the DataNode runs as plain HDFS:"
              + " hadoop={} problems={}",
          VersionInfo.getVersion(),
          problems);
      return new FsDatasetImpl(datanode, storage, conf);
    }
    return new HyCacheDataset(datanode, storage, conf);
  }
}
