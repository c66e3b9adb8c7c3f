// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class DefaultNameServiceTest {
  private static Configuration conf(String fs) {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", fs);
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:8020");
    conf.set("dfs.namenode.http-address", "127.0.0.1:50070");
    conf.set("dfs.namenode.https-address", "0.0.0.0:50470");
    return conf;
  }

  @Test
  void only_sameHost_keepsTheWebServer() {
    Configuration only = DefaultNameService.only(conf("hdfs://127.0.0.1:9000"));
    assertNull(only.get("dfs.namenode.rpc-address"), "Hadoop takes the default file system's");
    assertEquals("127.0.0.1:50070", only.get("dfs.namenode.http-address"));
    assertEquals("0.0.0.0:50470", only.get("dfs.namenode.https-address"));
  }

  @Test
  void only_anotherHost_hasAWebServerAtTheDefaultPort() {
    Configuration only = DefaultNameService.only(conf("hdfs://127.0.0.99:8020"));
    assertNull(only.get("dfs.namenode.rpc-address"));
    assertNull(only.get("dfs.namenode.http-address"));
    assertEquals("0.0.0.0:50470", only.get("dfs.namenode.https-address"));
  }

  @Test
  void only_oneServiceOfMany() {
    Configuration conf = conf("hdfs://one");
    conf.set("dfs.nameservices", "one, two");
    Configuration only = DefaultNameService.only(conf);
    assertEquals("one", only.get("dfs.internal.nameservices"));
    assertNull(conf.get("dfs.internal.nameservices"), "a copy is changed");
  }

  @Test
  void only_noHdfs_isAsItWas() {
    Configuration conf = conf("file:///");
    assertSame(conf, DefaultNameService.only(conf));
  }
}
