// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the engine and its planner. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
