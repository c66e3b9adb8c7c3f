// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;

/** The operation of HDFS's own dataset that an override replaces: a call of {@code super}. */
interface HyCachePlain<T> {
  T run() throws IOException;

  /** An operation without a result. */
  interface Action {
    void run() throws IOException;
  }
}
