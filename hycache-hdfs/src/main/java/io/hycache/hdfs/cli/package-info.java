// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The command line. */
@NullMarked
package io.hycache.hdfs.cli;

import org.jspecify.annotations.NullMarked;
