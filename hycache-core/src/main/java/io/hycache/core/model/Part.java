// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** The two files of a replica. */
public enum Part {
  /** The block's data. */
  DATA,
  /** The checksum ({@code .meta}) file, about 1/128 of the data. */
  CHECKSUM
}
