// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Between HDFS's dataset and the engine: guard, clean copies, observed streams. */
@NullMarked
package io.hycache.hdfs.dataset;

import org.jspecify.annotations.NullMarked;
