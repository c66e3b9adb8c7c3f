// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves both protocols on the DataNode's own IPC port. With service authorization on, {@code
 * security.hycache.client.protocol.acl} and {@code security.hycache.datanode.protocol.acl} restrict
 * the callers; {@link ClientProtocolServer} and {@link DatanodeProtocolServer} check permissions.
 */
public final class NodeServer {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

  private NodeServer() {}

  /**
   * Adds the protocols to a running server, and to its service ACLs if service authorization is on.
   * A second registration replaces the first.
   *
   * @param server the DataNode's {@code ipcServer}
   * @param conf the DataNode's configuration
   * @param directory this node's part in the directory; null while it has none yet
   * @param maxReferences references kept of one submission, &gt; 0; further ones are dropped and
   *     not counted as accepted
   */
  public static void register(
      RPC.Server server,
      Configuration conf,
      NodeService service,
      PartSupplier<BlockDirectory> directory,
      BlockAccess access,
      int maxReferences)
      throws IOException {
    Administrators administrators = new Administrators(conf);
    server.addTerseExceptions(RefusedException.class, NoPartException.class);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        HyCacheClientProtocolPB.class,
        new Dispatcher(
            Protocols.client(),
            new ClientProtocolServer(
                service,
                directory,
                access,
                administrators,
                new HintAssembly(
                    maxReferences,
                    System::nanoTime,
                    CompletableFuture.delayedExecutor(
                        HintAssembly.STALE_NANOS, TimeUnit.NANOSECONDS)))));
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        HyCacheDatanodeProtocolPB.class,
        datanodeDispatcher(conf, () -> node(directory.get()), service, administrators));
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new NodePolicyProvider());
    }
    LOG.info(
        "HyCache protocols registered: version={} address={}",
        Protocols.VERSION,
        server.getListenerAddress());
  }

  private static @Nullable DirectoryNode node(@Nullable BlockDirectory directory) {
    return directory == null ? null : directory.node();
  }

  private static Dispatcher datanodeDispatcher(
      Configuration conf,
      PartSupplier<DirectoryNode> directory,
      NodeService service,
      Administrators administrators) {
    return new Dispatcher(
        Protocols.datanode(),
        new DatanodeProtocolServer(directory, service, new DataNodeUsers(conf, administrators)));
  }
}
