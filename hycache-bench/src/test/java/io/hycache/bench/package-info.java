// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

@NullMarked
package io.hycache.bench;

import org.jspecify.annotations.NullMarked;
