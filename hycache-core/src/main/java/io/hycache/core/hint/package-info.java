// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** File-access manifests, what they are learned from, and reference sequences. */
@NullMarked
package io.hycache.core.hint;

import org.jspecify.annotations.NullMarked;
