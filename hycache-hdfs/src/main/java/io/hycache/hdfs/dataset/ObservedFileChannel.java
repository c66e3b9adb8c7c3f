package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Delegates everything and counts what reads and {@code transferTo} (sendfile) really moved. */
final class ObservedFileChannel extends FileChannel {
  private final FileChannel inner;
  private long bytes;

  ObservedFileChannel(FileChannel inner) {
    this.inner = inner;
  }

  long bytes() {
    return bytes;
  }

  private long took(long n) {
    if (n > 0) {
      bytes += n;
    }
    return n;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return (int) took(inner.read(target));
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return took(inner.read(targets, offset, length));
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return (int) took(inner.read(target, position));
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return took(inner.transferTo(position, count, target));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return inner.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return inner.write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return inner.write(source, position);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return inner.transferFrom(source, position, count);
  }

  @Override
  public long position() throws IOException {
    return inner.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    inner.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return inner.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    inner.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    inner.force(metaData);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return inner.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return inner.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return inner.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    inner.close();
  }
}
