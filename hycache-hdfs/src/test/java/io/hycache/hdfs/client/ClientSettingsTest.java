// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.hdfs.conf.HyCacheKeys;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
  private static Configuration conf(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return conf;
  }

  @Test
  void defaults_equalThoseOfTheXml() {
    ClientSettings code = new ClientSettings(new Configuration(false));
    Configuration defaults = new Configuration(false);
    defaults.addResource("hycache-default.xml");
    for (String key :
        new String[] {
          HyCacheKeys.HINTS_REPLICAS,
          HyCacheKeys.HINTS_BATCH_SIZE,
          HyCacheKeys.RPC_TIMEOUT,
          HyCacheKeys.CLIENT_THREADS
        }) {
      ClientSettings xml = new ClientSettings(conf(key, defaults.get(key)));
      assertEquals(xml.replicas, code.replicas, key);
      assertEquals(xml.chunkReferences, code.chunkReferences, key);
      assertEquals(xml.timeout, code.timeout, key);
      assertEquals(xml.threads, code.threads, key);
    }
  }

  private static String message(String key, String value) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> new ClientSettings(conf(key, value)))
            .getMessage());
  }

  @Test
  void badValues_nameKeyFoundAndAllowed() {
    assertEquals(
        "hycache.hints.batch-size: expected 1 to 20000, found 20001",
        message(HyCacheKeys.HINTS_BATCH_SIZE, "20001"));
    assertEquals(
        "hycache.client.threads: expected a whole number from 1 to 1024, found 'many'",
        message(HyCacheKeys.CLIENT_THREADS, "many"));
    assertEquals(
        "hycache.rpc.timeout: expected a duration from 1ms to 10m, found 'soon'",
        message(HyCacheKeys.RPC_TIMEOUT, "soon"));
    assertEquals(
        "hycache.rpc.timeout: expected 1 to 600000 ms, found 0",
        message(HyCacheKeys.RPC_TIMEOUT, "0s"));
  }
}
