package io.hycache.hdfs.dataset;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * An open file, and another one with the same bytes that takes over when reading the first fails.
 *
 * <p>Idea: a read that throws has moved nothing, neither bytes nor the file's position. So it is
 * made again on the second file at the same position, and whoever reads the stream notices nothing.
 * An exception of {@code transferTo} may also be the socket's; only when a look at the file itself
 * fails too was it the file's. The first file stays open until the end, because its descriptor may
 * have been handed out. There is one take-over: if the second file fails as well, that is an
 * ordinary read error.
 *
 * <p>Used by one thread at a time. A good read costs nothing extra.
 */
final class FailoverFile implements Closeable {
  /** What an error of the device says, in the C locale. */
  private static final String DEVICE_ERROR = "Input/output error";

  /** Opens the file that takes over. */
  interface Takeover {
    /**
     * Opens it.
     *
     * @param why what happened to the first file
     * @throws IOException if there is nothing to take over
     */
    FileInputStream open(IOException why) throws IOException;
  }

  /** A read of a file. */
  interface Read {
    /** Returns bytes read; -1 or 0 at the end. */
    long from(FileInputStream file) throws IOException;
  }

  private final FileInputStream first;
  private final long lengthBytes;
  private FileInputStream now;
  private @Nullable Takeover takeover;

  /**
   * @param first owned from now on
   * @param lengthBytes what the file must have; an end before it is a failure
   * @param takeover null: nothing takes over
   */
  FailoverFile(FileInputStream first, long lengthBytes, @Nullable Takeover takeover) {
    this.first = first;
    this.now = first;
    this.lengthBytes = lengthBytes;
    this.takeover = takeover;
  }

  /** What the file must have. */
  long lengthBytes() {
    return lengthBytes;
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

  /** Reads at the file's own position. */
  long read(Read read) throws IOException {
    return takeover == null ? read.from(now) : read(CURRENT, read);
  }

  private static final long CURRENT = -1;

  /** Reads at a position of the caller's. */
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
      why = new EOFException("file is cut off: lengthBytes=" + now.getChannel().size());
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
    if (message != null && message.startsWith(DEVICE_ERROR)) {
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
