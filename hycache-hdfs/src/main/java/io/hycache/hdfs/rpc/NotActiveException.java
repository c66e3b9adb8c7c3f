// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;

/**
 * The DataNode answers but does not run HyCache, or not what was called: it has no part in the
 * directory.
 */
public final class NotActiveException extends IOException {
  private static final long serialVersionUID = 1L;

  NotActiveException(Throwable cause) {
    super(
        "HyCache does not answer on this DataNode: it is not installed there, or"
            + " dfs.datanode.plugins does not name io.hycache.hdfs.dataset.HyCachePlugin, or the"
            + " plugin's start failed (see the DataNode's log)",
        cause);
  }

  NotActiveException(String message, Throwable cause) {
    super(message, cause);
  }
}
