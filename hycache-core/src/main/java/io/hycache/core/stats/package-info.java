// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Counters and immutable snapshots. */
@NullMarked
package io.hycache.core.stats;

import org.jspecify.annotations.NullMarked;
