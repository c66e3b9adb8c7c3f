// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

/** A thread that cannot be started, as where the process has as many threads as it may. */
final class NoThread extends Thread {
  @Override
  public synchronized void start() {
    throw new OutOfMemoryError("unable to create native thread");
  }
}
