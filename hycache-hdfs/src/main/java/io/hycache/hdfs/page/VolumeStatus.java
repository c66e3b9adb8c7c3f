// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

/** One volume of a DataNode as HDFS sees it. Immutable. */
public final class VolumeStatus {
  /** Its directory. */
  public final String directory;

  /** Name of its storage type; empty if it is not known. */
  public final String storageType;

  /** Whether HDFS has taken it out of use; then all sizes are 0. */
  public final boolean failed;

  public final long usedBytes;
  public final long freeBytes;
  public final long blocks;

  public VolumeStatus(
      String directory,
      String storageType,
      boolean failed,
      long usedBytes,
      long freeBytes,
      long blocks) {
    this.directory = directory;
    this.storageType = storageType;
    this.failed = failed;
    this.usedBytes = usedBytes;
    this.freeBytes = freeBytes;
    this.blocks = blocks;
  }
}
