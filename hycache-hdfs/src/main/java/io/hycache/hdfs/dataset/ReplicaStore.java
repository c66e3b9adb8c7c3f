package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What HyCache needs of HDFS's dataset; implemented in Hadoop's own package. Thread-safe. Nothing
 * here does I/O on the replica but {@link #moveToDisk}.
 */
public interface ReplicaStore {

  /** A volume of this DataNode. */
  interface Volume {
    /** The configured directory, parent of {@code current}. */
    File root();

    long capacityBytes();

    /** Free for new replicas; what is reserved for replicas being written is taken off. */
    long availableBytes() throws IOException;

    /** Bytes of HDFS's own files on it and bytes reserved for replicas being written. */
    long dfsUsedBytes() throws IOException;
  }

  /** The finalized replica, or null. */
  @Nullable ReplicaView finalized(BlockKey block);

  /** True if a replica of the block exists in any state. */
  boolean exists(BlockKey block);

  /** True if exactly this replica is finalized on a slow volume. For the read path: one look-up. */
  boolean isFinalizedOnDisk(Replica replica);

  /** True if the block's replica, in any state, lies on an SSD volume. For the read path. */
  boolean isOnSsd(BlockKey block);

  /**
   * Shows all finalized replicas of a pool: those on slow volumes without their files, whose names
   * take longer to make than all the rest. O(n).
   */
  void all(String pool, Consumer<Replica> onSlow, Consumer<ReplicaView> onFast) throws IOException;

  /** Block pools that the DataNode has. */
  Set<String> pools();

  List<Volume> ssdVolumes();

  List<Volume> diskVolumes();

  /** Keeps the replica's volume from being closed while its files are read. */
  Closeable hold(Replica replica) throws IOException;

  /**
   * Reserves room on the HDFS volume with this root, so that neither HDFS nor another move takes
   * it; closing gives back what is left to the volume's own accounts. Elsewhere there is nothing to
   * reserve.
   *
   * @throws IOException if there is no such room
   */
  Closeable reserve(File root, long bytes) throws IOException;

  /**
   * HDFS's own local move to a DISK volume, with verification and syncs added. Tells the NameNode
   * and removes the source.
   *
   * @param volume root of the volume that gets it
   * @throws IOException if the volume is gone, the replica changed meanwhile, or I/O failed; the
   *     source is untouched
   */
  void moveToDisk(Replica replica, String volume) throws IOException;

  /** What is reported to the NameNode for {@link ScheduledElsewhere}. */
  ScheduledReports scheduledReports();

  /**
   * Makes the NameNode forget that a client reported a DISK replica as corrupt, unless the replica
   * changed meanwhile. Waits for the NameNode.
   *
   * @return false if the replica is gone or changed, or this Hadoop takes no such reports
   * @throws IOException if the NameNode did not take it
   */
  boolean reportWell(Replica replica) throws IOException;

  /**
   * If the NameNode asked for the deletion of a replica soon after it was reported as well, and so
   * in vain, makes it decide anew. Does nothing within a minute of that report. Waits for the
   * NameNode.
   *
   * @throws IOException if the NameNode did not take it
   */
  void reportKept(BlockKey block) throws IOException;

  /** True if HDFS has the replica in memory, or is bringing it there. */
  boolean isLockedInMemory(BlockKey block);

  /** Makes clients give back the descriptors they hold of a replica for short-circuit reads. */
  void revokeShortCircuit(BlockKey block);
}
