// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.AutoCloseableLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock under which HDFS changes the replica map's entries of a volume: from Hadoop 3.4 on the
 * write lock of the volume (which in 3.5 also excludes holders of its directory locks), in 3.3 the
 * write lock of the dataset. Stateless.
 */
final class HyCacheVolumeLock {
  /** Hadoop 3.3's method for the dataset's lock; null from 3.4 on. */
  private static final @Nullable Method WHOLE_DATASET = wholeDataset();

  private HyCacheVolumeLock() {}

  private static @Nullable Method wholeDataset() {
    try {
      return FsDatasetImpl.class.getMethod("acquireDatasetLock");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** The lock, held until it is closed by the thread that acquired it. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Acquires the lock. */
  static Held write(FsDatasetImpl dataset, String pool, FsVolumeSpi volume) throws IOException {
    if (WHOLE_DATASET == null) {
      AutoCloseDataSetLock lock =
          dataset
              .acquireDatasetLockManager()
              .writeLock(LockLevel.VOLUME, pool, volume.getStorageID());
      return () -> lock.close();
    }
    try {
      AutoCloseableLock lock = (AutoCloseableLock) WHOLE_DATASET.invoke(dataset);
      return () -> lock.close();
    } catch (ReflectiveOperationException e) {
      throw new IOException("can't acquire the dataset's lock", e);
    }
  }
}
