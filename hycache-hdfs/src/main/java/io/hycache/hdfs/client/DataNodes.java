// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.hdfs.directory.DefaultNameService;
import io.hycache.hdfs.directory.NameNodePages;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** Finds DataNodes and asks many of them at once, as the calling user. Thread-safe. */
final class DataNodes {

  /** A question to one DataNode. */
  @FunctionalInterface
  interface Question<T> {
    T ask(DataNode node, NodeClient client) throws IOException;
  }

  private final Configuration conf;
  private final NodeClient.Settings calls;
  private final int threads;
  private final boolean useHostname;

  /** By UUID: each replica of a million blocks names its DataNode. */
  private final Map<String, DataNode> known = new ConcurrentHashMap<>();

  /**
   * Block token of some block that the user may read, which authenticates the user; null until one
   * is known.
   */
  private volatile @Nullable Token<BlockTokenIdentifier> token;

  DataNodes(Configuration conf, ClientSettings settings) {
    this.conf = conf;
    this.calls = new NodeClient.Settings(conf, settings.timeout, settings.chunkReferences);
    this.threads = settings.threads;
    this.useHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  /**
   * Keeps a token that authenticates a user without a Kerberos ticket, see {@link
   * NodeClient#caller}.
   */
  void authenticateBy(Token<BlockTokenIdentifier> known) {
    token = known;
  }

  /** The token that was kept last; null if there is none. */
  @Nullable Token<BlockTokenIdentifier> token() {
    return token;
  }

  /**
   * Returns the DataNode of a report: one object for each DataNode, which is replaced when its
   * addresses change.
   */
  DataNode of(DatanodeInfo info) {
    DataNode latest = DataNode.of(info, useHostname);
    DataNode before = known.get(latest.uuid());
    if (before != null && before.isAtSameAddresses(latest)) {
      return before;
    }
    known.put(latest.uuid(), latest);
    return latest;
  }

  /**
   * The DataNodes that the NameNode takes for alive, by name.
   *
   * @throws AccessControlException if the user is no HDFS superuser
   */
  List<DataNode> live(DistributedFileSystem fs) throws IOException {
    TreeSet<DataNode> out = new TreeSet<>();
    try {
      for (DatanodeInfo info : fs.getClient().datanodeReport(DatanodeReportType.LIVE)) {
        out.add(of(info));
      }
    } catch (RemoteException e) {
      throw e.unwrapRemoteException(AccessControlException.class);
    }
    return List.copyOf(out);
  }

  /**
   * The live DataNodes of the default file system as its NameNode's web server shows them to
   * everybody, by address.
   */
  List<DataNode> shown() throws IOException {
    TreeSet<DataNode> out = new TreeSet<>();
    int ipcPort =
        port(
            conf,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_DEFAULT);
    Configuration cluster = DefaultNameService.only(conf);
    try (NameNodePages pages = new NameNodePages(cluster, ipcPort, webPort(conf), useHostname)) {
      List<String> addresses = new ArrayList<>(pages.get(List.of()));
      if (!pages.doubt().isEmpty()) {
        throw new IOException(pages.doubt());
      }
      // Their IPC ports are not known, and are taken to be ours: if one is another, the call fails,
      // and its error names the DataNode.
      for (String web : pages.leftOut()) {
        addresses.add(web.substring(0, web.lastIndexOf(':') + 1) + ipcPort);
      }
      addresses.forEach(address -> out.add(new DataNode(address, address, address)));
    }
    return List.copyOf(out);
  }

  /**
   * Port of the web server of a DataNode that is configured as this client is: the one that the
   * NameNode's list is read for.
   */
  static int webPort(Configuration conf) {
    return DFSUtil.getHttpClientScheme(conf).equals("https")
        ? port(
            conf,
            DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_DEFAULT)
        : port(
            conf,
            DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_DEFAULT);
  }

  private static int port(Configuration conf, String key, String otherwise) {
    return NetUtils.createSocketAddr(conf.getTrimmed(key, otherwise)).getPort();
  }

  /** Asks all at once, a bounded number at a time. One answer for each node, in order. */
  <T> List<NodeAnswer<T>> ask(Collection<DataNode> nodes, Question<T> question) throws IOException {
    if (nodes.isEmpty()) {
      return List.of();
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    ExecutorService pool =
        Executors.newFixedThreadPool(Math.min(threads, nodes.size()), DataNodes::daemon);
    try {
      List<Future<NodeAnswer<T>>> futures = new ArrayList<>();
      for (DataNode node : nodes) {
        futures.add(pool.submit(() -> askOne(user, node, question)));
      }
      List<NodeAnswer<T>> answers = new ArrayList<>();
      for (Future<NodeAnswer<T>> future : futures) {
        answers.add(future.get());
      }
      return answers;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while asking DataNodes");
    } catch (ExecutionException e) {
      throw new IOException("asking DataNodes failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Threads that don't keep a client's process alive. */
  static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "hycache-client");
    thread.setDaemon(true);
    return thread;
  }

  private <T> NodeAnswer<T> askOne(UserGroupInformation user, DataNode node, Question<T> question)
      throws InterruptedException {
    try {
      return NodeClient.caller(user, token)
          .doAs(
              (PrivilegedExceptionAction<NodeAnswer<T>>)
                  () -> {
                    try (NodeClient client = new NodeClient(node.socketAddress(), calls)) {
                      return NodeAnswer.of(node, question.ask(node, client));
                    }
                  });
    } catch (IOException e) {
      return NodeAnswer.failed(node, e);
    }
  }
}
