// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;

/**
 * A DataNode refused a request: the request is malformed or too large, a block token is wrong, or
 * the user lacks the permission. The message says which. A retry of the same request fails, too.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
