// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Member;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** The live DataNodes that all NameNodes of the configuration report. One thread at a time. */
final class DataNodeReport implements LiveDataNodes.Report<Member> {
  private final Configuration conf;
  private final boolean useHostname;
  private final Map<URI, DFSClient> clients = new ConcurrentHashMap<>();

  DataNodeReport(Configuration conf) {
    this.conf = conf;
    this.useHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  @Override
  public List<Member> get() throws IOException {
    Map<String, Member> out = new LinkedHashMap<>();
    try {
      for (URI uri : DFSUtil.getInternalNsRpcUris(conf)) {
        DFSClient client = clients.get(uri);
        if (client == null) {
          client = new DFSClient(uri, conf);
          clients.put(uri, client);
        }
        for (DatanodeInfo info : client.datanodeReport(DatanodeReportType.LIVE)) {
          Member member = new Member(info.getDatanodeUuid(), info.getIpcAddr(useHostname));
          out.put(member.id(), member);
        }
      }
    } catch (RemoteException e) {
      throw e.unwrapRemoteException(AccessControlException.class);
    }
    return List.copyOf(out.values());
  }

  @Override
  public void close() {
    clients.values().forEach(IOUtils::closeStream);
  }
}
