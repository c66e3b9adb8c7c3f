// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.util.HashSet;
import java.util.Set;

/**
 * Block pools and data directories of a DataNode, from its configuration and its volumes.
 * Thread-safe.
 */
final class DataPools implements OrphanSweep.Pools {
  private final ReplicaStore store;
  private final Set<File> configured;

  DataPools(ReplicaStore store, Set<File> configured) {
    this.store = store;
    this.configured = configured;
  }

  @Override
  public Set<String> inUse() {
    return store.pools();
  }

  @Override
  public Set<File> dataDirs() {
    Set<File> dirs = new HashSet<>(configured);
    store.ssdVolumes().forEach(volume -> dirs.add(volume.root()));
    store.diskVolumes().forEach(volume -> dirs.add(volume.root()));
    return dirs;
  }
}
