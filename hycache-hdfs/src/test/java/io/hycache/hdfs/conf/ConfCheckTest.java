// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfCheckTest {
  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private static void read(HyCacheConf conf) {
    Object unused = List.of(conf.engine(), conf.ssdCapacityBytes(), conf.openFiles());
  }

  @Test
  void unknownKeys_defaultsAndWeights_none() {
    Configuration conf = conf("hycache.policy", "lru", "hycache.users.etl.weight", "2");
    ConfCheck.names().forEach(name -> conf.set(name, "1"));
    conf.set("dfs.hycache", "1");
    assertEquals(List.of(), ConfCheck.unknownKeys(conf));
  }

  @ParameterizedTest
  @CsvSource({
    "hycache.polcy, hycache.policy",
    "hycache.cache.dir, hycache.cache.dirs",
    "hycache.write.share.min, hycache.write.share",
    "hycache.users.alice.wieght, hycache.users.alice.weight",
    "hycache.ssd.capcity, hycache.ssd.capacity",
    "hycache.Mode, hycache.mode",
  })
  void unknownKeys_typingError_namesTheNearest(String key, String nearest) {
    assertEquals(
        List.of(
            key
                + ": expected a property of HyCache, found an unknown name, which has no effect."
                + " Fix: the nearest known name is "
                + nearest
                + "; correct it, or remove it. from=programmatically"),
        ConfCheck.unknownKeys(conf(key, "lru")));
  }

  @Test
  void unknownKeys_several_allSorted() {
    List<String> unknown = ConfCheck.unknownKeys(conf("hycache.z", "1", "hycache.a", "1"));
    assertEquals(2, unknown.size());
    assertTrue(unknown.get(0).startsWith("hycache.a: "), unknown::toString);
  }

  @Test
  void mistakes_several_allAtOnce() {
    Configuration conf =
        conf(
            "hycache.mode", "on",
            "hycache.policy.write-price", "cheap",
            "hycache.write.share", "1.5",
            "hycache.demote.low", "0.9",
            "hycache.demote.high", "0.5",
            "hycache.users.etl.weight", "-1",
            "hycache.open-files.max", "-1",
            "hycache.ssd.capacity", "much");
    List<String> mistakes = ConfCheck.mistakes(conf, ConfCheckTest::read);
    for (String key :
        List.of(
            "hycache.mode: expected active, observe or off, found 'on'",
            "hycache.policy.write-price: expected a number such as 0.5, found 'cheap'",
            "hycache.write.share: ",
            "hycache.demote.low: expected at most hycache.demote.high=0.5",
            "hycache.users.etl.weight: ",
            "hycache.open-files.max: expected 0 or more, found -1",
            "hycache.ssd.capacity: expected a size such as 0, 64MB or 1g, found 'much'")) {
      assertEquals(
          1, mistakes.stream().filter(m -> m.startsWith(key)).count(), () -> key + mistakes);
    }
    assertEquals(7, mistakes.size(), mistakes::toString);
    assertEquals("on", conf.get("hycache.mode"), "the caller's configuration stays as it is");
  }

  @Test
  void mistakes_valid_none() {
    assertEquals(List.of(), ConfCheck.mistakes(conf(), ConfCheckTest::read));
  }

  @Test
  void mistakes_thatNameNoProperty_end() {
    assertEquals(
        List.of("no key"),
        ConfCheck.mistakes(
            conf("hycache.mode", "off"),
            c -> {
              throw new IllegalStateException("no key");
            }));
  }

  @ParameterizedTest
  @CsvSource({"'', '', 0", "abc, abc, 0", "polcy, policy, 1", "ab, ba, 2", "'', abc, 3"})
  void distance_isOfLevenshtein(String a, String b, int expected) {
    assertEquals(expected, ConfCheck.distance(a, b));
    assertEquals(expected, ConfCheck.distance(b, a));
  }
}
