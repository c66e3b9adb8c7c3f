// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** A DataNode's part in the directory: members from the NameNode, its SSD's blocks published. */
@NullMarked
package io.hycache.hdfs.directory;

import org.jspecify.annotations.NullMarked;
