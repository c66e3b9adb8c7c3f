// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.hdfs.dataset.WithHyCache;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/** Operations as HyCache's dataset runs them, whose first try fails as on a full device. */
public final class FullOnce {
  private FullOnce() {}

  private static HyCacheWrites writes(FsDatasetSpi<?> dataset) {
    return new HyCacheWrites((FsDatasetImpl) dataset, ((WithHyCache) dataset).hyCache());
  }

  /** Appends to a replica. */
  public static ReplicaHandler append(
      FsDatasetSpi<?> dataset, ExtendedBlock block, long stamp, long length) throws IOException {
    AtomicInteger tries = new AtomicInteger();
    return writes(dataset)
        .growing(
            block,
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new IOException("No space left on device");
              }
              return dataset.append(block, stamp, length);
            });
  }

  /** Ends a recovery that does nothing and fails once with this message; returns the tries. */
  public static int recovered(FsDatasetSpi<?> dataset, ExtendedBlock block, String failure)
      throws IOException {
    AtomicInteger tries = new AtomicInteger();
    writes(dataset)
        .recovered(
            HyCacheReplicaStore.key(block),
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new IOException("Failed to copy", new IOException(failure));
              }
              return ((FsDatasetImpl) dataset)
                  .volumeMap.get(block.getBlockPoolId(), block.getBlockId());
            });
    return tries.get();
  }
}
