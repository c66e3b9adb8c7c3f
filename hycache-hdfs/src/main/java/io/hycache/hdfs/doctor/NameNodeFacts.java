// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;

/** The cluster as the NameNode sees it. Immutable. */
final class NameNodeFacts {
  /** A live DataNode's storages. Immutable. */
  static final class Storages {
    final Set<StorageType> types;
    final int failed;

    /**
     * @param types of those that did not fail
     * @param failed how many did
     */
    Storages(Set<StorageType> types, int failed) {
      this.types = Set.copyOf(types);
      this.failed = failed;
    }
  }

  final boolean safeMode;
  final List<NodeFacts.Address> live;

  /** Host and port of each that neither reports nor is meant to be away. */
  final List<String> dead;

  /** By name of the DataNode. */
  final Map<String, Storages> storages;

  /** Names of storage policies by path. */
  final Map<String, String> policies;

  NameNodeFacts(
      boolean safeMode,
      List<NodeFacts.Address> live,
      List<String> dead,
      Map<String, Storages> storages,
      Map<String, String> policies) {
    this.safeMode = safeMode;
    this.live = List.copyOf(live);
    this.dead = List.copyOf(dead);
    this.storages = Map.copyOf(storages);
    this.policies = Collections.unmodifiableMap(new LinkedHashMap<>(policies));
  }
}
