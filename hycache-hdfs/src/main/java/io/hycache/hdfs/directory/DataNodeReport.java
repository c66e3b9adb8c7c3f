// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Member;
import io.hycache.hdfs.rpc.NameNodeClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.IOUtils;

/** The live DataNodes as {@link NameNodes} report them to superusers. One thread at a time. */
final class DataNodeReport implements LiveDataNodes.Report<Member> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Configuration conf;
  private final NameNodes nameNodes;
  private final boolean useHostname;
  private final Map<InetSocketAddress, NameNodeClient> clients = new ConcurrentHashMap<>();

  DataNodeReport(Configuration conf) {
    this.conf = conf;
    this.nameNodes = new NameNodes(conf);
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
  public List<Member> get(Collection<Member> members) throws IOException {
    Set<String> known = members.stream().map(Member::id).collect(Collectors.toSet());
    return List.copyOf(nameNodes.live(known, this::live).values());
  }

  private Map<String, Member> live(InetSocketAddress nameNode) throws IOException {
    Map<String, Member> out = new LinkedHashMap<>();
    client(nameNode).live(useHostname).forEach(member -> out.put(member.id(), member));
    return out;
  }

  @Override
  public String doubt() {
    return nameNodes.doubt();
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
