// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Member;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DataNodeReportTest {
  private final Configuration conf = new Configuration();
  private final List<NameNode> nameNodes = new ArrayList<>();

  /** Answers with the DataNodes that it takes for alive. */
  private final class NameNode {
    final RPC.Server server;
    volatile List<String> live;
    final AtomicInteger asked = new AtomicInteger();

    NameNode(String... live) throws IOException {
      this.live = List.of(live);
      ClientNamenodeProtocol.BlockingInterface calls =
          (ClientNamenodeProtocol.BlockingInterface)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {ClientNamenodeProtocol.BlockingInterface.class},
                  (proxy, method, arguments) -> answer(method));
      Configuration own = new Configuration(false);
      own.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
      RPC.setProtocolEngine(own, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
      server =
          new RPC.Builder(own)
              .setProtocol(ClientNamenodeProtocolPB.class)
              .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(calls))
              .setBindAddress("127.0.0.1")
              .setPort(0)
              .setNumHandlers(1)
              .build();
      Configuration everybody = new Configuration(own);
      everybody.set("security.client.protocol.acl", "*");
      server.refreshServiceAcl(everybody, new HDFSPolicyProvider());
      server.start();
      nameNodes.add(this);
    }

    String address() {
      return "127.0.0.1:" + server.getListenerAddress().getPort();
    }

    private Object answer(Method method) {
      assertEquals("getDatanodeReport", method.getName());
      asked.incrementAndGet();
      GetDatanodeReportResponseProto.Builder out = GetDatanodeReportResponseProto.newBuilder();
      for (String id : live) {
        out.addDi(
            DatanodeInfoProto.newBuilder()
                .setId(
                    DatanodeIDProto.newBuilder()
                        .setDatanodeUuid(id)
                        .setIpAddr("10.0.0.1")
                        .setHostName("host-" + id)
                        .setXferPort(9866)
                        .setInfoPort(9864)
                        .setIpcPort(9867)));
      }
      return out.build();
    }
  }

  @AfterEach
  void stop() {
    nameNodes.forEach(nameNode -> nameNode.server.stop());
  }

  private static Member member(String id) {
    return new Member(id, "10.0.0.1:9867");
  }

  private List<Member> live() throws IOException {
    try (DataNodeReport report = new DataNodeReport(conf)) {
      return report.get(List.of());
    }
  }

  @Test
  void dataNodes_areCalledByHostName_ifAnyKeyOfHdfsSaysSo() throws Exception {
    conf.set("fs.defaultFS", "hdfs://" + new NameNode("a").address());
    assertEquals("10.0.0.1:9867", live().get(0).address());
    for (String key :
        List.of("dfs.datanode.use.datanode.hostname", "dfs.client.use.datanode.hostname")) {
      conf.setBoolean(key, true);
      assertEquals("host-a:9867", live().get(0).address(), key);
      conf.unset(key);
    }
  }

  @Test
  void nameService_withoutAnAnswer_leavesTheOthersAnswers_andADoubt() throws Exception {
    NameNode first = new NameNode("a");
    NameNode second = new NameNode("a", "b");
    conf.set("dfs.nameservices", "ns1,ns2");
    conf.set("dfs.namenode.rpc-address.ns1", first.address());
    conf.set("dfs.namenode.rpc-address.ns2", second.address());
    try (DataNodeReport report = new DataNodeReport(conf)) {
      assertEquals(List.of(member("a"), member("b")), report.get(List.of()));
      assertEquals("", report.doubt());
      second.server.stop();
      second.server.join();
      assertEquals(List.of(member("a")), report.get(List.of()));
      assertTrue(
          report.doubt().startsWith("no NameNode answers of the name services [ns2]: cause="),
          report.doubt());
      first.server.stop();
      first.server.join();
      assertThrows(IOException.class, () -> report.get(List.of()));
    }
  }

  @Test
  void member_thatOneNameNodeDoesNotList_isLookedForOnTheOthers() throws Exception {
    NameNode first = new NameNode("a", "b");
    NameNode second = new NameNode("c", "a");
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns.nn1", "127.0.0.1:1");
    conf.set("dfs.namenode.rpc-address.ns.nn2", second.address());
    try (DataNodeReport report = new DataNodeReport(conf)) {
      assertEquals(List.of(member("c"), member("a")), report.get(List.of(member("a"))));
      conf.set("dfs.namenode.rpc-address.ns.nn1", first.address());
      assertEquals(List.of(member("c"), member("a")), report.get(List.of(member("a"))));
      assertEquals(0, first.asked.get(), "the one that answered last lists all members");
      assertEquals(
          List.of(member("c"), member("a"), member("b")),
          report.get(List.of(member("a"), member("b"))));
      assertEquals(1, first.asked.get());
      assertEquals(
          List.of(member("c"), member("a"), member("b")),
          report.get(List.of(member("a"), member("gone"))));
      first.server.stop();
      first.server.join();
      assertEquals(
          List.of(member("c"), member("a")), report.get(List.of(member("a"), member("b"))));
      assertEquals("", report.doubt(), "a NameNode of each name service has answered");
    }
  }

  @Test
  void nameNode_whoseAclExcludesTheDataNode_refuses() throws Exception {
    NameNode nameNode = new NameNode("a");
    conf.set("fs.defaultFS", "hdfs://" + nameNode.address());
    Configuration acls = new Configuration(false);
    acls.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    acls.set("security.client.protocol.acl", "someone-else");
    nameNode.server.refreshServiceAcl(acls, new HDFSPolicyProvider());
    AccessControlException e = assertThrows(AccessControlException.class, this::live);
    assertTrue(String.valueOf(e.getMessage()).contains("is not authorized"), e.toString());
  }
}
