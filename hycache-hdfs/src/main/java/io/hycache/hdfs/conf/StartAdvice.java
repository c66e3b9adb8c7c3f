// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import io.hycache.core.config.HyCacheConfig.Mode;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the DataNode's configuration that concern its SSDs and HyCache's plug-in points. Each
 * message begins with the property, says what does not happen, and how to mend it. Stateless.
 */
public final class StartAdvice {
  /** Value of {@code dfs.datanode.fsdataset.factory}. */
  public static final String FACTORY =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory";

  /** Value of {@code dfs.datanode.fsdataset.volume.choosing.policy}. */
  public static final String VOLUME_POLICY = "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy";

  /** One of the values of {@code dfs.datanode.plugins}. */
  public static final String PLUGIN = "io.hycache.hdfs.dataset.HyCachePlugin";

  /** What to do about a volume that HDFS has taken out of use. */
  public static final String REPLACE_VOLUME =
      "Fix: replace the device and restart the DataNode, or reconfigure it (hdfs dfsadmin"
          + " -reconfig)";

  private static final String RESTART = " and restart the DataNode";

  private StartAdvice() {}

  /** Returns the configured local data directories in order. */
  public static Set<File> dataDirs(Configuration conf) {
    return dirs(conf, location -> true);
  }

  /** Returns those of the slow tier. */
  public static Set<File> slowDirs(Configuration conf) {
    StorageType slow = StorageTiers.of(conf).slow();
    return dirs(conf, location -> location.getStorageType() == slow);
  }

  private static Set<File> dirs(Configuration conf, Predicate<StorageLocation> wanted) {
    Set<File> dirs = new LinkedHashSet<>();
    for (StorageLocation location : locations(conf)) {
      if ("file".equals(location.getUri().getScheme()) && wanted.test(location)) {
        dirs.add(new File(location.getUri()));
      }
    }
    return dirs;
  }

  /**
   * Returns the configured volumes in order; none if none is configured.
   *
   * @throws IllegalArgumentException if one is not valid, such as one of an unknown storage type
   */
  public static List<StorageLocation> locations(Configuration conf) {
    return conf.getTrimmedStringCollection(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY).isEmpty()
        ? List.of()
        : DataNode.getStorageLocations(conf);
  }

  /**
   * Returns a warning if the failure of one SSD would stop the DataNode although it has other
   * volumes; otherwise null.
   */
  public static @Nullable String ofFailures(Configuration conf, int ssdVolumes, int volumes) {
    int tolerated =
        conf.getInt(
            DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY,
            DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_DEFAULT);
    return tolerated != 0 || ssdVolumes == 0 || volumes < 2
        ? null
        : DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY
            + " is 0: this DataNode stops when one SSD fails. Fix: set it to 1 or more. ssdVolumes="
            + ssdVolumes
            + " volumes="
            + volumes;
  }

  /** Returns what does not happen because HDFS has taken an SSD volume out of use. */
  public static String ofFailedSsd(File directory) {
    return directory
        + ": expected a volume in use, found one that failed, which HDFS has taken out: nothing is"
        + " read from it or placed on it. "
        + REPLACE_VOLUME;
  }

  /**
   * Returns a warning if limits of the process are not recognised by the system's messages; null if
   * they are.
   *
   * @param foreign a message of the system in another language than English; null if there is none
   */
  public static @Nullable String ofMessages(@Nullable String foreign) {
    return foreign == null
        ? null
        : "LC_MESSAGES: expected the system's messages in English, found \""
            + foreign
            + "\": when the DataNode runs out of file descriptors or memory, that counts as a fault"
            + " of its SSDs, and they are taken out of use. Fix: write \"export LC_MESSAGES=C; unset"
            + " LC_ALL\" into hadoop-env.sh"
            + RESTART;
  }

  /** Returns what a DataNode's dataset lacks to be HyCache's; null if it lacks nothing. */
  public static @Nullable String ofFactory(Configuration conf) {
    String key = DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY;
    return isOrExtends(conf, key, FACTORY)
        ? null
        : key
            + ": expected "
            + FACTORY
            + ", found another or none: nothing is cached and no replica is placed on SSD; the"
            + " DataNode is plain HDFS, and hycache commands report an error for it. Fix: set it"
            + RESTART;
  }

  /** Returns what does not happen without HyCache's volume policy; null if it is set. */
  public static @Nullable String ofVolumePolicy(Configuration conf) {
    String key = DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY;
    return isOrExtends(conf, key, VOLUME_POLICY)
        ? null
        : key
            + ": expected "
            + VOLUME_POLICY
            + ", found another or none: new replicas are placed on SSDs regardless of their health,"
            + " write budget and load, and no clean copies make room for replicas of a storage"
            + " policy. Fix: set it"
            + RESTART;
  }

  /** Returns what does not happen without the plugin; null if it is set. */
  public static @Nullable String ofPlugin(Configuration conf) {
    String key = DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY;
    return Arrays.asList(conf.getTrimmedStrings(key)).contains(PLUGIN)
        ? null
        : key
            + ": expected "
            + PLUGIN
            + " among them, found none: this DataNode takes no hints, answers no hycache command"
            + " and has no part in the directory. Fix: add it"
            + RESTART;
  }

  /** A class that is not on this class path, as another machine may have it, is taken by name. */
  private static boolean isOrExtends(Configuration conf, String key, String name) {
    String set = conf.getTrimmed(key, "");
    if (set.equals(name)) {
      return true;
    }
    for (Class<?> c = conf.getClassByNameOrNull(set); c != null; c = c.getSuperclass()) {
      if (c.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what does not happen without an SSD or without a DISK; empty if both are there, or are
   * not needed: mode observe estimates without an SSD, and mode off needs neither.
   */
  public static List<String> ofVolumes(Mode mode, boolean hasSsd, boolean hasDisk) {
    List<String> all = new ArrayList<>();
    if (!hasSsd && mode == Mode.ACTIVE) {
      all.add(
          "no SSD: expected a volume of type SSD or "
              + HyCacheKeys.CACHE_DIRS
              + ", found none: nothing is cached and no replica is placed on SSD. Fix: write [SSD]"
              + " before the SSD's directory in dfs.datanode.data.dir"
              + RESTART);
    }
    if (!hasDisk && mode != Mode.OFF) {
      all.add(
          "no DISK: expected a volume of type DISK, found none: nothing is promoted or demoted, and"
              + " what fills the SSDs stays there. Fix: write [DISK] or nothing before an HDD's"
              + " directory in dfs.datanode.data.dir"
              + RESTART);
    }
    return all;
  }
}
