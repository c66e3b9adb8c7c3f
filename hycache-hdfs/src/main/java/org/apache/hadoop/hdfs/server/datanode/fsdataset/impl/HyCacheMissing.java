package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/** Replicas that HDFS takes for missing: whether they are, and what becomes of them. Thread-safe. */
final class HyCacheMissing {
  /** Hadoop 3.3 leaves it to the reader of a block. */
  private static final boolean INVALIDATES_MISSING =
      HyCacheDataset.has("invalidateMissingBlock", String.class, Block.class);

  /** What LocalReplica says in a plain IOException where there is no native library. */
  private static final String NO_DATA_FILE = "Expected block file at ";

  private final FsDatasetImpl dataset;
  private final HyCacheNode node;
  private final HyCacheLookAgain lookAgain;

  HyCacheMissing(FsDatasetImpl dataset, HyCacheNode node, HyCacheLookAgain lookAgain) {
    this.dataset = dataset;
    this.node = node;
    this.lookAgain = lookAgain;
  }

  /** Gives up a replica that HDFS takes for missing, unless it is there. */
  void invalidate(String pool, Block block, Runnable plain) {
    if (isHere(pool, block)) {
      return;
    }
    BlockKey key = new BlockKey(pool, block.getBlockId());
    try (BlockMoves.Hold hold = node.moves().writing(key)) {
      if (isHereWithoutWriters(pool, block)) {
        return;
      }
      plain.run();
    }
    node.events().deleted(key);
  }

  /**
   * Plain HDFS notices a missing data file when it opens the checksum file, and drops the replica.
   * Where the checksum file came from a clean copy that look was skipped; it is made up for here.
   */
  void behindCleanCopy(ExtendedBlock b, BlockKey block, IOException e) throws IOException {
    String message = e.getMessage();
    if (!node.reads().hasCopy(block)
        || message == null
        || message.contains("Too many open files")
        || !(e instanceof FileNotFoundException || message.startsWith(NO_DATA_FILE))) {
      return;
    }
    if (INVALIDATES_MISSING) {
      dataset.invalidateMissingBlock(block.pool(), b.getLocalBlock());
      return;
    }
    ReplicaInfo missing = dataset.volumeMap.get(block.pool(), b.getLocalBlock());
    if (missing != null && !isHere(block.pool(), b.getLocalBlock())) {
      dataset.datanode.notifyNamenodeDeletedBlock(b, missing.getStorageUuid());
      dataset.invalidate(block.pool(), new Block[] {b.getLocalBlock()});
    }
  }

  /** Shall a replica be kept that HDFS takes for missing? Counted. */
  private boolean isHere(String pool, Block block) {
    boolean here = lookAgain.isHere(pool, block);
    if (here) {
      node.reads().notMissing();
    }
    return here;
  }

  /**
   * The same for a block that no local move may touch. HDFS finalizes a replica under the volume's
   * lock: it renames the files first, and then changes the replica map.
   */
  private boolean isHereWithoutWriters(String pool, Block block) {
    ReplicaInfo replica = dataset.volumeMap.get(pool, block);
    if (replica == null) {
      return isHere(pool, block);
    }
    try (HyCacheVolumeLock.Held lock =
        HyCacheVolumeLock.write(dataset, pool, replica.getVolume())) {
      return isHere(pool, block);
    } catch (IOException e) {
      return isHere(pool, block);
    }
  }
}
