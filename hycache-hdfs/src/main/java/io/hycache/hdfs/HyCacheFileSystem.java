// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs;

import org.apache.hadoop.hdfs.HyCacheDistributedFileSystem;

/**
 * HDFS for jobs that run where their blocks are fast: set {@code fs.hdfs.impl} to it. It is
 * Hadoop's own {@code DistributedFileSystem} in everything; but of a block's replicas those on SSD
 * come first ({@code hycache.client.locality} = {@code prefer}), or are the only ones that a
 * scheduler sees ({@code only}). Reads turn to them first, and to the others as ever. {@code off},
 * a directory that can't be asked, or no answer within {@code hycache.client.locality.timeout}:
 * plain HDFS. All hosts of a block are named with {@code prefer}, those with it on SSD first. Spark
 * SQL adds up bytes by host, and does not mind the order: only {@code only} moves its tasks, to
 * where blocks were on SSD when it listed the files. With {@code hycache.client.hints} = {@code
 * auto} it also submits what a job is about to read.
 */
public final class HyCacheFileSystem extends HyCacheDistributedFileSystem {
  /** Called by reflection. */
  public HyCacheFileSystem() {}
}
