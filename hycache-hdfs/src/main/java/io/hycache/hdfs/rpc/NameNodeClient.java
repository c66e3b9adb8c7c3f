// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Member;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DatanodeReportTypeProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** Asks one NameNode for its DataNodes, active or standby. Thread-safe. */
public final class NameNodeClient implements Closeable {
  private static final Duration MAX_IDLE = Duration.ofSeconds(1);

  private final NodeConnection<NameNodeProtocolPB> connection;

  /**
   * Makes a client; the first call connects.
   *
   * @param address of the NameNode's RPC server, or of that for DataNodes
   * @param timeout of a connect and of an answer, &gt; 0
   */
  public NameNodeClient(InetSocketAddress address, Configuration conf, Duration timeout)
      throws IOException {
    // Hadoop has two threads for each open connection, and there is a call in half a minute.
    this.connection =
        new NodeConnection<>(
            address,
            new NodeConnection.Settings<>(NameNodeProtocolPB.class, conf, timeout, MAX_IDLE));
  }

  /**
   * Returns the DataNodes that the NameNode considers alive.
   *
   * @param useHostname whether addresses have host names instead of IP addresses
   * @throws AccessControlException if the current user is no superuser of HDFS, or the NameNode's
   *     ACL of the protocol excludes it
   */
  public List<Member> live(boolean useHostname) throws IOException {
    GetDatanodeReportRequestProto request =
        GetDatanodeReportRequestProto.newBuilder().setType(DatanodeReportTypeProto.LIVE).build();
    List<Member> out = new ArrayList<>();
    try {
      for (DatanodeInfoProto info :
          connection.call(proxy -> proxy.getDatanodeReport(null, request)).getDiList()) {
        DatanodeIDProto id = info.getId();
        String host = useHostname ? id.getHostName() : id.getIpAddr();
        out.add(new Member(id.getDatanodeUuid(), host + ":" + id.getIpcPort()));
      }
    } catch (IOException e) {
      // Hadoop compares the names of classes; the second is one of the first.
      throw e.getCause() instanceof RemoteException
          ? ((RemoteException) e.getCause())
              .unwrapRemoteException(AccessControlException.class, AuthorizationException.class)
          : e;
    }
    return out;
  }

  @Override
  public void close() {
    connection.close();
  }
}
