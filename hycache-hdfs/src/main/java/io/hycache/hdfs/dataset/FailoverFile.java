// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;

/**
 * An open file and a second file with the same bytes that replaces it when a read of the first
 * fails, or when the second is read sooner.
 *
 * <p>Idea: a read that throws has moved neither bytes nor the file's position, so it is repeated on
 * the second file at the same position, unnoticed by the reader. An exception of {@code transferTo}
 * may come from the socket; it is attributed to the file only if a read of the file fails, too. The
 * first file stays open until the end, because its descriptor may have been handed out. There is
 * one failover: after it a failure of the second file is an ordinary read error. If the second file
 * was chosen by a {@link Mirror} and fails, or no longer has the same bytes, or is no longer the
 * sooner one, the first is read again.
 *
 * <p>Not thread-safe. A successful read has no overhead, but for what a mirror does.
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

  /**
   * Decides, as the reads go on, whether the second file is read in place of the first. Must
   * neither throw nor wait, but where it says so: it is called before each {@link Read}.
   */
  interface Mirror extends Closeable {
    /**
     * Returns the second file, opened, if the rest is read sooner from it; null otherwise.
     *
     * @param position of the next read
     */
    @Nullable FileInputStream sooner(long position);

    /** Returns whether the second file, which was returned before, still has the same bytes. */
    boolean isSame();

    /**
     * Returns whether the first file is about to be read again in place of the second, which was
     * returned before, because the rest is read sooner from it.
     *
     * @param position of the next read
     */
    boolean returns(long position);

    /**
     * Called when the first file is about to be read again, until the end, as the second must not
     * be read.
     *
     * @param position of the next read
     * @param why the second file can't be read; null if it no longer has the same bytes
     * @throws IOException if the first must not be read either, as it may hang; the read fails
     */
    void back(long position, @Nullable IOException why) throws IOException;

    /** Called before the read of a file, after all decisions. */
    void beforeRead(FileInputStream file, long position);

    /** Returns the descriptor that HDFS may have for this file, see {@link StreamMove}. */
    FileDescriptor descriptor() throws IOException;
  }

  /** Has the second file read once the first may hang, before a read does. */
  interface Leaving {
    /** Returns whether the first may hang. Called before each read of it: must not wait. */
    boolean isDue();

    /**
     * Opens the second file; null if there is none and the first will not hang.
     *
     * @throws IOException if there is none; the read fails
     */
    @Nullable FileInputStream open() throws IOException;
  }

  /** Opens the second file, whoever decides on it. */
  private interface Opening {
    @Nullable FileInputStream open() throws IOException;
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
  private @Nullable Mirror mirror;
  private boolean chooses;

  /** Whether the file that is read was chosen by the mirror. */
  private boolean isMirror;

  private @Nullable StartCheck check;
  private @Nullable Leaving leaving;

  /**
   * @param first the first file; closed by this object
   * @param lengthBytes expected length; an end of file before it is a failure
   * @param takeover opens the second file; null disables the failover of the first
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

  /**
   * Has the second file replace the first once that may hang; for a checksum file with a takeover.
   * If there is no second file, reads of all but the header throw {@link UncheckedIOException},
   * which ends the connection: after an IOException HDFS would send zeros in place of the
   * checksums, and the client would report the replica as corrupt.
   */
  void leave(Leaving when) {
    leaving = when;
  }

  /** Has a mirror, which is closed with this object, decide from now on which file is read. */
  void choose(Mirror by) {
    mirror = by;
    chooses = true;
  }

  /** Returns the descriptor for HDFS. */
  FileDescriptor descriptor() throws IOException {
    return mirror == null ? first.getFD() : mirror.descriptor();
  }

  FileInputStream now() {
    return now;
  }

  FileChannel channel() {
    return now.getChannel();
  }

  /** Reads at the file's position. */
  long read(Read read) throws IOException {
    return takeover == null && mirror == null ? read.from(now) : read(CURRENT, read);
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
    Mirror choosing = mirror;
    if (choosing != null) {
      long at = at(position);
      if (chooses) {
        choose(choosing, at);
      }
      choosing.beforeRead(now, at);
    }
    Leaving leave = leaving;
    if (leave != null && now == first && leave.isDue()) {
      readSecond(leave::open, at(position));
    }
    while (isReplaceable()) {
      IOException why;
      try {
        long n = read.from(now);
        if (n > 0 || channel().size() >= lengthBytes) {
          return n;
        }
        why = new EOFException("file is truncated: lengthBytes=" + channel().size());
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        if (!isOfTheFile(e, at(position))) {
          throw e;
        }
        why = e;
      }
      if (now == first) {
        failOver(why, at(position));
      } else {
        goBack(at(position), why);
      }
    }
    return read.from(now);
  }

  private boolean isReplaceable() {
    return now == first ? takeover != null : isMirror;
  }

  private long at(long position) throws IOException {
    return position == CURRENT ? channel().position() : position;
  }

  private void choose(Mirror choosing, long position) throws IOException {
    if (now == first) {
      FileInputStream second = choosing.sooner(position);
      if (second == null) {
        return;
      }
      replaceBy(second);
      isMirror = true;
    }
    // Asked after the second file was opened, too, which may take long.
    if (!choosing.isSame()) {
      goBack(position, null);
    } else if (choosing.returns(position)) {
      readFirst();
    }
  }

  private void failOver(IOException why, long position) throws IOException {
    Takeover next = takeover;
    takeover = null;
    chooses = false;
    if (next != null) {
      readSecond(() -> next.open(why), position);
    }
  }

  /** Reads the second file from now on, if there is one; for failures see {@link #leave}. */
  private void readSecond(Opening opening, long position) throws IOException {
    FileInputStream second;
    try {
      second = opening.open();
    } catch (IOException e) {
      if (leaving != null && position > 0) {
        throw new UncheckedIOException(e);
      }
      throw e;
    }
    if (second != null) {
      replaceBy(second);
    }
  }

  private void goBack(long position, @Nullable IOException why) throws IOException {
    if (mirror != null) {
      mirror.back(position, why);
    }
    chooses = false;
    readFirst();
  }

  private void readFirst() throws IOException {
    FileInputStream second = now;
    replaceBy(first);
    isMirror = false;
    second.close();
  }

  private void replaceBy(FileInputStream other) throws IOException {
    try {
      other.getChannel().position(channel().position());
    } catch (IOException e) {
      if (other != first) {
        other.close();
      }
      throw e;
    }
    now = other;
  }

  private boolean isOfTheFile(IOException e, long position) {
    String message = e.getMessage();
    if (e instanceof ChecksumException || (message != null && message.startsWith(DEVICE_ERROR))) {
      return true;
    }
    try {
      channel().read(ByteBuffer.allocate(1), position);
      return false;
    } catch (IOException again) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    try (FileInputStream second = now;
        FileInputStream one = first) {
      if (mirror != null) {
        mirror.close();
      }
    }
  }
}
