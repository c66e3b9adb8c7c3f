// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The engine: takes events, decides, and has blocks moved. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
