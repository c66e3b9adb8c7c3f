// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.Replica;
import java.io.File;

/** A snapshot of a finalized local replica. Immutable. */
public final class ReplicaView {
  private final Replica replica;
  private final boolean onSsd;
  private final File volumeRoot;
  private final File data;
  private final File checksums;

  /**
   * @param onSsd the replica's volume is of a fast storage type
   * @param volumeRoot the configured directory of the volume, parent of {@code current}
   */
  public ReplicaView(Replica replica, boolean onSsd, File volumeRoot, File data, File checksums) {
    this.replica = replica;
    this.onSsd = onSsd;
    this.volumeRoot = volumeRoot;
    this.data = data;
    this.checksums = checksums;
  }

  public Replica replica() {
    return replica;
  }

  public boolean onSsd() {
    return onSsd;
  }

  /** Returns true if it is of this very state of the replica, on DISK. */
  public boolean isOnDisk(Replica of) {
    return !onSsd && replica.equals(of);
  }

  public File volumeRoot() {
    return volumeRoot;
  }

  public File data() {
    return data;
  }

  public File checksums() {
    return checksums;
  }
}
