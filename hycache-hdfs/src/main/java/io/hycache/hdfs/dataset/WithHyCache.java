// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

/** A dataset with HyCache. Thread-safe. */
public interface WithHyCache {

  /**
   * Returns HyCache in this DataNode. Must not be called before the dataset's constructor has
   * returned.
   */
  HyCacheNode hyCache();
}
