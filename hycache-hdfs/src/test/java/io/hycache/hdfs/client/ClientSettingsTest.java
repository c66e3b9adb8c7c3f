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
      assertEquals(xml.batchSteps, code.batchSteps, key);
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
        "setting out of range: hycache.hints.batch-size=20001 allowed=1..20000",
        message(HyCacheKeys.HINTS_BATCH_SIZE, "20001"));
    assertEquals(
        "setting is no whole number: hycache.client.threads=many allowed=1..1024",
        message(HyCacheKeys.CLIENT_THREADS, "many"));
    assertEquals(
        "setting is no duration: hycache.rpc.timeout=soon allowed=1ms..10m",
        message(HyCacheKeys.RPC_TIMEOUT, "soon"));
    assertEquals(
        "setting out of range: hycache.rpc.timeout=0 allowed=1..600000",
        message(HyCacheKeys.RPC_TIMEOUT, "0s"));
  }
}
