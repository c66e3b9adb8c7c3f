// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Carries out decisions: queue, throttles, supervision. */
@NullMarked
package io.hycache.core.move;

import org.jspecify.annotations.NullMarked;
