// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** From manifests to located blocks to DataNodes; questions to all DataNodes at once. */
@NullMarked
package io.hycache.hdfs.client;

import org.jspecify.annotations.NullMarked;
