// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Member;
import io.hycache.hdfs.rpc.NameNodeClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * The live DataNodes as one NameNode of each name service of the configuration reports them. A
 * standby NameNode answers, too: all DataNodes report to it. One thread at a time.
 */
final class DataNodeReport implements LiveDataNodes.Report<Member> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Configuration conf;
  private final boolean useHostname;
  private final Map<InetSocketAddress, NameNodeClient> clients = new ConcurrentHashMap<>();

  /** By name service, the NameNode that answered last. */
  private final Map<String, InetSocketAddress> answering = new ConcurrentHashMap<>();

  DataNodeReport(Configuration conf) {
    this.conf = conf;
    this.useHostname = useHostname(conf);
  }

  /**
   * Whether DataNodes are called by their host names. The plugin is a client of other DataNodes,
   * and is a part of a DataNode: either key of HDFS is enough.
   */
  static boolean useHostname(Configuration conf) {
    return conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT)
        || conf.getBoolean(
            DFSConfigKeys.DFS_DATANODE_USE_DN_HOSTNAME,
            DFSConfigKeys.DFS_DATANODE_USE_DN_HOSTNAME_DEFAULT);
  }

  @Override
  public List<Member> get() throws IOException {
    Map<String, Member> out = new LinkedHashMap<>();
    for (Map.Entry<String, Map<String, InetSocketAddress>> service :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      String name = String.valueOf(service.getKey()); // null without name services
      for (Member member : live(name, service.getValue().values())) {
        out.put(member.id(), member);
      }
    }
    return List.copyOf(out.values());
  }

  private List<Member> live(String service, Collection<InetSocketAddress> nameNodes)
      throws IOException {
    List<InetSocketAddress> order = new ArrayList<>(nameNodes);
    InetSocketAddress last = answering.get(service);
    if (order.remove(last)) {
      order.add(0, last);
    }
    IOException failure = null;
    for (InetSocketAddress nameNode : order) {
      try {
        List<Member> live = client(nameNode).live(useHostname);
        answering.put(service, nameNode);
        return live;
      } catch (AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    throw failure == null ? new IOException("no NameNode is configured") : failure;
  }

  private NameNodeClient client(InetSocketAddress nameNode) throws IOException {
    NameNodeClient known = clients.get(nameNode);
    if (known == null) {
      known = new NameNodeClient(nameNode, conf, TIMEOUT);
      clients.put(nameNode, known);
    }
    return known;
  }

  @Override
  public void close() {
    clients.values().forEach(IOUtils::closeStream);
  }
}
