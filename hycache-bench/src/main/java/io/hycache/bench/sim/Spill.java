// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Memory for columns: on the heap up to a limit, after that in a temporary file that is mapped. The
 * file lies in {@code java.io.tmpdir}, has no name once it is open, and goes with the process. Not
 * thread-safe; the buffers can be read by many threads.
 */
final class Spill {
  /** Share of the largest heap that the columns of one trace may take. */
  private static final int HEAP_SHARE = 8;

  private final long maxHeapBytes;
  private long heapBytes;
  private long fileBytes;
  private @Nullable FileChannel file;

  /** With an eighth of the largest heap. */
  Spill() {
    this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * @param maxHeapBytes of all buffers on the heap, &gt;= 0
   */
  Spill(long maxHeapBytes) {
    this.maxHeapBytes = maxHeapBytes;
  }

  /**
   * Allocates zeroed memory in the machine's byte order.
   *
   * @throws UncheckedIOException if the file can't be written
   */
  ByteBuffer allocate(int bytes) {
    if (heapBytes + bytes <= maxHeapBytes) {
      heapBytes += bytes;
      return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }
    try {
      if (file == null) {
        Path path = Files.createTempFile("hycache-trace-", ".bin");
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, fileBytes, bytes);
      fileBytes += bytes;
      return mapped.order(ByteOrder.nativeOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "can't keep a trace of this size in "
              + System.getProperty("java.io.tmpdir")
              + ": "
              + e.getMessage()
              + ". Fix: name a directory with more space by -Djava.io.tmpdir=DIR, or give more heap"
              + " by -Xmx",
          e);
    }
  }

  /** Bytes in the temporary file; 0 if there is none. */
  long fileBytes() {
    return fileBytes;
  }
}
