// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What job history files, event logs and lineage events say of past runs. Reads files; asks no
 * cluster.
 */
@NullMarked
package io.hycache.hdfs.history;

import org.jspecify.annotations.NullMarked;
