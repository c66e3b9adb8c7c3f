// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Holds one file operation of a DataNode, by thread, storage type and kind, until it is opened. */
final class FileGate extends FaultInjectorFileIoEvents implements AutoCloseable {
  private static final int WAIT_SECONDS = 30;

  private final String thread;
  private final StorageType type;
  private final OPERATION operation;
  private final AtomicInteger left;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /**
   * @param thread what the name of the thread begins with
   * @param number the how-manieth such operation is held, from 1
   */
  FileGate(DataNode dataNode, String thread, StorageType type, OPERATION operation, int number)
      throws ReflectiveOperationException {
    super(null);
    this.thread = thread;
    this.type = type;
    this.operation = operation;
    this.left = new AtomicInteger(number);
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    hook.set(dataNode.getFileIoProvider(), this);
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    if (op == operation
        && volume != null
        && volume.getStorageType() == type
        && Thread.currentThread().getName().startsWith(thread)
        && left.decrementAndGet() == 0) {
      hold();
    }
  }

  private void hold() {
    reached.countDown();
    try {
      if (!opened.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody opened the gate: operation=" + operation);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the operation is held. */
  void awaitReached() throws InterruptedException {
    if (!reached.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("never reached: " + operation + " on " + type + " by " + thread);
    }
  }

  void open() {
    opened.countDown();
  }

  @Override
  public void close() {
    open();
  }
}
