package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/**
 * What {@link ScheduledElsewhere} needs of HDFS; implemented in Hadoop's own package. Thread-safe.
 */
public interface ScheduledReports {
  /** False on a Hadoop that does not take such reports from us: then nothing is to be reported. */
  boolean available();

  /** Where a finalized replica lies; null if there is none. O(1). */
  @Nullable StorageType finalizedOn(BlockKey block);

  /** Some finalized replicas of a pool on storages of a type. O(replicas of the pool). */
  List<BlockKey> someFinalized(String pool, StorageType type, int most);

  /**
   * Reports a finalized replica to the active NameNode as received, as often as given, on the
   * storage where it lies. The NameNode knows it there: nothing changes but its count of blocks
   * scheduled on that storage type. If the replica was changed, moved or deleted meanwhile, its
   * state is reported after that. Waits for the NameNode.
   *
   * @return false if the replica does not lie on a storage of that type, and nothing was reported
   * @throws IOException if the NameNode did not take it
   */
  boolean receivedAgain(BlockKey witness, StorageType type, int times) throws IOException;

  /**
   * As {@link #receivedAgain}, where no replica lies on a storage of that type: one that lies
   * elsewhere is reported there as often as given, and in the same call where it lies.
   *
   * @return false if there is no storage of that type, the replica is gone, or it is one of a
   *     striped group, of which this DataNode may hold more
   */
  boolean receivedThereAndBack(BlockKey replica, StorageType type, int times) throws IOException;
}
