// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** Storage reports of volumes with clean copies. Stateless. */
final class HyCacheSpace {
  private HyCacheSpace() {}

  /**
   * Reports the space of clean copies as free, because they are evicted when HDFS needs it.
   *
   * @param plain HDFS's own reports; not changed
   * @param givableBytes returns the evictable bytes on the volume with a root
   */
  static StorageReport[] withCleanAsFree(
      StorageReport[] plain,
      List<? extends FsVolumeSpi> volumes,
      ToLongFunction<File> givableBytes) {
    StorageReport[] reports = plain.clone();
    for (FsVolumeSpi volume : volumes) {
      File root = HyCacheReplicaStore.root(volume);
      long clean = root == null ? 0 : givableBytes.applyAsLong(root);
      for (int i = 0; clean > 0 && i < reports.length; i++) {
        if (reports[i].getStorage().getStorageID().equals(volume.getStorageID())) {
          reports[i] = withCleanAsFree(reports[i], clean);
        }
      }
    }
    return reports;
  }

  private static StorageReport withCleanAsFree(StorageReport r, long cleanBytes) {
    long most = Math.max(r.getRemaining(), r.getCapacity() - r.getDfsUsed());
    long remaining = Math.min(most, r.getRemaining() + cleanBytes);
    long nonDfsUsed = Math.max(0, r.getNonDfsUsed() - cleanBytes);
    // Hadoop 3.3 has no constructor with a mount, and never asks for it.
    return new StorageReport(
        r.getStorage(),
        r.isFailed(),
        r.getCapacity(),
        r.getDfsUsed(),
        remaining,
        r.getBlockPoolUsed(),
        nonDfsUsed) {
      @Override
      public String getMount() {
        return r.getMount();
      }
    };
  }
}
