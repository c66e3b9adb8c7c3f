// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/** The vocabulary of all packages: blocks, replicas, decisions. Depends on the JDK only. */
@NullMarked
package io.hycache.core.model;

import org.jspecify.annotations.NullMarked;
