// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import io.hycache.hdfs.dataset.Stubs;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.util.Daemon;

/**
 * Calls a DataNode's dataset as a thread that serves a client does. Short-circuit reads need native
 * code, which the tests do without.
 */
public final class ServingThread {
  private static final String ADDRESS = "/127.0.0.1:1";

  private ServingThread() {}

  /**
   * Returns what the call returns on a thread of its own; throws what it throws.
   *
   * @param status what HDFS writes into the thread's name
   */
  public static <T> T call(DataNode dataNode, String status, Callable<T> call) throws Exception {
    Peer client =
        Stubs.of(
            Peer.class,
            Map.of(
                "getInputStream", arguments -> InputStream.nullInputStream(),
                "getOutputStream", arguments -> OutputStream.nullOutputStream(),
                "getRemoteAddressString", arguments -> ADDRESS,
                "getLocalAddressString", arguments -> ADDRESS,
                "isClosed", arguments -> false));
    FutureTask<T> task = new FutureTask<>(call);
    Daemon thread =
        new Daemon(DataXceiver.create(client, dataNode, dataNode.getXferServer())) {
          @Override
          public void run() {
            task.run();
          }
        };
    thread.setName("DataXceiver for client DFSClient_1 at " + ADDRESS + " [" + status + "]");
    thread.start();
    try {
      return task.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Exception) {
        throw (Exception) cause;
      }
      throw e;
    }
  }
}
