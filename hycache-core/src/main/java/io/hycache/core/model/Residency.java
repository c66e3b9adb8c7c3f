// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** How a DataNode holds a block's data on a fast device. */
public enum Residency {
  /** Not at all. */
  NONE,
  /** As the only replica, placed there by HyCache; to be demoted. */
  DIRTY,
  /** As the only replica, placed there at the NameNode's request. */
  OWNER,
  /** As a clean copy of a DISK replica. */
  CLEAN
}
