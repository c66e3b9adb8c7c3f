// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.io.IOException;

/** What a job is to write at a path where files of an earlier run may be. */
public interface JobOutput {
  /**
   * Returns true if a job has written it: the files at the path are others than at first, all are
   * closed, and no directory has a job's uncommitted output.
   */
  boolean isWritten() throws IOException;
}
