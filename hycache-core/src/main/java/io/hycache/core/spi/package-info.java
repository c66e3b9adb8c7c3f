// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** Interfaces that the host implements and that users may implement. */
@NullMarked
package io.hycache.core.spi;

import org.jspecify.annotations.NullMarked;
