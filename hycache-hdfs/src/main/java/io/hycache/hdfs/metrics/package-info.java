// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The metrics2 source of one DataNode. */
@NullMarked
package io.hycache.hdfs.metrics;

import org.jspecify.annotations.NullMarked;
