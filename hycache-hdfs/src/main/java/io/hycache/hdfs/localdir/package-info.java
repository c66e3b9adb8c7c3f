// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Temp directories of jobs: the NodeManager's auxiliary service. Only this package knows YARN. */
@NullMarked
package io.hycache.hdfs.localdir;

import org.jspecify.annotations.NullMarked;
