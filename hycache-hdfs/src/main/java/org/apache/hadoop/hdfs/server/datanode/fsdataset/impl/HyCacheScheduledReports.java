package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.ScheduledReports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports.Line;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.jspecify.annotations.Nullable;

/** Reports of replicas that are here by HDFS's replica map. Thread-safe. */
class HyCacheScheduledReports implements ScheduledReports {
  /** Looks at a replica that goes on changing; each change is reported by HDFS as well. */
  private static final int MOST_LOOKS = 3;

  private final FsDatasetImpl dataset;
  private final boolean available = HyCacheReports.available();

  HyCacheScheduledReports(FsDatasetImpl dataset) {
    this.dataset = dataset;
  }

  @Override
  public boolean available() {
    return available;
  }

  private @Nullable ReplicaInfo finalized(BlockKey block) {
    ReplicaInfo info = dataset.volumeMap.get(block.pool(), block.id());
    return info != null && info.getState() == ReplicaState.FINALIZED ? info : null;
  }

  @Override
  public @Nullable StorageType finalizedOn(BlockKey block) {
    ReplicaInfo info = finalized(block);
    return info == null ? null : info.getVolume().getStorageType();
  }

  @Override
  public List<BlockKey> someFinalized(String pool, StorageType type, int most) {
    List<BlockKey> found = new ArrayList<>();
    for (ReplicaInfo info : dataset.getFinalizedBlocks(pool)) {
      if (info.getVolume().getStorageType() == type) {
        found.add(new BlockKey(pool, info.getBlockId()));
        if (found.size() == most) {
          break;
        }
      }
    }
    return found;
  }

  @Override
  public boolean receivedAgain(BlockKey witness, StorageType type, int times) throws IOException {
    ReplicaInfo info = finalized(witness);
    if (info == null || info.getVolume().getStorageType() != type) {
      return false;
    }
    Seen seen = new Seen(witness.pool(), info);
    send(seen, Collections.nCopies(times, Line.received(seen.storage, seen.block)));
    return true;
  }

  @Override
  public boolean receivedThereAndBack(BlockKey replica, StorageType type, int times)
      throws IOException {
    ReplicaInfo info = finalized(replica);
    String there = null;
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      there = volume.getStorageType() == type ? volume.getStorageID() : there;
    }
    if (info == null || there == null || replica.id() < 0) {
      return false;
    }
    Seen seen = new Seen(replica.pool(), info);
    List<Line> lines =
        new ArrayList<>(Collections.nCopies(times, Line.received(there, seen.block)));
    lines.add(Line.received(seen.storage, seen.block));
    send(seen, lines);
    return true;
  }

  /** A replica as it is reported. Immutable. */
  private static final class Seen {
    final String pool;
    final Block block;
    final String storage;

    Seen(String pool, ReplicaInfo info) {
      this.pool = pool;
      this.block = new Block(info.getBlockId(), info.getNumBytes(), info.getGenerationStamp());
      this.storage = info.getStorageUuid();
    }

    boolean is(ReplicaInfo now) {
      return now.getGenerationStamp() == block.getGenerationStamp()
          && now.getNumBytes() == block.getNumBytes()
          && now.getStorageUuid().equals(storage);
    }
  }

  private void send(Seen seen, List<Line> lines) throws IOException {
    try {
      report(seen.pool, lines);
    } finally {
      // Also after a failure: the NameNode may have taken it.
      lookAgain(seen);
    }
  }

  /** Waits for the NameNode; for tests to do something meanwhile. */
  void report(String pool, List<Line> lines) throws IOException {
    HyCacheReports.report(dataset.datanode, pool, lines);
  }

  /**
   * What HDFS reported of a replica while ours was on its way may have been taken before ours: it
   * is reported again. A replica that is not finalized will be, and is reported then.
   */
  private void lookAgain(Seen seen) {
    Seen reported = seen;
    boolean gone = false;
    for (int look = 0; look < MOST_LOOKS; look++) {
      ReplicaInfo now = dataset.volumeMap.get(reported.pool, reported.block.getBlockId());
      if (now == null && !gone) {
        gone = true;
        if (dataset.getStorage(reported.storage) != null) {
          dataset.datanode.notifyNamenodeDeletedBlock(
              new ExtendedBlock(reported.pool, reported.block), reported.storage);
        }
      } else if (now == null
          || now.getState() != ReplicaState.FINALIZED
          || (reported.is(now) && !gone)) {
        return;
      } else {
        gone = false;
        reported = new Seen(reported.pool, now);
        dataset.datanode.notifyNamenodeReceivedBlock(
            new ExtendedBlock(reported.pool, reported.block),
            null,
            reported.storage,
            now.isOnTransientStorage());
      }
    }
  }
}
