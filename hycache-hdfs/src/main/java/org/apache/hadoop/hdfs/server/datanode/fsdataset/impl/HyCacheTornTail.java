// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.hdfs.conf.StorageTiers;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates the torn tail that a failed write leaves on a full SSD: unacknowledged bytes at the end
 * of the file.
 *
 * <p>A packet that finds no space may be written in part. The replica's length is then smaller than
 * that of its file, and HDFS refuses to recover it until the DataNode restarts, so that a file
 * without other replicas can't be closed. HyCache places writes on SSD, so it repairs this: the
 * file is truncated to the fully received packets, as HDFS does at start, and the recovery
 * continues.
 */
final class HyCacheTornTail {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheTornTail.class);

  private HyCacheTornTail() {}

  /**
   * Truncates the tail. Must be called by the thread whose recovery of the replica was refused.
   *
   * @return whether a tail was truncated and the recovery can be retried
   */
  static boolean cut(ReplicaInfo replica, StorageTiers tiers) throws IOException {
    if (replica.getState() != ReplicaState.RBW
        || !(replica instanceof LocalReplicaInPipeline)
        || !tiers.isFast(replica.getVolume().getStorageType())) {
      return false;
    }
    LocalReplicaInPipeline written = (LocalReplicaInPipeline) replica;
    long received = replica.getBytesOnDisk();
    long length = replica.getBlockDataLength();
    Thread self = Thread.currentThread();
    // The recovery must have made this thread the replica's only writer.
    if (length <= received
        || received < replica.getVisibleLength()
        || !written.attemptToSetWriter(self, self)) {
      return false;
    }
    if (received == 0) {
      setLength(written, written.getBlockFile(), 0);
      setLength(written, written.getMetaFile(), BlockMetadataHeader.getHeaderSize());
    } else {
      LocalReplica.truncateBlock(
          written.getVolume(),
          written.getBlockFile(),
          written.getMetaFile(),
          length,
          received,
          written.getFileIoProvider());
    }
    LOG.info(
        "truncated the torn tail of a failed write: block={} receivedBytes={} fileBytes={}",
        replica.getBlockId(),
        received,
        length);
    return true;
  }

  private static void setLength(LocalReplicaInPipeline replica, File file, long bytes)
      throws IOException {
    try (RandomAccessFile out =
        replica.getFileIoProvider().getRandomAccessFile(replica.getVolume(), file, "rw")) {
      out.setLength(bytes);
    }
  }
}
