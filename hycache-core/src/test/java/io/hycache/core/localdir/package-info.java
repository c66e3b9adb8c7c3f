// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of temp directories of jobs. */
@NullMarked
package io.hycache.core.localdir;

import org.jspecify.annotations.NullMarked;
