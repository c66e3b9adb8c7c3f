package io.hycache.hdfs.dataset;

/** A dataset that has HyCache in it. Thread-safe. */
public interface WithHyCache {

  /** HyCache in this DataNode. Not to be called before the dataset's constructor has returned. */
  HyCacheNode hyCache();
}
