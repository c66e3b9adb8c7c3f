// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.hdfs.conf.ConfCheck;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.conf.StorageTiers;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode's configuration, whether it is this machine's or was read from a DataNode's web
 * server. Nothing is looked up on disk. Stateless.
 */
final class ConfigurationChecks {
  private ConfigurationChecks() {}

  static List<Finding> of(Configuration conf) {
    List<Finding> all = new ArrayList<>();
    all.addAll(plugIn(conf));
    all.addAll(keys(conf));
    all.addAll(volumes(conf));
    return all;
  }

  private static List<Finding> plugIn(Configuration conf) {
    List<Finding> all = new ArrayList<>();
    addError(all, StartAdvice.ofFactory(conf));
    addError(all, StartAdvice.ofPlugin(conf));
    addWarning(all, Check.PLUG_IN, StartAdvice.ofVolumePolicy(conf));
    return orOk(all, Check.PLUG_IN, "all three plug-in properties are set");
  }

  private static void addError(List<Finding> all, @Nullable String message) {
    if (message != null) {
      all.add(Finding.error(Check.PLUG_IN, message));
    }
  }

  private static void addWarning(List<Finding> all, Check check, @Nullable String message) {
    if (message != null) {
      all.add(Finding.warning(check, message));
    }
  }

  private static List<Finding> orOk(List<Finding> all, Check check, String text) {
    return all.isEmpty() ? List.of(Finding.ok(check, text)) : all;
  }

  private static List<Finding> keys(Configuration conf) {
    List<Finding> all = new ArrayList<>();
    for (String mistake : ConfCheck.nodeMistakes(conf)) {
      all.add(Finding.error(Check.KEYS, ConfCheck.passThrough(mistake)));
    }
    ConfCheck.directoryMistakes(conf).forEach(m -> all.add(Finding.warning(Check.KEYS, m)));
    ConfCheck.unknownKeys(conf).forEach(m -> all.add(Finding.warning(Check.KEYS, m)));
    if (all.stream().noneMatch(finding -> finding.result() == Finding.Result.ERROR)) {
      HyCacheConf valid = new HyCacheConf(conf);
      addWarning(all, Check.KEYS, valid.directivesRefused());
      addWarning(all, Check.KEYS, valid.advertisingRefused());
    }
    int set = new HyCacheConf(conf).nonDefaults().size();
    return orOk(
        all, Check.KEYS, "all hycache.* properties are known and valid; not at default: " + set);
  }

  private static List<Finding> volumes(Configuration conf) {
    List<StorageLocation> locations;
    try {
      locations = StartAdvice.locations(conf);
    } catch (IllegalArgumentException e) {
      return List.of(
          Finding.error(
              Check.VOLUMES,
              DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY
                  + ": expected [TYPE]DIRECTORY, separated by commas, found "
                  + e.getMessage()
                  + ": the DataNode does not start. Fix: correct the storage type"));
    }
    StorageTiers tiers = StorageTiers.of(conf);
    int ssds = 0;
    int disks = 0;
    for (StorageLocation location : locations) {
      ssds += tiers.isFast(location.getStorageType()) ? 1 : 0;
      disks += location.getStorageType() == tiers.slow() ? 1 : 0;
    }
    int caches = conf.getTrimmedStringCollection(HyCacheKeys.CACHE_DIRS).size();
    List<Finding> all = new ArrayList<>();
    Mode mode = mode(conf);
    StartAdvice.ofVolumes(mode, ssds + caches > 0, disks > 0)
        .forEach(message -> all.add(Finding.error(Check.VOLUMES, message)));
    addWarning(all, Check.VOLUMES, StartAdvice.ofFailures(conf, ssds, locations.size()));
    return orOk(
        all,
        Check.VOLUMES,
        "SSD: "
            + ssds
            + ", DISK: "
            + disks
            + ", cache directories: "
            + caches
            + (mode == Mode.OBSERVE && ssds + caches == 0
                ? ": mode observe estimates for the command advise, and does nothing else"
                : ""));
  }

  private static Mode mode(Configuration conf) {
    try {
      return Mode.parse(new HyCacheConf(conf).text(HyCacheKeys.MODE));
    } catch (IllegalArgumentException e) {
      return Mode.ACTIVE; // an error of Check.KEYS
    }
  }
}
