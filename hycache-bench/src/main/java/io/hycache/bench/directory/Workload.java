// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.util.List;

/** What one client thread does. Used by one thread at a time. */
interface Workload {
  /** Makes what the steps need. */
  void prepare() throws Exception;

  /**
   * Does one call and waits for its end.
   *
   * @return what went wrong, one text for each operation that did not succeed
   */
  List<String> step() throws Exception;
}
