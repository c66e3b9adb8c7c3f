// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class DataNodesTest {
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
