// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The OpenLineage transport; the only package that names OpenLineage. */
@NullMarked
package io.hycache.hdfs.lineage;

import org.jspecify.annotations.NullMarked;
