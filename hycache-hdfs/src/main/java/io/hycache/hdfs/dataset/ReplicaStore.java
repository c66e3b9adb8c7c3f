// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.hdfs.conf.StorageTiers;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HyCache's view of HDFS's dataset, implemented in Hadoop's own package. Thread-safe. Only {@link
 * #moveTo} does I/O on replica files.
 */
public interface ReplicaStore {

  /** A volume of this DataNode. */
  interface Volume {
    /** Returns the configured directory, the parent of {@code current}. */
    File root();

    /** Returns the number of its tier, see {@link StorageTiers#tierOf}. */
    default int tier() {
      return 0;
    }

    long capacityBytes();

    /** Returns the free space minus reservations for replicas being written. */
    long availableBytes() throws IOException;

    /** Returns the bytes of HDFS's own files plus reservations for replicas being written. */
    long dfsUsedBytes() throws IOException;
  }

  /** Returns the tiers of this DataNode. */
  StorageTiers tiers();

  /** Returns the finalized replica, or null. */
  @Nullable ReplicaView finalized(BlockKey block);

  /** Returns true if a replica of the block exists in any state. */
  boolean exists(BlockKey block);

  /**
   * Returns true if exactly this replica is finalized on a slow volume. Used on the read path: one
   * look-up.
   */
  boolean isFinalizedOnDisk(Replica replica);

  /**
   * Returns true if the block's replica, in any state, lies on a volume of a fast tier. Used on the
   * read path.
   */
  boolean isOnSsd(BlockKey block);

  /**
   * Iterates over all finalized replicas of a pool. Those on slow volumes come without their files,
   * because building the file names would take most of the time. O(n).
   */
  void all(String pool, Consumer<Replica> onSlow, Consumer<ReplicaView> onFast) throws IOException;

  /** Returns the block pools of the DataNode. */
  Set<String> pools();

  /** Returns the volumes of all fast tiers. */
  List<Volume> ssdVolumes();

  /** Returns the volumes of the slow tier. */
  List<Volume> diskVolumes();

  /**
   * Returns the directories of those volumes of fast tiers that HDFS has taken out of use because
   * they failed, until the DataNode is reconfigured or restarts.
   */
  List<File> failedSsds();

  /**
   * Takes a reference of the replica's volume, so that it is not closed while its files are read.
   */
  Closeable hold(Replica replica) throws IOException;

  /**
   * Reserves space on the HDFS volume with this root against HDFS and other moves, until it is
   * closed. Does nothing if no volume has this root.
   *
   * @throws IOException if the space is not available
   */
  Closeable reserve(File root, long bytes) throws IOException;

  /**
   * Moves a replica to another volume through HDFS's own local move, with verification and syncs
   * added. Notifies the NameNode and removes the source.
   *
   * @param volume root of the target volume
   * @throws IOException if the volume was removed, the replica has changed, or I/O failed; the
   *     source is untouched
   */
  void moveTo(Replica replica, String volume) throws IOException;

  /** Returns the reports to the NameNode that {@link ScheduledElsewhere} makes. */
  ScheduledReports scheduledReports();

  /**
   * Clears a client's report of a corrupt DISK replica on the NameNode, unless the replica has
   * changed. Blocks on the RPC.
   *
   * @return false if the replica was removed or changed, or this Hadoop does not support such
   *     reports
   * @throws IOException if the NameNode did not accept the report
   */
  boolean reportWell(Replica replica) throws IOException;

  /**
   * Makes the NameNode decide again on a deletion of a replica that it asked for shortly after
   * {@link #reportWell} and that was therefore skipped. Does nothing within a minute of that
   * report. Blocks on the RPC.
   *
   * @throws IOException if the NameNode did not accept the report
   */
  void reportKept(BlockKey block) throws IOException;

  /**
   * Has HDFS's block scanner verify a replica on any volume that was found corrupt or unreadable,
   * and report it to the NameNode if it is. Does nothing without a scanner, or if the replica has
   * changed. Never waits.
   */
  void suspect(Replica replica);

  /** Returns true if HDFS has locked the replica in memory or is doing so. */
  boolean isLockedInMemory(BlockKey block);

  /** Returns the size of the pages in which HDFS counts the bytes of cached blocks. */
  long pageBytes();

  /**
   * Counts a block in HDFS's own metrics of cached blocks. Never throws.
   *
   * @param cached false if the block was cached and is no more
   */
  void countCached(boolean cached);

  /** Revokes the descriptors that clients hold of a replica for short-circuit reads. */
  void revokeShortCircuit(BlockKey block);
}
