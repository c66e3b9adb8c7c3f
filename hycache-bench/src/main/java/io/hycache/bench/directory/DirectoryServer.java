// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.BlockAccess;
import io.hycache.hdfs.rpc.BlockDirectory;
import io.hycache.hdfs.rpc.NodeServer;
import io.hycache.hdfs.rpc.NodeService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;

/**
 * A Hadoop RPC server with HyCache's protocols in a process that is no DataNode. It serves a share
 * of the directory; the rest of the protocols is refused.
 */
final class DirectoryServer {
  private static final int MAX_REFERENCES = 1;

  private DirectoryServer() {}

  /**
   * Starts one on a free port.
   *
   * @param handlers requests that are worked on at a time, &gt; 0
   */
  static RPC.Server start(Configuration conf, String host, int handlers, DirectoryNode node)
      throws IOException {
    // Hadoop builds no server without a protocol of its own.
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(GenericRefreshProtocolPB.class)
            .setInstance(
                GenericRefreshProtocolService.newReflectiveBlockingService(
                    new GenericRefreshProtocolServerSideTranslatorPB((id, args) -> List.of())))
            .setBindAddress(host)
            .setPort(0)
            .setNumHandlers(handlers)
            .build();
    Share share = new Share(node);
    NodeServer.register(
        server, conf, new NoDataNode(), () -> share, BlockAccess.unchecked(), MAX_REFERENCES);
    server.start();
    return server;
  }

  /** The records alone. */
  private static final class Share implements BlockDirectory {
    private final DirectoryNode node;

    Share(DirectoryNode node) {
      this.node = node;
    }

    @Override
    public DirectoryNode node() {
      return node;
    }

    @Override
    public CompletableFuture<List<Optional<Set<String>>>> holders(
        String user, List<BlockKey> blocks) {
      return CompletableFuture.failedFuture(noDataNode());
    }

    @Override
    public CompletableFuture<Page> list(String at) {
      return CompletableFuture.failedFuture(noDataNode());
    }
  }

  private static final class NoDataNode implements NodeService {
    @Override
    public HintReceipt submitHints(Hints hints, String user, boolean exempt) throws IOException {
      throw noDataNode();
    }

    @Override
    public OptionalInt withdraw(WorkflowId workflow) throws IOException {
      throw noDataNode();
    }

    @Override
    public void readElsewhere(List<BlockKey> blocks) throws IOException {
      throw noDataNode();
    }

    @Override
    public List<HintedBlock> explain(WorkflowId workflow, int from, int most) throws IOException {
      throw noDataNode();
    }

    @Override
    public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws IOException {
      throw noDataNode();
    }

    @Override
    public NodeStatus status() throws IOException {
      throw noDataNode();
    }

    @Override
    public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
      throw noDataNode();
    }

    @Override
    public Map<String, String> settings(Map<String, String> changes) throws IOException {
      throw noDataNode();
    }
  }

  private static IOException noDataNode() {
    return new IOException("this process has a share of the directory and is no DataNode");
  }
}
