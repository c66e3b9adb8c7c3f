package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a full SSD leaves of a write: bytes at the end of the file that nobody acknowledged.
 *
 * <p>A packet that finds no space may be written in part. The replica then says fewer bytes than
 * its file has, and HDFS refuses to recover it until the DataNode starts again, so that a file
 * whose other replicas are gone can't be closed. On a volume that we send writes to, that is ours
 * to mend: the file is cut back to what was received whole, as HDFS does when it starts, and
 * recovery goes on.
 */
final class HyCacheTornTail {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheTornTail.class);

  private HyCacheTornTail() {}

  /**
   * Cuts it off. To be called by the thread that is recovering the replica and was refused.
   *
   * @return whether there was one and recovery is worth another try
   */
  static boolean cut(ReplicaInfo replica) throws IOException {
    if (replica.getState() != ReplicaState.RBW
        || !(replica instanceof LocalReplicaInPipeline)
        || replica.getVolume().getStorageType() != StorageType.SSD) {
      return false;
    }
    LocalReplicaInPipeline written = (LocalReplicaInPipeline) replica;
    long received = replica.getBytesOnDisk();
    long length = replica.getBlockDataLength();
    Thread self = Thread.currentThread();
    // Recovery has made this thread the replica's only writer; else its file is not ours to touch.
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
        "cut off what a failed write had left: block={} receivedBytes={} fileBytes={}",
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
