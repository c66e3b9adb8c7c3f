// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.localdir;

import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirTier;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.metrics.LocalDirMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's local directories on SSD first, with HDDs behind them: an auxiliary service.
 *
 * <pre>
 * yarn.nodemanager.aux-services                         mapreduce_shuffle,hycache_localdir
 * yarn.nodemanager.aux-services.hycache_localdir.class  io.hycache.hdfs.localdir.LocalDirService
 * yarn.nodemanager.local-dirs                           SSD/0,...,SSD/14,HDD/overflow
 * yarn.nodemanager.disk-health-checker.min-healthy-disks  0.05
 * hycache.localdir.ssd                                  SSD
 * hycache.localdir.hdd                                  HDD
 * </pre>
 *
 * <p>It answers no container and no application: a program that opens a file in a local directory
 * finds it there, or a link to it. Whatever fails here is logged and leaves plain local
 * directories; nothing is thrown into the NodeManager.
 */
public final class LocalDirService extends AuxiliaryService {
  /** How {@code yarn.nodemanager.aux-services} names it. */
  public static final String NAME = "hycache_localdir";

  private static final Logger LOG = LoggerFactory.getLogger(LocalDirService.class);

  private final List<LocalDirTier> tiers = new ArrayList<>();

  /** Metrics of the trees that could not be served. */
  private final List<LocalDirMetrics> unserved = new ArrayList<>();

  /** Called by reflection. */
  public LocalDirService() {
    super(NAME);
  }

  /** After the NodeManager has made and cleaned its local directories. */
  @Override
  protected void serviceStart() throws Exception {
    Configuration conf = getConfig();
    try {
      List<LocalDirConfig> configs = new HyCacheConf(conf).localDirs();
      if (configs.isEmpty()) {
        LOG.warn("HyCache has no local directories: {} is not set", HyCacheKeys.LOCALDIR_SSD);
      } else {
        advise(conf, configs);
      }
      for (LocalDirConfig config : configs) {
        open(config);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.error("HyCache does not tier the local directories; they are plain ones", e);
      showUnserved(conf);
    }
    super.serviceStart();
  }

  private static void advise(Configuration conf, List<LocalDirConfig> configs) {
    List<String> advice =
        LocalDirsAdvice.of(
            List.copyOf(conf.getTrimmedStringCollection(YarnConfiguration.NM_LOCAL_DIRS)),
            conf.getFloat(
                YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
                YarnConfiguration.DEFAULT_NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE),
            conf.getFloat(
                YarnConfiguration.NM_MIN_HEALTHY_DISKS_FRACTION,
                YarnConfiguration.DEFAULT_NM_MIN_HEALTHY_DISKS_FRACTION),
            configs);
    advice.forEach(line -> LOG.warn("HyCache on {}: {}", YarnConfiguration.NM_LOCAL_DIRS, line));
  }

  private void open(LocalDirConfig config) {
    LocalDirTier tier = null;
    try {
      tier = LocalDirTier.open(config);
      tier.start();
      LocalDirMetrics.of(config.ssd(), tier::status).register();
      synchronized (tiers) {
        tiers.add(tier);
      }
      LOG.info(
          "HyCache tiers local directories: ssd={} hdds={} policy={} high={} low={}",
          config.ssd(),
          config.hdds(),
          config.policy(),
          config.high(),
          config.low());
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error(
          "HyCache does not tier these local directories; they are plain ones: ssd={}",
          config.ssd(),
          e);
      if (tier != null) {
        close(tier);
      }
      showUnserved(config.ssd());
    }
  }

  /** Metrics that show it, for all trees that settings name which are not valid. */
  private void showUnserved(Configuration conf) {
    try {
      for (String ssd : conf.getTrimmedStringCollection(HyCacheKeys.LOCALDIR_SSD)) {
        showUnserved(Paths.get(ssd).toAbsolutePath().normalize());
      }
    } catch (RuntimeException e) {
      LOG.warn("HyCache has no metrics of its trees of local directories", e);
    }
  }

  /** Metrics that show it, unless another service of this process serves the tree. */
  private void showUnserved(Path ssd) {
    try {
      LocalDirMetrics metrics = LocalDirMetrics.ofUnserved(ssd);
      if (!metrics.isRegistered()) {
        metrics.register();
        synchronized (tiers) {
          unserved.add(metrics);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("HyCache has no metrics of a tree of local directories: ssd={}", ssd, e);
    }
  }

  @Override
  protected void serviceStop() throws Exception {
    List<LocalDirTier> open;
    synchronized (tiers) {
      open = List.copyOf(tiers);
      tiers.clear();
      unserved.forEach(LocalDirMetrics::unregister);
      unserved.clear();
    }
    open.forEach(LocalDirService::close);
    super.serviceStop();
  }

  private static void close(LocalDirTier tier) {
    try {
      LocalDirMetrics.of(tier.status().ssd(), tier::status).unregister();
      tier.close();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("HyCache could not close a tree of local directories", e);
    }
  }

  @Override
  public void initializeApplication(ApplicationInitializationContext context) {}

  /** The application's directories go now, and what was in them on the HDDs may follow. */
  @Override
  public void stopApplication(ApplicationTerminationContext context) {
    synchronized (tiers) {
      tiers.forEach(LocalDirTier::sweepSoon);
    }
  }

  /** Nothing that containers need. */
  @Override
  public ByteBuffer getMetaData() {
    return ByteBuffer.allocate(0);
  }
}
