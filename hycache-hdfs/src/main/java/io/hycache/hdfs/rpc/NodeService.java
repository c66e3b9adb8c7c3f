package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What a DataNode answers to the protocol. Implemented over the engine; thread-safe. */
public interface NodeService {

  /**
   * Takes this DataNode's part of a manifest.
   *
   * @return steps accepted
   * @throws IOException if the plugin is in pass-through or does not answer in time
   */
  int submitHints(HintBatch batch) throws IOException;

  /** Forgets a workflow. Returns the steps that were left. */
  int withdraw(String workflow) throws IOException;

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
