// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** Where the replica itself is stored, regardless of any clean copies. */
public enum Home {
  /** On a slow volume (DISK or ARCHIVE). */
  DISK,
  /** On an SSD volume because HyCache placed it there: dirty, to be demoted later. */
  SSD_GUEST,
  /**
   * On an SSD volume because the NameNode asked for SSD, by a storage policy or as HDFS's balancer
   * chose it: never demoted.
   */
  SSD_OWNER
}
