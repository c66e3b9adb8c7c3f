// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Which volume of a type takes the next replica. */
@NullMarked
package io.hycache.hdfs.volume;

import org.jspecify.annotations.NullMarked;
