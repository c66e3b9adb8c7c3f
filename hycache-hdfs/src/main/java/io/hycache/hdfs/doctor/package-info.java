// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Checks of a DataNode's machine and of a cluster. They read, ask and compare; they change nothing.
 */
@NullMarked
package io.hycache.hdfs.doctor;

import org.jspecify.annotations.NullMarked;
