// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.localdir;

import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * What an operator should know about {@code yarn.nodemanager.local-dirs}. YARN goes round them and
 * passes over those without room for what is asked: many of them on the SSD bring most files there,
 * one on each HDD takes everything while the SSD is full of what is not ours.
 */
final class LocalDirsAdvice {
  private static final double MIN_SHARE_OF_PATHS_ON_SSD = 0.8;

  private LocalDirsAdvice() {}

  /**
   * The advice, a line each; empty if all is well.
   *
   * @param localDirs as the NodeManager has them
   * @param mostUsedPercent from which on it takes a disk for full
   * @param leastHealthy share of the directories without which it reports itself unhealthy
   */
  static List<String> of(
      List<String> localDirs,
      float mostUsedPercent,
      float leastHealthy,
      List<LocalDirConfig> configs) {
    List<String> advice = new ArrayList<>();
    List<Path> paths = new ArrayList<>();
    localDirs.forEach(dir -> paths.add(path(dir)));
    int onSsd = 0;
    for (LocalDirConfig config : configs) {
      int here = under(paths, config.ssd());
      onSsd += here;
      if (here == 0) {
        advice.add(
            "no directory is below ssd="
                + config.ssd()
                + ": jobs write nothing to it. Fix: add some");
      }
      if (config.capacityBytes() == 0 && config.high() * 100 >= mostUsedPercent) {
        advice.add(
            String.format(
                Locale.ROOT,
                "the NodeManager gives up a disk that is %.0f %% full, before files leave ssd=%s"
                    + " at %.0f %%. Fix: lower %s",
                mostUsedPercent,
                config.ssd(),
                config.high() * 100,
                HyCacheKeys.LOCALDIR_HIGH));
      }
    }
    if (onSsd > 0 && onSsd == paths.size()) {
      advice.add(
          "all directories are on SSD: none is usable while other files fill it. Fix: add one on"
              + " an HDD");
    } else if (onSsd > 0 && onSsd < MIN_SHARE_OF_PATHS_ON_SSD * paths.size()) {
      advice.add(
          String.format(
              Locale.ROOT,
              "only %d of %d directories are on SSD, and YARN spreads files evenly over all. Fix:"
                  + " name more there",
              onSsd,
              paths.size()));
    }
    double others = 1 - (double) onSsd / Math.max(1, paths.size());
    if (onSsd > 0 && onSsd < paths.size() && others < leastHealthy) {
      advice.add(
          String.format(
              Locale.ROOT,
              "while other files fill the SSD, %.0f %% of the directories are usable; below %.0f %%"
                  + " the NodeManager is unhealthy and its containers are lost. Fix: lower %s",
              others * 100,
              leastHealthy * 100,
              YarnConfiguration.NM_MIN_HEALTHY_DISKS_FRACTION));
    }
    return advice;
  }

  private static int under(List<Path> paths, Path root) {
    return (int) paths.stream().filter(path -> path.startsWith(root)).count();
  }

  private static Path path(String dir) {
    return Paths.get(dir.startsWith("file:") ? dir.replaceFirst("^file:/*", "/") : dir)
        .toAbsolutePath()
        .normalize();
  }
}
