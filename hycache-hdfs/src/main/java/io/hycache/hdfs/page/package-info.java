// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The pages of HyCache on the web server of a DataNode. */
@NullMarked
package io.hycache.hdfs.page;

import org.jspecify.annotations.NullMarked;
