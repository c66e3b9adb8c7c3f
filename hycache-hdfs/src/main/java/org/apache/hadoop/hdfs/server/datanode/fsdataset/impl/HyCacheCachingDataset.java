// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.hdfs.dataset.Directives;
import io.hycache.hdfs.dataset.HyCacheNode;
import io.hycache.hdfs.dataset.WithHyCache;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongBiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's dataset with all that concerns cache directives passed to {@link Directives}, which
 * decides whether they are HyCache's or HDFS's own. Decides nothing itself.
 */
abstract class HyCacheCachingDataset extends HyCacheNamedDataset implements WithHyCache {
  HyCacheCachingDataset(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    super(datanode, storage, conf);
  }

  /** Returns the node; null while the dataset is being constructed. */
  abstract @Nullable HyCacheNode nodeIfConstructed();

  @Override
  public void cache(String bpid, long[] blockIds) {
    hyCache().directives().cache(bpid, blockIds, () -> super.cache(bpid, blockIds));
  }

  @Override
  public void uncache(String bpid, long[] blockIds) {
    hyCache().directives().uncache(bpid, blockIds, () -> super.uncache(bpid, blockIds));
  }

  @Override
  public long getCacheUsed() {
    return figure(Directives::usedBytes, super::getCacheUsed);
  }

  @Override
  public long getCacheCapacity() {
    return figure(Directives::capacityBytes, super::getCacheCapacity);
  }

  @Override
  public long getNumBlocksCached() {
    return figure(Directives::blocks, super::getNumBlocksCached);
  }

  @Override
  public long getNumBlocksFailedToCache() {
    return figure(Directives::failedToCache, super::getNumBlocksFailedToCache);
  }

  @Override
  public long getNumBlocksFailedToUncache() {
    return figure(Directives::failedToUncache, super::getNumBlocksFailedToUncache);
  }

  @Override
  public List<Long> getCacheReport(String bpid) {
    return hyCache().directives().report(bpid, () -> super.getCacheReport(bpid));
  }

  /** HDFS reads these figures for its metrics while it constructs the dataset, too. */
  private long figure(ToLongBiFunction<Directives, LongSupplier> ours, LongSupplier plain) {
    HyCacheNode node = nodeIfConstructed();
    return node == null ? plain.getAsLong() : ours.applyAsLong(node.directives(), plain);
  }
}
