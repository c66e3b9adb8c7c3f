// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Temporary directories of jobs: one tree on the SSD, whose overflow is on HDDs behind links.
 * Stands beside {@code engine}.
 */
@NullMarked
package io.hycache.core.localdir;

import org.jspecify.annotations.NullMarked;
