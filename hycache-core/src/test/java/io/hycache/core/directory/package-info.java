// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the directory, over a network in memory with a clock of its own. */
@NullMarked
package io.hycache.core.directory;

import org.jspecify.annotations.NullMarked;
