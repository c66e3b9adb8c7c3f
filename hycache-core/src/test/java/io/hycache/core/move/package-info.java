// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of queue and throttle. */
@NullMarked
package io.hycache.core.move;

import org.jspecify.annotations.NullMarked;
