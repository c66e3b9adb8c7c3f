// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/** What the NameNode and the first DataNode of a cluster with cache directives say is cached. */
final class CacheReports {
  private CacheReports() {}

  /** Directives with a quarter of the SSD, no room for writes, and a NameNode that asks often. */
  static Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.DIRECTIVES, "true");
    conf.set(HyCacheKeys.PINS_SHARE, "0.25");
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.setLong(DFSConfigKeys.DFS_CACHEREPORT_INTERVAL_MSEC_KEY, 200);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_REFRESH_INTERVAL_MS, 200);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_RETRY_INTERVAL_MS, 1000);
    return conf;
  }

  static FsDatasetSpi<?> dataset(EmbeddedCluster c) {
    return c.dataNode(0).getFSDataset();
  }

  /** Ids of the blocks that the DataNode reports as cached. */
  static Set<Long> report(EmbeddedCluster c) throws IOException {
    return Set.copyOf(dataset(c).getCacheReport(c.cluster.getNamesystem().getBlockPoolId()));
  }

  static Set<Long> ids(EmbeddedCluster c, String path) throws IOException {
    return c.keys(path).stream().map(BlockKey::id).collect(Collectors.toSet());
  }

  /** Blocks of a file that the NameNode lists as cached. */
  static long cached(EmbeddedCluster c, String path) throws IOException {
    return c.blocks(path).stream().filter(b -> b.getCachedLocations().length == 1).count();
  }
}
