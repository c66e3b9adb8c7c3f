// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** The operations behind the client protocol, implemented over the engine. Thread-safe. */
public interface NodeService {

  /**
   * Accepts hints. They replace the same user's workflow of that name.
   *
   * @param user owner of the hints, as authenticated
   * @param exempt whether the limits on one user don't apply to this one
   * @return the receipt
   * @throws IOException if the plugin is in pass-through or the engine does not answer in time
   */
  HintReceipt submitHints(Hints hints, String user, boolean exempt) throws IOException;

  /**
   * Withdraws a workflow. Returns the references that were left; empty if there is no such
   * workflow.
   */
  OptionalInt withdraw(WorkflowId workflow) throws IOException;

  /**
   * Other DataNodes report full reads of these blocks; each uses up a reference, if one is left.
   * Does not wait.
   */
  void readElsewhere(List<BlockKey> blocks) throws IOException;

  /**
   * The workflows that have hints left, in order of submission.
   *
   * @param which of all users' workflows; the blocks of the others are not looked at
   */
  List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws IOException;

  /**
   * The workflows that have ended a while ago, as far as that is kept.
   *
   * @param which of all users' workflows; the blocks of the others are not looked at
   */
  default List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) throws IOException {
    return List.of();
  }

  /**
   * What became of a workflow's hints, block by block, while it is active and for a while after.
   *
   * @param from blocks to pass over
   * @param most maximum number of blocks in the answer; an answer with fewer is the last one
   */
  List<HintedBlock> explain(WorkflowId workflow, int from, int most) throws IOException;

  /** State of the DataNode, with its devices. */
  NodeStatus status() throws IOException;

  /** Status of blocks; one for each block, in order. */
  List<BlockStatus> locate(List<BlockKey> blocks) throws IOException;

  /**
   * Changes settings that may change while the DataNode runs: all of them or none. The new values
   * hold until the DataNode restarts.
   *
   * @param changes new values by key; may be empty
   * @return the current values of all such settings by key, in order
   * @throws RefusedException if a key or a value is not allowed; the message lists what is
   * @throws IOException if the engine does not answer in time; the message says if it may still
   *     apply the changes
   */
  Map<String, String> settings(Map<String, String> changes) throws IOException;
}
