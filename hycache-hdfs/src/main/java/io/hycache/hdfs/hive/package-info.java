// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The hook for Hive; the only package that names Hive. */
@NullMarked
package io.hycache.hdfs.hive;

import org.jspecify.annotations.NullMarked;
