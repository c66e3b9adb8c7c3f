// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

/** Receives the progress of a long submission. Called from several threads. */
@FunctionalInterface
public interface Progress {

  /**
   * Some more is done.
   *
   * @param what for people, for example {@code files located}
   * @param total -1 if not known
   */
  void at(String what, long done, long total);
}
