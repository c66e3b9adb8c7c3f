// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log or record, each of a limited length. A file that cannot be read to its end,
 * because it is packed and still written or was cut, ends behind its last whole line, see {@link
 * #failure}. Not thread-safe; memory for one line.
 */
public final class LogLines implements Closeable {
  private static final int BUFFER_CHARS = 1 << 16;

  /** Ends where the stream fails, so that all that came before the failure is decoded. */
  private final class ReadablePart extends FilterInputStream {
    ReadablePart(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      try {
        return failure == null ? super.read(bytes, from, length) : -1;
      } catch (IOException e) {
        failure = e;
        return -1;
      }
    }
  }

  private final Reader in;
  private final int maxChars;
  private final char[] buffer = new char[BUFFER_CHARS];

  /** What is left of the buffer. */
  private int at;

  private int end;

  private final StringBuilder line = new StringBuilder();
  private boolean cut;
  private long number;
  private @Nullable IOException failure;

  /**
   * @param in text in UTF-8
   * @param maxChars what is behind it in a line is left out, &gt; 0
   */
  public LogLines(InputStream in, int maxChars) {
    this.in = new InputStreamReader(new ReadablePart(in), StandardCharsets.UTF_8);
    this.maxChars = maxChars;
  }

  /**
   * Opens a file, plain or packed, see {@link LogText}.
   *
   * @param maxChars as for the constructor
   * @throws IOException if it cannot be opened; its name is in the message
   */
  public static LogLines open(Path file, int maxChars) throws IOException {
    try {
      return new LogLines(LogText.unpacked(Files.newInputStream(file)), maxChars);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": expected a file, found none. Fix: correct the path", e);
    } catch (EOFException e) {
      // It was cut within the header of what packed it.
      LogLines none = new LogLines(InputStream.nullInputStream(), maxChars);
      none.failure = e;
      return none;
    } catch (IOException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the next line, without its end; null behind the last one.
   *
   * @throws IOException if it is closed
   */
  public @Nullable String next() throws IOException {
    line.setLength(0);
    cut = false;
    boolean found = false;
    while (at < end || fill()) {
      found = true;
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      int taken = Math.min(at - from, maxChars - line.length());
      line.append(buffer, from, taken);
      cut |= taken < at - from;
      if (at < end) {
        at++;
        return text();
      }
    }
    return found && failure == null ? text() : null;
  }

  /** Reads more; false at the end. */
  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  private String text() {
    number++;
    int length = line.length();
    if (length > 0 && line.charAt(length - 1) == '\r') {
      line.setLength(length - 1);
    }
    return line.toString();
  }

  /** Returns true if the last line was longer than the limit; its beginning was returned. */
  public boolean isCut() {
    return cut;
  }

  /** Returns the number of the last line, from 1; 0 before the first one. */
  public long number() {
    return number;
  }

  /** Returns why the lines ended before the file; null if they did not. */
  public @Nullable IOException failure() {
    return failure;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
