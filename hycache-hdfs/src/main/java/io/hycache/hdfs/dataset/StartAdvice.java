// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.jspecify.annotations.Nullable;

/** Checks of the DataNode's configuration that concern its SSDs. */
final class StartAdvice {
  private StartAdvice() {}

  /** Returns the configured local data directories in order. */
  static Set<File> dataDirs(Configuration conf) {
    return dirs(conf, location -> true);
  }

  /** Returns those of type DISK. */
  static Set<File> diskDirs(Configuration conf) {
    return dirs(conf, location -> location.getStorageType() == StorageType.DISK);
  }

  private static Set<File> dirs(Configuration conf, Predicate<StorageLocation> wanted) {
    Set<File> dirs = new LinkedHashSet<>();
    for (StorageLocation location : locations(conf)) {
      if ("file".equals(location.getUri().getScheme()) && wanted.test(location)) {
        dirs.add(new File(location.getUri()));
      }
    }
    return dirs;
  }

  private static List<StorageLocation> locations(Configuration conf) {
    return conf.getTrimmedStringCollection(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY).isEmpty()
        ? List.of()
        : DataNode.getStorageLocations(conf);
  }

  /**
   * Returns a warning if the failure of one SSD would stop the DataNode although it has other
   * volumes; otherwise null.
   */
  static @Nullable String ofFailures(Configuration conf, int ssdVolumes, int volumes) {
    int tolerated =
        conf.getInt(
            DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY,
            DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_DEFAULT);
    return tolerated != 0 || ssdVolumes == 0 || volumes < 2
        ? null
        : DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY
            + " is 0: this DataNode stops when one SSD fails. Fix: set it to 1 or more. ssdVolumes="
            + ssdVolumes
            + " volumes="
            + volumes;
  }
}
