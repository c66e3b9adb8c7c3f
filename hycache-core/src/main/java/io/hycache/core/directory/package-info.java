// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The directory of blocks on SSD among DataNodes: a zero-hop distributed hash table. */
@NullMarked
package io.hycache.core.directory;

import org.jspecify.annotations.NullMarked;
