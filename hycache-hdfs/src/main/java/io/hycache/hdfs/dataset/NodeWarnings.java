// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.hdfs.conf.ConfCheck;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator should mend on a DataNode: invalid values, unknown properties, missing plug-in
 * points, no SSD or no DISK, cache directories that are not used. Each is a line that says what
 * does not happen because of it, in the log at start and in {@code status} while it holds.
 * Thread-safe.
 */
final class NodeWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWarnings.class);
  private static final String FACTORY =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory";
  private static final String RESTART = " and restart the DataNode";

  private final NodeSettings settings;
  private final ReplicaStore store;

  /** Logged by the guard, which steps aside because of them. */
  private final List<String> invalid;

  private final List<String> ofConfiguration = new ArrayList<>();

  NodeWarnings(Configuration conf, NodeSettings settings, ReplicaStore store) {
    this.settings = settings;
    this.store = store;
    this.invalid = settings.problems;
    ofConfiguration.addAll(ConfCheck.unknownKeys(conf));
    for (String mistake : ConfCheck.mistakes(conf, NodeWarnings::readDirectory)) {
      ofConfiguration.add(
          mistake + ". This DataNode has no part in the directory. Fix: correct it" + RESTART);
    }
    if (!hasVolumePolicy(conf)) {
      ofConfiguration.add(
          DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY
              + ": expected "
              + HyCacheVolumeChoosingPolicy.class.getName()
              + ", found another or none: new replicas go to sick, worn and busy SSDs like to"
              + " others, and those that a storage policy wants on SSD do not get the room of clean"
              + " copies. Fix: set it"
              + RESTART);
    }
    if (!Arrays.asList(conf.getTrimmedStrings(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY))
        .contains(HyCachePlugin.class.getName())) {
      ofConfiguration.add(
          DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY
              + ": expected "
              + HyCachePlugin.class.getName()
              + " among them, found none: this DataNode takes no hints, answers no hycache command"
              + " and has no part in the directory. Fix: add it"
              + RESTART);
    }
    if (settings.directivesRefused != null) {
      ofConfiguration.add(settings.directivesRefused);
    }
    if (settings.advertisingRefused != null) {
      ofConfiguration.add(settings.advertisingRefused);
    }
  }

  private static void readDirectory(HyCacheConf conf) {
    if (conf.directoryStore() != HyCacheConf.DirectoryStore.OFF) {
      Object unused =
          List.of(
              conf.directoryMembers(0),
              conf.directoryReplicas(),
              conf.directoryBytes(),
              conf.directoryRepublish());
    }
  }

  /** True if the settings give this DataNode a part in the directory, and are valid. */
  static boolean isInDirectory(HyCacheConf conf) {
    try {
      readDirectory(conf);
      return conf.directoryStore() != HyCacheConf.DirectoryStore.OFF;
    } catch (IllegalArgumentException e) {
      return false; // one of the warnings
    }
  }

  private static boolean hasVolumePolicy(Configuration conf) {
    Class<?> policy =
        conf.getClass(DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY, null);
    return policy != null && HyCacheVolumeChoosingPolicy.class.isAssignableFrom(policy);
  }

  /**
   * What a DataNode with the plugin lacks if its dataset is not HyCache's; null if it lacks
   * nothing.
   */
  static @Nullable String ofFactory(Configuration conf) {
    String key = DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY;
    for (Class<?> c = conf.getClass(key, null); c != null; c = c.getSuperclass()) {
      if (c.getName().equals(FACTORY)) {
        return null;
      }
    }
    return key
        + ": expected "
        + FACTORY
        + ", found another or none: nothing is cached and no replica is placed on SSD; the DataNode"
        + " is plain HDFS, and hycache commands report an error for it. Fix: set it"
        + RESTART;
  }

  /** Logs each once. Those of cache directories are logged when the directories are looked at. */
  void log() {
    ofConfiguration.forEach(warning -> LOG.warn("{}", warning));
    ofVolumes().forEach(warning -> LOG.warn("{}", warning));
  }

  /** All that hold now, the most serious first; empty if all is well. */
  List<String> current() {
    List<String> all = new ArrayList<>();
    for (String mistake : invalid) {
      all.add(mistake + ". HyCache is in pass-through. Fix: correct it" + RESTART);
    }
    all.addAll(ofVolumes());
    for (CacheDir dir : settings.cacheDirs) {
      String refusal = dir.refusal();
      if (refusal != null) {
        all.add(HyCacheKeys.CACHE_DIRS + ": " + dir.parent() + " is not used: " + refusal);
      }
    }
    all.addAll(ofConfiguration);
    return all;
  }

  private List<String> ofVolumes() {
    List<String> all = new ArrayList<>();
    if (!invalid.isEmpty() || settings.engine.mode() == Mode.OFF) {
      return all;
    }
    if (store.ssdVolumes().isEmpty() && settings.cacheDirs.isEmpty()) {
      all.add(
          "no SSD: expected a volume of type SSD or "
              + HyCacheKeys.CACHE_DIRS
              + ", found none: nothing is cached and no replica is placed on SSD. Fix: write [SSD]"
              + " before the SSD's directory in dfs.datanode.data.dir"
              + RESTART);
    }
    if (store.diskVolumes().isEmpty()) {
      all.add(
          "no DISK: expected a volume of type DISK, found none: nothing is promoted or demoted, and"
              + " what fills the SSDs stays there. Fix: write [DISK] or nothing before an HDD's"
              + " directory in dfs.datanode.data.dir"
              + RESTART);
    }
    return all;
  }
}
