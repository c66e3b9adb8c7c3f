// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
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

  /** As from core-site.xml and hdfs-site.xml. */
  private static Configuration files(String... keysAndValues) {
    StringBuilder xml = new StringBuilder("<configuration>");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      xml.append("<property><name>" + keysAndValues[i] + "</name>");
      xml.append("<value>" + keysAndValues[i + 1] + "</value></property>");
    }
    byte[] bytes = xml.append("</configuration>").toString().getBytes(StandardCharsets.UTF_8);
    Configuration conf = new Configuration();
    conf.addResource(new ByteArrayInputStream(bytes), "core-site.xml");
    return conf;
  }

  @Test
  void only_theFilesOwnFileSystem_keepsItsAddresses() {
    Configuration otherHost =
        files(
            "fs.defaultFS",
            "hdfs://127.0.0.1:8020",
            "dfs.namenode.rpc-address",
            "127.0.0.1:8020",
            "dfs.namenode.http-address",
            "127.0.0.2:50070");
    assertSame(otherHost, DefaultNameService.only(otherHost));
    Configuration multihomed =
        files(
            "fs.defaultFS",
            "hdfs://127.0.0.1:8020",
            "dfs.nameservices",
            "prod",
            "dfs.namenode.rpc-address.prod",
            "127.0.0.2:8020");
    assertSame(multihomed, DefaultNameService.only(multihomed));
    Configuration router =
        files(
            "fs.defaultFS",
            "hdfs://fed",
            "dfs.nameservices",
            "fed,ns0,ns1",
            "dfs.internal.nameservices",
            "ns0,ns1");
    assertSame(router, DefaultNameService.only(router));
    FileSystem.setDefaultUri(multihomed, "hdfs://127.0.0.3:8020");
    assertNull(DefaultNameService.only(multihomed).get("dfs.nameservices"), "as -fs does");
  }

  @Test
  void only_noHdfs_isAsItWas() {
    Configuration conf = conf("file:///");
    assertSame(conf, DefaultNameService.only(conf));
  }
}
