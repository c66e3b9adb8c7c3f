// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.hdfs.conf.BuildVersion;
import io.hycache.hdfs.dataset.ReplicaStore.Volume;
import java.io.File;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The block of lines that a DataNode logs when HyCache starts: version, mode and policy, then one
 * line for each SSD volume, cache directory and HDD volume, then one for each setting that is not
 * at its default.
 */
final class StartReport {
  private static final Logger LOG = LoggerFactory.getLogger(StartReport.class);
  private static final String INDENT = "\n  ";

  private StartReport() {}

  /**
   * Logs the block on a thread of its own: the size of a device that hangs would hold up the start
   * of the DataNode. A failure is logged, too.
   *
   * @return the thread
   */
  static Thread logLater(NodeSettings settings, ReplicaStore store) {
    Thread thread =
        Daemons.named("HyCache start report")
            .newThread(
                () -> {
                  try {
                    LOG.info(of(settings, store));
                  } catch (RuntimeException | LinkageError e) {
                    LOG.warn("HyCache starts; its settings could not be listed", e);
                  }
                });
    thread.start();
    return thread;
  }

  /** Returns the block; its first line is not indented, and it does not end with a line break. */
  static String of(NodeSettings settings, ReplicaStore store) {
    StringBuilder out = new StringBuilder("HyCache starts: version=").append(BuildVersion.text());
    if (settings.problems.isEmpty()) {
      out.append(" mode=").append(settings.engine.mode());
      out.append(" policy=").append(settings.engine.policy());
    } else {
      out.append(" mode=pass-through");
    }
    for (StorageType type : store.tiers().fast()) {
      volumes(
          out,
          type.name().toLowerCase(Locale.ROOT) + "=",
          store.ssdVolumes().stream()
              .filter(volume -> volume.tier() == store.tiers().tierOf(type))
              .collect(toList()));
    }
    for (CacheDir dir : settings.cacheDirs) {
      line(out, "cacheDirectory=", dir.parent(), dir.parent().getTotalSpace());
    }
    volumes(out, "hdd=", store.diskVolumes());
    List<String> changed = settings.conf.nonDefaults();
    changed.forEach(setting -> out.append(INDENT).append(setting));
    if (changed.isEmpty()) {
      out.append(INDENT).append("all settings are at their defaults");
    }
    return out.toString();
  }

  private static void volumes(StringBuilder out, String label, List<Volume> volumes) {
    for (Volume volume : volumes) {
      line(out, label, volume.root(), volume.capacityBytes());
    }
    if (volumes.isEmpty()) {
      out.append(INDENT).append(label).append("none");
    }
  }

  private static void line(StringBuilder out, String label, File root, long capacityBytes) {
    out.append(INDENT).append(label).append(root).append(" capacityBytes=").append(capacityBytes);
  }
}
