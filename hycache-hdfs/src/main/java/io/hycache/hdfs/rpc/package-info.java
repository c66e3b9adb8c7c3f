// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Hint and status protocol between clients and DataNodes: wire form, server, client stub. */
@NullMarked
package io.hycache.hdfs.rpc;

import org.jspecify.annotations.NullMarked;
