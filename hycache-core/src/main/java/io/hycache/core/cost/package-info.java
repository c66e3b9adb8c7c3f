// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Cost models of the devices, and partitioning based on them. Pure: no file, thread or clock. */
@NullMarked
package io.hycache.core.cost;

import org.jspecify.annotations.NullMarked;
