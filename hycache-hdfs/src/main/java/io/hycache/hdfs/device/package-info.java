// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** What the kernel shows of the file system and the block device of a directory. */
@NullMarked
package io.hycache.hdfs.device;

import org.jspecify.annotations.NullMarked;
