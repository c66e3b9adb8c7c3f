// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Delegates all operations, and counts the bytes moved by reads and by {@code transferTo}
 * (sendfile).
 */
final class ObservedFileChannel extends FileChannel {
  private final FailoverFile file;
  private final ReadRecorder recorder;
  private long bytes;

  ObservedFileChannel(FailoverFile file, ReadRecorder recorder) {
    this.file = file;
    this.recorder = recorder;
  }

  long bytes() {
    return bytes;
  }

  private long took(long n) {
    if (n > 0) {
      bytes += n;
      recorder.onRead();
    }
    return n;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return (int) took(file.read(in -> in.getChannel().read(target)));
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return took(file.read(in -> in.getChannel().read(targets, offset, length)));
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return (int) took(file.read(position, in -> in.getChannel().read(target, position)));
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return took(file.read(position, in -> in.getChannel().transferTo(position, count, target)));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return file.channel().write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return file.channel().write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return file.channel().write(source, position);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return file.channel().transferFrom(source, position, count);
  }

  @Override
  public long position() throws IOException {
    return file.channel().position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    file.channel().position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.channel().size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    file.channel().truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.channel().force(metaData);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return file.channel().map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.channel().lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.channel().tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
