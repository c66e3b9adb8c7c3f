// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;

/** The DataNode answers but does not run HyCache. */
public final class NotActiveException extends IOException {
  private static final long serialVersionUID = 1L;

  NotActiveException(Throwable cause) {
    super("HyCache is not active on this DataNode", cause);
  }
}
