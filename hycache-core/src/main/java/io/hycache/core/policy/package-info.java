// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Pure decisions about what to keep on the fast tier. No file, thread or clock. */
@NullMarked
package io.hycache.core.policy;

import org.jspecify.annotations.NullMarked;
