package io.hycache.hdfs.dataset;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A block's stream that counts the bytes really taken and tells a recorder when it is closed.
 *
 * <p>It is a {@link FileInputStream} over the same descriptor, because HDFS casts: {@code sendfile}
 * needs {@link #getChannel}, short-circuit reads take the descriptor. A descriptor that is handed
 * out without any read or channel is a short-circuit open; its reads happen in the client, so it
 * counts as one read of the whole block.
 *
 * <p>Used by one thread at a time, like any block stream.
 */
final class ObservedFileInputStream extends FileInputStream {
  private final FileInputStream inner;
  private final long lengthBytes;
  private final ReadRecorder recorder;
  private @Nullable ObservedFileChannel channel;
  private long bytes;
  private boolean used;
  private boolean closed;

  /**
   * @param inner open stream; owned from now on
   * @param lengthBytes length of the block
   */
  ObservedFileInputStream(FileInputStream inner, long lengthBytes, ReadRecorder recorder)
      throws IOException {
    super(inner.getFD());
    this.inner = inner;
    this.lengthBytes = lengthBytes;
    this.recorder = recorder;
  }

  private int took(int n) {
    used = true;
    if (n > 0) {
      bytes += n;
    }
    return n;
  }

  @Override
  public int read() throws IOException {
    int b = inner.read();
    took(b < 0 ? 0 : 1);
    return b;
  }

  @Override
  public int read(byte[] buffer) throws IOException {
    return took(inner.read(buffer));
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return took(inner.read(buffer, offset, length));
  }

  @Override
  public long skip(long n) throws IOException {
    return inner.skip(n);
  }

  @Override
  public int available() throws IOException {
    return inner.available();
  }

  @Override
  public FileChannel getChannel() {
    used = true;
    ObservedFileChannel c = channel;
    if (c == null) {
      c = new ObservedFileChannel(inner.getChannel());
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
      inner.close();
    } finally {
      ObservedFileChannel c = channel;
      long taken = bytes + (c == null ? 0 : c.bytes());
      recorder.onClosed(used ? taken : lengthBytes);
    }
  }
}
