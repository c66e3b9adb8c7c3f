// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.io.IOException;

/** A path, or the default file system, is none of HDFS. */
final class NotHdfsException extends IOException {
  private static final long serialVersionUID = 1L;

  NotHdfsException(String message) {
    super(message);
  }
}
