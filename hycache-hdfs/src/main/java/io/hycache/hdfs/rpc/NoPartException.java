// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;

/**
 * A DataNode has no part in the directory, and will have none before its next start: it is off, or
 * could not be started. Callers treat the DataNode like one without the plugin.
 */
public final class NoPartException extends IOException {
  private static final long serialVersionUID = 1L;

  public NoPartException() {
    super(
        "this node has no part in the directory: hycache.directory is off, or its start failed (see"
            + " the DataNode's log)");
  }
}
