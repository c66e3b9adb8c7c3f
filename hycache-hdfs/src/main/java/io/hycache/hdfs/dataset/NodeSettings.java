// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.hdfs.conf.ConfCheck;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.StartAdvice;
import java.io.File;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node, validated once at start. If one of them is invalid, the engine's settings
 * are those of mode {@code off} and {@link #problems} says which are. Immutable.
 */
final class NodeSettings {
  final HyCacheConf conf;
  final HyCacheConfig engine;
  final List<CacheDir> cacheDirs;
  final Set<File> dataDirs;
  final DataDirMode dirMode;
  final long ssdCapacityBytes;
  final int failuresToPassThrough;
  final int openFiles;
  final boolean balances;
  final long scrubBytesPerSec;
  final long scrubPeriodNanos;

  /** Why cache directives are left to HDFS against the settings; null if they are not. */
  final @Nullable String directivesRefused;

  /** Why the settings are invalid, all mistakes; empty if they are valid. */
  final List<String> problems;

  /**
   * @param name name of this DataNode's directory in each of {@code hycache.cache.dirs}
   */
  NodeSettings(Configuration hadoop, String name) {
    this.conf = new HyCacheConf(hadoop);
    HyCacheConfig config = HyCacheConfig.builder().mode(Mode.OFF).policy("lru").build();
    List<CacheDir> cacheDirs = List.of();
    Set<File> dataDirs = Set.of();
    DataDirMode dirMode = DataDirMode.OWNER_ONLY;
    long limit = Long.MAX_VALUE;
    int failures = 1;
    int keptOpen = 0;
    boolean balances = false;
    long scrubBytesPerSec = 1 << 20;
    long scrubPeriodNanos = 0;
    String refused = null;
    List<String> bad = List.of();
    try {
      // First: what is in these directories must be removed if another value is invalid.
      // DataNodes on one machine may share a configured directory.
      boolean allowRoot = conf.cacheDirsAllowRoot();
      dataDirs = StartAdvice.dataDirs(hadoop);
      List<String> owner = dataDirs.stream().map(File::getPath).collect(toList());
      Set<File> disks = StartAdvice.slowDirs(hadoop);
      DataDirMode allowed = conf.dataDirMode();
      dirMode = allowed;
      cacheDirs =
          conf.cacheDirs().stream()
              .map(dir -> new CacheDir(dir, name, owner, disks, allowRoot, allowed))
              .collect(toList());
      config = ConfCheck.engine(conf);
      // Where these throw, StorageTiers.of takes the default, and PagePart adds no page.
      Object unused = List.of(conf.tiers(), conf.page());
      refused = conf.directivesRefused();
      limit = conf.ssdCapacityBytes();
      failures = conf.failuresToPassThrough();
      keptOpen = conf.openFiles();
      balances = conf.balances();
      scrubBytesPerSec = conf.scrubBytesPerSec();
      scrubPeriodNanos = conf.scanPeriodNanos();
    } catch (RuntimeException e) {
      List<String> all = ConfCheck.nodeMistakes(hadoop);
      bad = all.isEmpty() ? List.of(String.valueOf(e.getMessage())) : all;
      config = HyCacheConfig.builder().mode(Mode.OFF).policy("lru").build();
    }
    this.engine = config;
    this.cacheDirs = cacheDirs;
    this.dataDirs = dataDirs;
    this.dirMode = dirMode;
    this.ssdCapacityBytes = limit;
    this.failuresToPassThrough = failures;
    this.openFiles = keptOpen;
    this.balances = balances;
    this.scrubBytesPerSec = scrubBytesPerSec;
    this.scrubPeriodNanos = scrubPeriodNanos;
    this.directivesRefused = refused;
    this.problems = bad;
  }
}
