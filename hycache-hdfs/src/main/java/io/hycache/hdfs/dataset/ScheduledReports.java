// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;

/**
 * What {@link ScheduledElsewhere} needs of HDFS; implemented in Hadoop's own package. Thread-safe.
 */
public interface ScheduledReports {
  /**
   * Returns false on a Hadoop version that does not support such reports; then none must be made.
   */
  boolean available();

  /**
   * Reports a block that does not exist to the NameNodes of a pool as received on a storage of a
   * type, as often as given. Its id is one that HDFS never issues: the NameNode decrements its
   * count of blocks scheduled on that storage type, finds that the block belongs to no file, and
   * asks for its deletion, which is ignored here. Waits for the NameNode.
   *
   * @return false if there is no storage of that type, and nothing was reported
   * @throws IOException if the active NameNode did not take it
   */
  boolean receivedUnissued(String pool, StorageType type, int times) throws IOException;
}
