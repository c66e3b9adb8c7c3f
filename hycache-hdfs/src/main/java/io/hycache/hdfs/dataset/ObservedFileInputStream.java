// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A block stream that counts the bytes read and notifies a recorder when it is closed.
 *
 * <p>It is a {@link FileInputStream} over the file's descriptor, because HDFS casts block streams:
 * {@code sendfile} needs {@link #getChannel}, and short-circuit reads take the descriptor. A
 * descriptor that is handed out without any read or channel is a short-circuit open; its reads
 * happen in the client, so it counts as one read of the whole block.
 *
 * <p>Bytes read after a failover count as if they were read from the first file. A file that may be
 * replaced by a mirror has a descriptor of its own for HDFS, see {@link StreamMove}.
 *
 * <p>Not thread-safe, like any block stream.
 */
final class ObservedFileInputStream extends FileInputStream {
  private final FailoverFile file;
  private final long lengthBytes;
  private final ReadRecorder recorder;
  private @Nullable ObservedFileChannel channel;
  private long bytes;
  private boolean used;
  private boolean closed;

  /**
   * @param file closed by this stream
   * @param lengthBytes length of the block
   */
  ObservedFileInputStream(FailoverFile file, long lengthBytes, ReadRecorder recorder)
      throws IOException {
    super(file.descriptor());
    this.file = file;
    this.lengthBytes = lengthBytes;
    this.recorder = recorder;
  }

  private int took(int n) {
    used = true;
    if (n > 0) {
      bytes += n;
      recorder.onRead();
    }
    return n;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer) throws IOException {
    return read(buffer, 0, buffer.length);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return took(file.read(buffer, offset, length));
  }

  @Override
  public long skip(long n) throws IOException {
    return file.now().skip(n);
  }

  @Override
  public int available() throws IOException {
    return file.now().available();
  }

  @Override
  public FileChannel getChannel() {
    used = true;
    ObservedFileChannel c = channel;
    if (c == null) {
      c = new ObservedFileChannel(file, recorder);
      channel = c;
    }
    return c;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      file.close();
    } finally {
      ObservedFileChannel c = channel;
      long taken = bytes + (c == null ? 0 : c.bytes());
      if (!used) {
        recorder.onHandedOut();
      }
      recorder.onClosed(used ? taken : lengthBytes);
    }
  }
}
