// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.rpc.BlockAccess;
import io.hycache.hdfs.rpc.NodeServer;
import io.hycache.hdfs.rpc.NodeService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Value of {@code dfs.datanode.plugins}: registers the client and directory protocols on the
 * DataNode's IPC port, and the pages on its web server. The DataNode starts its plugins before it
 * has its dataset, so the dataset is looked up on each call. Never throws into the DataNode.
 */
public final class HyCachePlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(HyCachePlugin.class);

  private final DirectoryPart directory = new DirectoryPart();
  private volatile @Nullable PagePart page;

  /** Called by reflection. */
  public HyCachePlugin() {}

  @Override
  public void start(Object service) {
    if (!(service instanceof DataNode)) {
      LOG.error(
          "HyCache is a plugin for DataNodes. Expected a DataNode, found service={}", service);
      return;
    }
    DataNode datanode = (DataNode) service;
    try {
      String lacking = StartAdvice.ofFactory(datanode.getConf());
      if (lacking != null) {
        LOG.warn(lacking);
      }
      Remote remote = new Remote(datanode);
      page = PagePart.start(datanode, remote::node);
      NodeServer.register(
          datanode.ipcServer,
          datanode.getConf(),
          remote,
          directory::directory,
          BlockAccess.tokens(datanode.getConf(), datanode.getBlockPoolTokenSecretManager()),
          hintMaxReferences(new HyCacheConf(datanode.getConf())));
      LOG.info("HyCache protocols are registered: ipcPort={}", datanode.getIpcPort());
      directory.start(datanode);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error(
          "HyCache could not register its protocols: hints and status are not available; caching"
              + " continues",
          e);
    }
  }

  /**
   * The protocols are there with invalid settings, too, so that {@code status} can report them;
   * hints are refused then.
   */
  private static int hintMaxReferences(HyCacheConf conf) {
    try {
      return conf.engine().hintMaxReferences();
    } catch (IllegalArgumentException e) {
      return HyCacheConfig.builder().build().hintMaxReferences();
    }
  }

  /** Leaves the directory; the protocols end with the DataNode's IPC server. */
  @Override
  public void stop() {
    close();
  }

  @Override
  public void close() {
    PagePart started = page;
    if (started != null) {
      started.close();
    }
    directory.close();
  }

  /** Delegates to the node of the DataNode's dataset. */
  private final class Remote implements NodeService {
    private final DataNode datanode;

    Remote(DataNode datanode) {
      this.datanode = datanode;
    }

    private HyCacheNode node() throws IOException {
      FsDatasetSpi<?> dataset = datanode.getFSDataset();
      if (dataset == null) {
        throw new IOException("the DataNode is starting and has no dataset yet; try again");
      }
      if (!(dataset instanceof WithHyCache)) {
        String lacking = StartAdvice.ofFactory(datanode.getConf());
        throw new IOException(
            lacking != null
                ? lacking
                : "HyCache is incompatible with this Hadoop and the DataNode is plain HDFS; its log"
                    + " says why");
      }
      HyCacheNode node = ((WithHyCache) dataset).hyCache();
      PagePart started = page;
      if (started != null) {
        started.countFailure(node);
      }
      return node;
    }

    @Override
    public HintReceipt submitHints(Hints hints, String user, boolean exempt) throws IOException {
      return node().submitHints(hints, user, exempt);
    }

    @Override
    public OptionalInt withdraw(WorkflowId workflow) throws IOException {
      return node().withdraw(workflow);
    }

    @Override
    public void readElsewhere(List<BlockKey> blocks) throws IOException {
      node().readElsewhere(blocks);
    }

    @Override
    public List<HintedBlock> explain(WorkflowId workflow, int from, int most) throws IOException {
      return node().explain(workflow, from, most);
    }

    @Override
    public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws IOException {
      return node().workflows(which);
    }

    @Override
    public List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) throws IOException {
      return node().endedWorkflows(which);
    }

    @Override
    public NodeStatus status() throws IOException {
      return node().status();
    }

    @Override
    public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
      return node().locate(blocks);
    }

    @Override
    public Map<String, String> settings(Map<String, String> changes) throws IOException {
      return node().settings(changes);
    }
  }
}
