package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.AutoCloseableLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock under which HDFS changes the replica map's entries of one volume: from Hadoop 3.4 on the
 * write lock of the volume (in 3.5 that also keeps out who locks a directory of it), in 3.3 the
 * write lock of the dataset. Stateless.
 */
final class HyCacheVolumeLock {
  /** Hadoop 3.3 has one lock for all. */
  private static final @Nullable Method WHOLE_DATASET = wholeDataset();

  private HyCacheVolumeLock() {}

  private static @Nullable Method wholeDataset() {
    try {
      return FsDatasetImpl.class.getMethod("acquireDatasetLock");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** The lock, until it is closed by the thread that took it. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for the lock. */
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
      throw new IOException("the dataset's lock can't be taken", e);
    }
  }
}
