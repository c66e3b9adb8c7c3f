// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** What tests need of HDFS's client and test cluster and only their own package may call. */
public final class HdfsInternals {
  private HdfsInternals() {}

  /** From now on the stream reads from this DataNode only when it has tried all others. */
  public static void avoid(FSDataInputStream in, DatanodeInfo dataNode) {
    ((DFSInputStream) in.getWrappedStream()).addToLocalDeadNodes(dataNode);
  }

  /** The settings that a stopped DataNode will be started with. */
  public static Configuration settings(DataNodeProperties stopped) {
    return stopped.conf;
  }

  /** Ends a writer as a client that dies does: nothing more is sent, the file stays open. */
  public static void abort(java.io.OutputStream out) throws IOException {
    ((DFSOutputStream) out).abort();
  }
}
