// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** What a move does. */
public enum MoveKind {
  /**
   * Copies a DISK replica to SSD as a clean copy: the data, and the checksum file if it is missing.
   */
  PROMOTE,
  /** Copies the checksum file of a DISK replica to SSD as a clean copy. */
  PROMOTE_CHECKSUMS,
  /** Writes a replica that exists only on SSD to DISK. */
  DEMOTE
}
