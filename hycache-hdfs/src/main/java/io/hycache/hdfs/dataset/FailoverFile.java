// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;

/**
 * An open file and a second file with the same bytes that replaces it when a read of the first
 * fails.
 *
 * <p>Idea: a read that throws has moved neither bytes nor the file's position, so it is repeated on
 * the second file at the same position, unnoticed by the reader. An exception of {@code transferTo}
 * may come from the socket; it is attributed to the file only if a read of the file fails, too. The
 * first file stays open until the end, because its descriptor may have been handed out. There is
 * one failover: a failure of the second file is an ordinary read error.
 *
 * <p>Not thread-safe. A successful read has no overhead.
 */
final class FailoverFile implements Closeable {
  /** Message of EIO in the C locale. */
  private static final String DEVICE_ERROR = "Input/output error";

  /** Opens the second file. */
  interface Takeover {
    /**
     * Opens it.
     *
     * @param why failure of the first file
     * @throws IOException if there is no second file
     */
    FileInputStream open(IOException why) throws IOException;
  }

  /** Checks the start of the first file. */
  interface StartCheck {
    /**
     * Checks it.
     *
     * @param start bytes from the start of the file; empty if another part was read
     * @param file must keep its position
     * @throws ChecksumException if the file is damaged; the second file replaces it
     */
    void check(ByteBuffer start, FileChannel file) throws ChecksumException;
  }

  /** A read of a file. */
  interface Read {
    /** Returns the number of bytes read; -1 or 0 at the end. */
    long from(FileInputStream file) throws IOException;
  }

  private final FileInputStream first;
  private final long lengthBytes;
  private FileInputStream now;
  private @Nullable Takeover takeover;
  private @Nullable StartCheck check;

  /**
   * @param first the first file; closed by this object
   * @param lengthBytes expected length; an end of file before it is a failure
   * @param takeover opens the second file; null disables the failover
   */
  FailoverFile(FileInputStream first, long lengthBytes, @Nullable Takeover takeover) {
    this.first = first;
    this.now = first;
    this.lengthBytes = lengthBytes;
    this.takeover = takeover;
  }

  /** Returns the expected length. */
  long lengthBytes() {
    return lengthBytes;
  }

  /** Has the first file checked when bytes of it are read into an array for the first time. */
  void checkAtFirstRead(StartCheck startCheck) {
    check = startCheck;
  }

  FileInputStream first() {
    return first;
  }

  FileInputStream now() {
    return now;
  }

  FileChannel channel() {
    return now.getChannel();
  }

  /** Reads at the file's position. */
  long read(Read read) throws IOException {
    return takeover == null ? read.from(now) : read(CURRENT, read);
  }

  /** Reads at the file's position into an array. */
  int read(byte[] buffer, int offset, int length) throws IOException {
    StartCheck due = check;
    check = null;
    return (int)
        read(
            in ->
                due == null || in != first
                    ? in.read(buffer, offset, length)
                    : readAndCheck(due, buffer, offset, length));
  }

  private int readAndCheck(StartCheck due, byte[] buffer, int offset, int length)
      throws IOException {
    FileChannel channel = first.getChannel();
    long position = channel.position();
    int n = first.read(buffer, offset, length);
    try {
      due.check(ByteBuffer.wrap(buffer, offset, position == 0 ? Math.max(0, n) : 0), channel);
    } catch (ChecksumException e) {
      channel.position(position);
      throw e;
    }
    return n;
  }

  private static final long CURRENT = -1;

  /** Reads at a given position. */
  long read(long position, Read read) throws IOException {
    Takeover next = takeover;
    if (next == null) {
      return read.from(now);
    }
    IOException why;
    try {
      long n = read.from(now);
      if (n > 0 || now.getChannel().size() >= lengthBytes) {
        return n;
      }
      why = new EOFException("file is truncated: lengthBytes=" + now.getChannel().size());
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (!isOfTheFile(e, position == CURRENT ? now.getChannel().position() : position)) {
        throw e;
      }
      why = e;
    }
    takeover = null;
    FileInputStream second = next.open(why);
    try {
      second.getChannel().position(now.getChannel().position());
    } catch (IOException e) {
      second.close();
      throw e;
    }
    now = second;
    return read.from(second);
  }

  private boolean isOfTheFile(IOException e, long position) {
    String message = e.getMessage();
    if (e instanceof ChecksumException || (message != null && message.startsWith(DEVICE_ERROR))) {
      return true;
    }
    try {
      now.getChannel().read(ByteBuffer.allocate(1), position);
      return false;
    } catch (IOException again) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      first.close();
    } finally {
      now.close();
    }
  }
}
