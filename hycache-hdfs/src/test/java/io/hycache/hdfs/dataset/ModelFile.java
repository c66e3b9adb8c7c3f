// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a file must contain: the bytes that were acknowledged, and at most those that were ever
 * handed to the client after them. Used by one thread.
 */
final class ModelFile {
  /** All bytes that may be there. */
  private byte[] all;

  /** As many of them must be there. */
  private int sure;

  private @Nullable FSDataOutputStream writer;
  private int openedEpoch;

  ModelFile() {
    this.all = new byte[0];
  }

  private ModelFile(byte[] all) {
    this.all = all;
    this.sure = all.length;
  }

  /** What a snapshot shows of it: as closed as it is. */
  ModelFile copy() {
    return new ModelFile(all);
  }

  @Nullable FSDataOutputStream writer() {
    return writer;
  }

  boolean isOpen() {
    return writer != null;
  }

  /**
   * @param epoch counts the times that DataNodes went away
   */
  void opened(FSDataOutputStream out, int epoch) {
    writer = out;
    openedEpoch = epoch;
  }

  /** DataNodes or volumes went away since the writer began: plain HDFS may fail it. */
  boolean mayFail(int epoch) {
    return openedEpoch != epoch;
  }

  int length() {
    return all.length;
  }

  int sure() {
    return sure;
  }

  /** Bytes are about to be handed to the client. */
  void writing(byte[] more) {
    int before = all.length;
    all = Arrays.copyOf(all, before + more.length);
    System.arraycopy(more, 0, all, before, more.length);
  }

  /** All that was written is acknowledged. */
  void flushed() {
    sure = all.length;
  }

  void closed() {
    flushed();
    writer = null;
  }

  /** The writer is gone and the file closed: it has from now on what it has. */
  void recovered(int length) {
    all = Arrays.copyOf(all, length);
    closed();
  }

  void truncated(int length) {
    recovered(length);
  }

  /** Null if this may be what a reader sees; else what is wrong. */
  @Nullable String wrong(byte[] seen) {
    if (seen.length < sure) {
      return "bytes are missing: lengthBytes=" + seen.length + " expectedBytes=" + sure;
    }
    if (seen.length > all.length) {
      return "bytes too many: lengthBytes=" + seen.length + " expectedBytes=" + all.length;
    }
    int differs = Arrays.mismatch(seen, 0, seen.length, all, 0, seen.length);
    return differs < 0
        ? null
        : "byte " + differs + " of " + seen.length + " differs: sureBytes=" + sure;
  }
}
