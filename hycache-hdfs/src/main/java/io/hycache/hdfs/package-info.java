// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** What users name in their configuration. */
@NullMarked
package io.hycache.hdfs;

import org.jspecify.annotations.NullMarked;
