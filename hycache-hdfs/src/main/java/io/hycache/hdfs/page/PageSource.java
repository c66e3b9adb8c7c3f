// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.Member;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.RecentMove;
import io.hycache.core.stats.TrafficHistory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of a DataNode are drawn from. Methods throw an {@link IOException}, whose message
 * says why, while there is no answer. Thread-safe.
 */
public interface PageSource {
  /** Host and data transfer port, as HDFS's own tools show the DataNode. */
  String name();

  /** The DataNode's UUID; empty before it has one. */
  String id();

  NodeStatus status() throws IOException;

  /** The volumes of all storage types, as HDFS sees them. */
  List<VolumeStatus> volumes() throws IOException;

  /** The workflows of all users that have hints left, in order of submission. */
  List<WorkflowStatus> workflows() throws IOException;

  /** The moves that have not ended, and the last that have. */
  List<RecentMove> moves() throws IOException;

  /** Status of blocks; one for each block, in order. */
  List<BlockStatus> locate(List<BlockKey> blocks) throws IOException;

  /** The blocks that were read most often. To be asked seldom. */
  List<BlockStatus> mostRead(int most) throws IOException;

  TrafficHistory.Snapshot history() throws IOException;

  /** This DataNode's share of the directory; null if it has none. */
  @Nullable DirectoryStatus directory();

  /** The members of the directory as this DataNode knows them; empty if it has no part in one. */
  List<Member> members();

  /** Counts and logs a failure of the pages. Never throws. */
  void failed(Throwable why);
}
