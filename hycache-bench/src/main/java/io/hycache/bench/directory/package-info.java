// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Experiments with the directory: real processes beside a real NameNode, and a simulation. */
@NullMarked
package io.hycache.bench.directory;

import org.jspecify.annotations.NullMarked;
