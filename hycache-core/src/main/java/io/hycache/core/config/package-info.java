// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Validated settings. */
@NullMarked
package io.hycache.core.config;

import org.jspecify.annotations.NullMarked;
