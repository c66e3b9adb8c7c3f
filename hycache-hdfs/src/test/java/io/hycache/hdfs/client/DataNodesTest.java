// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DataNodesTest {
  private final List<HttpServer> webs = new ArrayList<>();

  @AfterEach
  void stop() {
    webs.forEach(web -> web.stop(0));
  }

  /** The web server of a NameNode with one DataNode. Returns its address. */
  private String nameNode(String dataNode) throws IOException {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    webs.add(web);
    String list = "{\\\"node\\\": {\\\"infoAddr\\\": \\\"" + dataNode + ":9864\\\"}}";
    byte[] page =
        ("{\"beans\": [{\"LiveNodes\": \"" + list + "\"}]}").getBytes(StandardCharsets.UTF_8);
    web.createContext(
        "/jmx",
        exchange -> {
          exchange.sendResponseHeaders(200, page.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(page);
          }
        });
    web.start();
    return "127.0.0.1:" + web.getAddress().getPort();
  }

  private static List<String> shown(Configuration conf, String fs) throws IOException {
    conf.set("fs.defaultFS", fs);
    List<String> out = new ArrayList<>();
    new DataNodes(conf, new ClientSettings(conf))
        .shown()
        .forEach(node -> out.add(node.ipcAddress()));
    return out;
  }

  @Test
  void shown_isOfTheDefaultFileSystem_whateverElseIsConfigured() throws Exception {
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "live,other,dead");
    conf.set("dfs.namenode.rpc-address.live", "127.0.0.1:18020");
    conf.set("dfs.namenode.http-address.live", nameNode("host1"));
    conf.set("dfs.namenode.rpc-address.other", "127.0.0.1:18021");
    conf.set("dfs.namenode.http-address.other", nameNode("host2"));
    conf.set("dfs.namenode.rpc-address.dead", "127.0.0.1:18022");
    conf.set("dfs.namenode.http-address.dead", "127.0.0.1:1");
    conf.set("dfs.namenode.http-address", nameNode("host3"));
    assertEquals(List.of("host1:9867"), shown(conf, "hdfs://live"));
    assertEquals(List.of("host2:9867"), shown(conf, "hdfs://127.0.0.1:18021"));
    assertEquals(List.of("host3:9867"), shown(conf, "hdfs://127.0.0.1:8020"), "in no service");
    assertEquals(
        "live,other,dead", conf.get("dfs.nameservices"), "the client's configuration stays");
  }

  /** Counts how often its properties are looked at. */
  private static final class Counting extends Configuration {
    private int uses;

    Counting() {
      super(false);
    }

    @Override
    protected synchronized Properties getProps() {
      uses++;
      return super.getProps();
    }

    synchronized int uses() {
      return uses;
    }
  }

  private static DatanodeInfo info(int ipcPort) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", "host", "uuid-1", 9866, 9864, 9865, ipcPort))
        .build();
  }

  @Test
  void of_theSameDataNode_isOneObject_untilItsAddressIsAnother() {
    Configuration conf = new Configuration(false);
    DataNodes nodes = new DataNodes(conf, new ClientSettings(conf));
    DataNode first = nodes.of(info(1));
    assertSame(first, nodes.of(info(1)));
    DataNode moved = nodes.of(info(2));
    assertEquals("127.0.0.1:2", moved.ipcAddress());
    assertSame(moved, nodes.of(info(2)));
  }

  /** A copy for each call is 100 KB and more, and is made under the configuration's lock. */
  @Test
  void ask_ofManyDataNodes_doesNotCopyTheConfiguration() throws Exception {
    Counting conf = new Counting();
    DataNodes nodes = new DataNodes(conf, new ClientSettings(conf));
    int before = conf.uses();
    List<DataNode> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asked.add(new DataNode("uuid-" + i, "node-" + i, "127.0.0.1:1"));
    }
    assertTrue(
        nodes.ask(asked, (node, client) -> client.status()).stream()
            .noneMatch(NodeAnswer::isAnswered));
    assertEquals(before, conf.uses());
  }

  /** With another one, each DataNode of the list would be asked on its own web server. */
  @Test
  void webPort_isTheOneThatTheNameNodeLists() {
    Configuration conf = new Configuration(false);
    assertEquals(9864, DataNodes.webPort(conf));
    conf.set("dfs.http.policy", "HTTP_AND_HTTPS");
    assertEquals(9864, DataNodes.webPort(conf));
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    assertEquals(9865, DataNodes.webPort(conf));
    conf.set("dfs.datanode.https.address", "0.0.0.0:4711");
    assertEquals(4711, DataNodes.webPort(conf));
  }
}
