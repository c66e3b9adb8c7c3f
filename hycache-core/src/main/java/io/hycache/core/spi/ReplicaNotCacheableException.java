// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import java.io.IOException;

/**
 * A replica gets no clean copy while it is as it is: its checksum file is too long for its data.
 * Another attempt would end the same way. The replica itself is healthy.
 */
public final class ReplicaNotCacheableException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReplicaNotCacheableException(String message) {
    super(message);
  }
}
