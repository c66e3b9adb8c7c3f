// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class DataNodesTest {
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
