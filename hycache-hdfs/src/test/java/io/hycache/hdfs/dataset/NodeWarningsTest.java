// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.StartAdvice;
import java.io.File;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeWarningsTest {
  @TempDir Path dir;

  private static Configuration complete() {
    Configuration conf = new Configuration(false);
    conf.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy");
    conf.set("dfs.datanode.plugins", "a.Plugin , io.hycache.hdfs.dataset.HyCachePlugin");
    return conf;
  }

  private static List<String> warnings(Configuration conf, int ssds, int disks) {
    NodeSettings settings = new NodeSettings(conf, "uuid");
    return new NodeWarnings(conf, settings, store(ssds, disks), null).current(settings.conf);
  }

  private static ReplicaStore store(int ssds, int disks, File... failed) {
    return Stubs.of(
        ReplicaStore.class,
        Map.of(
            "failedSsds", arguments -> List.of(failed),
            "ssdVolumes", arguments -> Collections.nCopies(ssds, "volume"),
            "diskVolumes", arguments -> Collections.nCopies(disks, "volume")));
  }

  private static String only(List<String> warnings) {
    assertEquals(1, warnings.size(), warnings::toString);
    return warnings.get(0);
  }

  @Test
  void current_allIsWell_none() {
    assertEquals(List.of(), warnings(complete(), 1, 1));
    assertNull(StartAdvice.ofFactory(complete()));
  }

  @Test
  void current_invalidTiersAndAnotherValue_areBothThere() {
    Configuration conf = complete();
    conf.set("hycache.tiers", "FLASH,DISK");
    conf.set("hycache.policy", "polcy");
    List<String> all = warnings(conf, 1, 1);
    assertEquals(2, all.size(), all::toString);
    assertTrue(all.stream().anyMatch(line -> line.startsWith("hycache.tiers: ")), all::toString);
    assertTrue(all.stream().anyMatch(line -> line.startsWith("hycache.policy: ")), all::toString);
  }

  @Test
  void current_policyForTheSimulatorOnly_isPassThrough() {
    Configuration conf = complete();
    conf.set("hycache.policy", "belady");
    String warning = only(warnings(conf, 1, 1));
    assertTrue(warning.startsWith("hycache.policy: expected a policy that does without"), warning);
    assertTrue(warning.contains("pass-through"), warning);
  }

  @Test
  void current_noVolumePolicy_saysWhatDoesNotHappen() {
    Configuration conf = complete();
    conf.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    String warning = only(warnings(conf, 1, 1));
    assertTrue(
        warning.startsWith(
            "dfs.datanode.fsdataset.volume.choosing.policy: expected"
                + " io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy, found another or none: new"
                + " replicas are placed on SSDs regardless of their health, write budget and load"),
        warning);
  }

  @Test
  void current_noPlugin_saysWhatDoesNotHappen() {
    Configuration conf = complete();
    conf.set("dfs.datanode.plugins", "a.Plugin");
    assertTrue(
        only(warnings(conf, 1, 1))
            .startsWith(
                "dfs.datanode.plugins: expected io.hycache.hdfs.dataset.HyCachePlugin among them,"
                    + " found none: this DataNode takes no hints"));
  }

  @Test
  void ofFactory_anotherOrNone_saysWhatDoesNotHappen() {
    Configuration conf = complete();
    conf.unset("dfs.datanode.fsdataset.factory");
    String warning = StartAdvice.ofFactory(conf);
    assertNotNull(warning);
    assertTrue(warning.startsWith("dfs.datanode.fsdataset.factory: expected org.apache"), warning);
  }

  @Test
  void current_noSsdOrNoDisk_saysSo() {
    assertTrue(only(warnings(complete(), 0, 1)).startsWith("no SSD: "));
    assertTrue(only(warnings(complete(), 1, 0)).startsWith("no DISK: "));
    Configuration off = complete();
    off.set("hycache.mode", "off");
    assertEquals(List.of(), warnings(off, 0, 0));
    Configuration observe = complete();
    observe.set("hycache.mode", "observe");
    assertEquals(List.of(), warnings(observe, 0, 1));
    assertTrue(only(warnings(observe, 1, 0)).startsWith("no DISK: "));
    Configuration cache = complete();
    cache.set("hycache.cache.dirs", dir.toString());
    assertEquals(List.of(), warnings(cache, 0, 1));
  }

  @Test
  void current_failedSsd_isNamed_alsoIfItWasTheOnlyOne() {
    Configuration conf = complete();
    NodeSettings settings = new NodeSettings(conf, "uuid");
    for (int left : new int[] {1, 0}) {
      NodeWarnings warnings =
          new NodeWarnings(conf, settings, store(left, 1, new File("/ssd1/dfs")), null);
      String warning = only(warnings.current(settings.conf));
      assertTrue(warning.startsWith("/ssd1/dfs: expected a volume in use, found one"), warning);
      assertTrue(warning.contains(" Fix: replace the device"), warning);
    }
  }

  @Test
  void current_messagesInAnotherLanguage_saysWhatHappensThen() {
    Configuration conf = complete();
    NodeSettings settings = new NodeSettings(conf, "uuid");
    NodeWarnings warnings = new NodeWarnings(conf, settings, store(1, 1), "kein speicherplatz");
    String warning = only(warnings.current(settings.conf));
    assertTrue(
        warning.startsWith(
            "LC_MESSAGES: expected the system's messages in English, found \"kein speicherplatz\": "),
        warning);
    assertTrue(warning.contains(" Fix: write \"export LC_MESSAGES=C; unset LC_ALL\""), warning);
  }

  @Test
  void current_mistakesAndUnknownKeys_allAtOnceMistakesFirst() {
    Configuration conf = complete();
    conf.set("hycache.write.share", "2");
    conf.set("hycache.policy", "best");
    conf.set("hycache.polcy", "lru");
    conf.set("hycache.directory.replicas", "99");
    List<String> warnings = warnings(conf, 0, 0);
    assertEquals(4, warnings.size(), warnings::toString);
    for (Predicate<String> expected :
        List.<Predicate<String>>of(
            w -> w.startsWith("hycache.write.share: ") && w.contains("pass-through"),
            w -> w.contains("hycache.policy") && w.contains("pass-through"),
            w -> w.startsWith("hycache.polcy: "),
            w -> w.startsWith("hycache.directory.replicas: ") && w.contains("no part"))) {
      assertEquals(1, warnings.stream().filter(expected).count(), warnings::toString);
    }
    assertTrue(warnings.get(0).contains("pass-through"), warnings::toString);
  }

  @Test
  void current_advertising_isThatOfThePresentSettings() {
    Configuration conf = complete();
    NodeSettings settings = new NodeSettings(conf, "uuid");
    NodeWarnings warnings = new NodeWarnings(conf, settings, store(1, 1), null);
    String refused = "hycache.advertise.blocks: expected hycache.directives true and in force";
    HyCacheConf asked = settings.conf.with(Map.of("hycache.advertise.blocks", "100"));
    assertTrue(only(warnings.current(asked)).startsWith(refused));

    conf.set("hycache.directives", "true");
    conf.set("hycache.advertise.blocks", "100");
    conf.set("hycache.pins.share", "0");
    settings = new NodeSettings(conf, "uuid");
    warnings = new NodeWarnings(conf, settings, store(1, 1), null);
    assertTrue(only(warnings.current(settings.conf)).startsWith(refused));
    for (Map.Entry<String, String> change :
        Map.of("hycache.advertise.blocks", "0", "hycache.pins.share", "0.5").entrySet()) {
      HyCacheConf changed = settings.conf.with(Map.of(change.getKey(), change.getValue()));
      assertEquals(List.of(), warnings.current(changed), change.getKey());
    }
  }

  @Test
  void current_unusedCacheDirectory_isNamed() {
    Configuration conf = complete();
    Path gone = dir.resolve("gone");
    conf.set("hycache.cache.dirs", gone.toString());
    NodeSettings settings = new NodeSettings(conf, "uuid");
    NodeWarnings warnings = new NodeWarnings(conf, settings, store(1, 1), null);
    assertEquals(List.of(), warnings.current(settings.conf), "not looked at yet");
    settings.cacheDirs.get(0).failed(new java.nio.file.NoSuchFileException(gone.toString()));
    assertTrue(
        only(warnings.current(settings.conf))
            .startsWith("hycache.cache.dirs: " + gone + " is not used: "));
  }

  @Test
  void status_moreThanAMessageHolds_isCutAtALine() {
    NodeStatus status =
        NodeStatus.builder().build().withWarnings(Collections.nCopies(100, "x".repeat(99)));
    assertEquals(81, status.warnings().size());
    assertEquals("x".repeat(99), status.warnings().get(79));
    assertEquals("the log has more warnings", status.warnings().get(80));
    assertEquals(List.of(), status.withoutDevices().warnings());
  }
}
