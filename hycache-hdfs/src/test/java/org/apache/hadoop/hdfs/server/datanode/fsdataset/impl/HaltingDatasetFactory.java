// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/**
 * The real dataset in a DataNode that dies, as by SIGKILL, when the first move reaches the step
 * that {@link #HALT_AT} names, for example {@code DEMOTE SYNCED}.
 */
public class HaltingDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {
  public static final String HALT_AT = "hycache.test.halt-at";
  public static final int EXIT_CODE = 86;

  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    HyCacheDataset dataset = new HyCacheDataset(datanode, storage, conf);
    String at = conf.get(HALT_AT, "");
    dataset
        .hyCache()
        .observeMoves(
            (kind, replica, state) -> {
              if (at.equals(kind + " " + state)) {
                Runtime.getRuntime().halt(EXIT_CODE);
              }
            });
    return dataset;
  }
}
