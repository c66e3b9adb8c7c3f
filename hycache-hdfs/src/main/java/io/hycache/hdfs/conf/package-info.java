// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Configuration keys and the one reader of them. */
@NullMarked
package io.hycache.hdfs.conf;

import org.jspecify.annotations.NullMarked;
