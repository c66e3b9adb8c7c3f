// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.apache.hadoop.ipc.RemoteException;

/** Errors of clients. */
public final class SampleErrors {
  private SampleErrors() {}

  /** As of a DataNode without the plugin. */
  public static NotActiveException notActive() {
    return new NotActiveException(new RemoteException("Unknown", "unknown protocol"));
  }
}
