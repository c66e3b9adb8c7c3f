// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.HostLimit;
import io.hycache.hdfs.conf.ConfCheck;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.conf.StartAdvice;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator should mend on a DataNode: invalid values, unknown properties, missing plug-in
 * points, messages of the system in another language than English, SSD volumes that failed, no SSD
 * or no DISK, cache directories that are not used. Each is a line that says what does not happen
 * because of it, in the log at start and in {@code status} while it holds. Thread-safe.
 */
final class NodeWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWarnings.class);

  private final NodeSettings settings;
  private final ReplicaStore store;

  /** Logged by the guard, which steps aside because of them. */
  private final List<String> invalid;

  private final List<String> ofConfiguration = new ArrayList<>();

  /**
   * @param foreignMessage see {@link HostLimit#foreignMessage}
   */
  NodeWarnings(
      Configuration conf,
      NodeSettings settings,
      ReplicaStore store,
      @Nullable String foreignMessage) {
    this.settings = settings;
    this.store = store;
    this.invalid = settings.problems;
    ofConfiguration.addAll(ConfCheck.unknownKeys(conf));
    ofConfiguration.addAll(ConfCheck.directoryMistakes(conf));
    for (String missing :
        Arrays.asList(
            StartAdvice.ofVolumePolicy(conf),
            StartAdvice.ofPlugin(conf),
            StartAdvice.ofMessages(foreignMessage))) {
      if (missing != null) {
        ofConfiguration.add(missing);
      }
    }
    if (settings.directivesRefused != null) {
      ofConfiguration.add(settings.directivesRefused);
    }
  }

  /** Logs each once. Those of cache directories are logged when the directories are looked at. */
  void log() {
    ofConfiguration.forEach(warning -> LOG.warn("{}", warning));
    ofChangeable(settings.conf).forEach(warning -> LOG.warn("{}", warning));
    ofVolumes().forEach(warning -> LOG.warn("{}", warning));
  }

  /**
   * All that hold now, the most serious first; empty if all is well.
   *
   * @param now the settings with what has been changed since the start
   */
  List<String> current(HyCacheConf now) {
    List<String> all = new ArrayList<>();
    for (String mistake : invalid) {
      all.add(ConfCheck.passThrough(mistake));
    }
    all.addAll(ofVolumes());
    for (CacheDir dir : settings.cacheDirs) {
      String refusal = dir.refusal();
      if (refusal != null) {
        all.add(HyCacheKeys.CACHE_DIRS + ": " + dir.parent() + " is not used: " + refusal);
      }
    }
    all.addAll(ofConfiguration);
    all.addAll(ofChangeable(now));
    return all;
  }

  /** Those that a change at run time may bring or end. */
  private List<String> ofChangeable(HyCacheConf now) {
    String refused = invalid.isEmpty() ? now.advertisingRefused() : null;
    return refused == null ? List.of() : List.of(refused);
  }

  private List<String> ofVolumes() {
    List<File> failed = store.failedSsds();
    List<String> all = new ArrayList<>();
    failed.forEach(ssd -> all.add(StartAdvice.ofFailedSsd(ssd)));
    all.addAll(
        StartAdvice.ofVolumes(
            settings.engine.mode(),
            !store.ssdVolumes().isEmpty() || !failed.isEmpty() || !settings.cacheDirs.isEmpty(),
            !store.diskVolumes().isEmpty()));
    return all;
  }
}
