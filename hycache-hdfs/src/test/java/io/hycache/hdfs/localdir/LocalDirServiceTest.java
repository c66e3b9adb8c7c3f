// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.metrics.LocalDirMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of the service as a NodeManager leads it. */
class LocalDirServiceTest {
  @TempDir Path dir;

  private final LocalDirService service = new LocalDirService();
  private Path ssd;
  private Path hdd;
  private Configuration conf;

  @BeforeEach
  void prepare() throws Exception {
    ssd = Files.createDirectory(dir.resolve("ssd"));
    hdd = Files.createDirectory(dir.resolve("hdd"));
    conf = new Configuration(false);
    conf.set(HyCacheKeys.LOCALDIR_SSD, ssd.toString());
    conf.set(HyCacheKeys.LOCALDIR_HDD, hdd.toString());
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, ssd + "/0," + hdd + "/overflow");
  }

  @AfterEach
  void end() {
    service.stop();
  }

  private void start() {
    service.init(conf);
    service.start();
    assertEquals(Service.STATE.STARTED, service.getServiceState());
    assertEquals(0, service.getMetaData().remaining());
  }

  private String source() {
    return source(ssd);
  }

  private static String source(Path tree) {
    return LocalDirMetrics.sourceName(tree);
  }

  /** The gauge on which an alert watches a tree. */
  private static int running(Path tree) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(source(tree));
    assertNotNull(source, tree.toString());
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    MetricsRecord record = collector.getRecords().get(0);
    for (AbstractMetric metric : record.metrics()) {
      if (metric.name().equals("Running")) {
        return metric.value().intValue();
      }
    }
    throw new AssertionError("no metric Running in " + record);
  }

  @Test
  void service_servesItsTree_andClosesIt() throws Exception {
    assertEquals("hycache_localdir", service.getName());
    start();
    assertNotNull(DefaultMetricsSystem.instance().getSource(source()));
    service.stopApplication(new ApplicationTerminationContext(null));
    service.stop();
    assertEquals("closed", LocalDirStatus.read(ssd).state());
    assertNull(DefaultMetricsSystem.instance().getSource(source()));
  }

  @Test
  void badSetting_leavesANodeManagerThatRuns() {
    conf.set(HyCacheKeys.LOCALDIR_HIGH, "much");
    start();
    assertFalse(Files.exists(ssd.resolve(".hycache")));
  }

  @Test
  void badSetting_theMetricsOfAllTreesShowThatTheyAreNotServed() {
    Path other = dir.resolve("other");
    conf.set(HyCacheKeys.LOCALDIR_SSD, ssd + " , " + other);
    conf.set(HyCacheKeys.LOCALDIR_HIGH, "120");
    start();
    assertEquals(0, running(ssd));
    assertEquals(0, running(other));
    service.stop();
    assertNull(DefaultMetricsSystem.instance().getSource(source(ssd)));
    assertNull(DefaultMetricsSystem.instance().getSource(source(other)));
  }

  @Test
  void noSetting_isNoFailure() {
    conf.unset(HyCacheKeys.LOCALDIR_SSD);
    start();
  }

  @Test
  void oneTreeThatFails_leavesTheOthers() throws Exception {
    Path missing = dir.resolve("missing");
    conf.set(HyCacheKeys.LOCALDIR_SSD, missing + "," + ssd);
    start();
    assertEquals(0, running(missing));
    assertEquals(1, running(ssd));
    service.stop();
    assertEquals("closed", LocalDirStatus.read(ssd).state());
    assertNull(DefaultMetricsSystem.instance().getSource(source(missing)));
    assertTrue(Files.notExists(missing.resolve(".hycache")));
  }

  @Test
  void oneHddThatIsMissing_leavesTheOthers() throws Exception {
    Path missing = dir.resolve("missing");
    conf.set(HyCacheKeys.LOCALDIR_HDD, missing + "," + hdd);
    start();
    assertNotNull(DefaultMetricsSystem.instance().getSource(source()));
    service.stop();
    assertEquals(List.of(missing), LocalDirStatus.read(ssd).unusableHdds());
  }

  @Test
  void treeThatIsServedAlready_isLeftToTheOther() throws Exception {
    start();
    LocalDirService other = new LocalDirService();
    other.init(conf);
    other.start();
    assertEquals(Service.STATE.STARTED, other.getServiceState());
    assertEquals(1, running(ssd));
    other.stop();
    assertEquals(Service.STATE.STOPPED, other.getServiceState());
    assertNotNull(DefaultMetricsSystem.instance().getSource(source()));
  }
}
