// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The what-if simulator: traces, a virtual clock, and the DataNode's own policies. */
@NullMarked
package io.hycache.bench.sim;

import org.jspecify.annotations.NullMarked;
