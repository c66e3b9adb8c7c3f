// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.conf.StorageTiers;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartReportTest {
  @TempDir Path dir;

  @Test
  void of_volumesAndSettings_isOneBlock() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.MODE, "observe");
    conf.set(HyCacheKeys.CACHE_DIRS, dir.toString());
    conf.set("hycache.users.etl.weight", "3");
    conf.set(HyCacheKeys.POLICY, "lru");
    assertEquals(
        String.join(
            "\n",
            "HyCache starts: version=unknown mode=observe policy=lru",
            "  ssd=/ssd1 capacityBytes=1000",
            "  cacheDirectory=" + dir + " capacityBytes=" + dir.toFile().getTotalSpace(),
            "  hdd=/hdd1 capacityBytes=3000",
            "  hdd=/hdd2 capacityBytes=4000",
            "  hycache.cache.dirs=" + dir + " default=none from=programmatically",
            "  hycache.mode=observe default=active from=programmatically",
            "  hycache.policy=lru default=adaptive from=programmatically",
            "  hycache.users.etl.weight=3 default=none from=programmatically"),
        report(
            conf,
            List.of(volume("/ssd1", 1000)),
            List.of(volume("/hdd1", 3000), volume("/hdd2", 4000))));
  }

  @Test
  void of_defaultsAndNoVolumes_saysSo() {
    assertEquals(
        String.join(
            "\n",
            "HyCache starts: version=unknown mode=active policy=adaptive",
            "  ssd=none",
            "  hdd=none",
            "  all settings are at their defaults"),
        report(new Configuration(false), List.of(), List.of()));
  }

  @Test
  void of_invalidSetting_isPassThrough() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.WRITE_SHARE, "1.5");
    String report = report(conf, List.of(), List.of());
    assertTrue(report.startsWith("HyCache starts: version=unknown mode=pass-through\n"), report);
    assertTrue(report.contains("\n  hycache.write.share=1.5 default="), report);
  }

  @Test
  void of_valueThatCannotBeSubstituted_isListedAsItIsWritten() {
    Configuration conf = new Configuration(false);
    conf.set("hycache.users.etl.weight", "${x}");
    conf.set("x", "${x}${x}");
    String report = report(conf, List.of(), List.of());
    assertTrue(report.contains("\n  hycache.users.etl.weight=${x} default=none"), report);
  }

  /** A report that fails, or waits for a device, holds up nobody. */
  @Test
  void logLater_storeThatFails_endsItsThreadAlone() throws Exception {
    ReplicaStore broken =
        (ReplicaStore)
            Proxy.newProxyInstance(
                StartReportTest.class.getClassLoader(),
                new Class<?>[] {ReplicaStore.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException(method.getName());
                });
    Thread thread =
        StartReport.logLater(new NodeSettings(new Configuration(false), "uuid"), broken);
    assertTrue(thread.isDaemon());
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    thread.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
    thread.join();
    assertEquals(List.of(), uncaught);
  }

  private static String report(
      Configuration conf, List<ReplicaStore.Volume> ssds, List<ReplicaStore.Volume> hdds) {
    ReplicaStore store =
        Stubs.of(
            ReplicaStore.class,
            Map.of(
                "ssdVolumes", arguments -> ssds,
                "diskVolumes", arguments -> hdds,
                "tiers", arguments -> StorageTiers.DEFAULT));
    return StartReport.of(new NodeSettings(conf, "uuid"), store);
  }

  private static ReplicaStore.Volume volume(String root, long capacityBytes) {
    return new ReplicaStore.Volume() {
      @Override
      public File root() {
        return new File(root);
      }

      @Override
      public long capacityBytes() {
        return capacityBytes;
      }

      @Override
      public long availableBytes() {
        return 0;
      }

      @Override
      public long dfsUsedBytes() {
        return 0;
      }
    };
  }
}
