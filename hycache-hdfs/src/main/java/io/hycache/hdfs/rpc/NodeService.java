package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What a DataNode answers to the protocol. Implemented over the engine; thread-safe. */
public interface NodeService {

  /**
   * Takes this DataNode's part of a manifest, in place of that of the same user and workflow.
   *
   * @param user whose hints they are, as authenticated
   * @param exempt whether the limits of one user don't hold for this one
   * @return what was taken and what was refused
   * @throws IOException if the plugin is in pass-through or does not answer in time
   */
  HintReceipt submitHints(HintBatch batch, String user, boolean exempt) throws IOException;

  /** Forgets a workflow. Returns the steps that were left; empty if there is no such workflow. */
  OptionalInt withdraw(WorkflowId workflow) throws IOException;

  /** The workflows of all users that have hints left, in order of submission. */
  List<WorkflowStatus> workflows() throws IOException;

  NodeStatus status() throws IOException;

  /** One answer for each block asked for, in order. */
  List<BlockStatus> locate(List<BlockKey> blocks) throws IOException;

  /**
   * Changes settings that may change while the DataNode runs: all of them or none. They hold until
   * it restarts.
   *
   * @param changes new values by key; may be empty
   * @return what all such settings are now, by key, in order
   * @throws RefusedException if a key or a value can't be, saying what can
   */
  Map<String, String> settings(Map<String, String> changes) throws IOException;
}
