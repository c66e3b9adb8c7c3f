// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Residency, heat and the space ledger of one DataNode. */
@NullMarked
package io.hycache.core.table;

import org.jspecify.annotations.NullMarked;
