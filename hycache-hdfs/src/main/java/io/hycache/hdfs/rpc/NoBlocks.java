package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import java.util.List;
import java.util.Map;

/** What a node of the directory answers that has no blocks. */
final class NoBlocks implements NodeService {
  private static RefusedException refused() {
    return new RefusedException("this node is no DataNode: it has a part in the directory only");
  }

  @Override
  public int submitHints(HintBatch batch) throws RefusedException {
    throw refused();
  }

  @Override
  public int withdraw(String workflow) throws RefusedException {
    throw refused();
  }

  @Override
  public NodeStatus status() throws RefusedException {
    throw refused();
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws RefusedException {
    throw refused();
  }

  @Override
  public Map<String, String> settings(Map<String, String> changes) throws RefusedException {
    throw refused();
  }
}
