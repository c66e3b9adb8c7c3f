// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import java.io.IOException;

/**
 * A move was abandoned because a writer opened its block, or HDFS moves or scans it. The source is
 * as they left it.
 */
public final class MoveAbandonedException extends IOException {
  private static final long serialVersionUID = 1L;

  public MoveAbandonedException(String message) {
    super(message);
  }

  public MoveAbandonedException(String message, Throwable cause) {
    super(message, cause);
  }
}
