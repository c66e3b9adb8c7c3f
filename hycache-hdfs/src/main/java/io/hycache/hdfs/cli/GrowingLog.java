// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.common.annotations.VisibleForTesting;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a log as they are appended, also after the log was rotated: the rest of the
 * old file first, then the new one. A line without its end waits for it. Not thread-safe.
 */
class GrowingLog implements Closeable {
  /** Longer lines are left out. */
  static final int MAX_LINE_BYTES = 1 << 20;

  private final Path path;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private @Nullable FileChannel file;
  private @Nullable Object key;

  GrowingLog(Path path) {
    this.path = path;
  }

  /**
   * Passes on all whole lines that are there and were not passed on before.
   *
   * @throws NoSuchFileException if there has been no file so far; its name is in the message
   */
  void read(Consumer<String> lines) throws IOException {
    if (file == null) {
      if (Files.notExists(path)) {
        throw new NoSuchFileException(
            path.toString(), null, "expected a file, found none. Fix: correct the path");
      }
      open();
    }
    readFile(lines);
    if (isRotated()) {
      readFile(lines); // what was written to it after it was read, and before it was renamed
      line.reset();
      close();
      open();
      readFile(lines);
    }
  }

  private void open() throws IOException {
    file = FileChannel.open(path);
    key = key();
  }

  private @Nullable Object key() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** Also true if the file was emptied. */
  @VisibleForTesting
  boolean isRotated() throws IOException {
    FileChannel open = file;
    try {
      return open != null && (!Objects.equals(key, key()) || Files.size(path) < open.position());
    } catch (NoSuchFileException e) {
      return false; // between its two halves
    }
  }

  private void readFile(Consumer<String> lines) throws IOException {
    FileChannel open = file;
    while (open != null && open.read(buffer.clear()) > 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte b = buffer.get();
        if (b != '\n') {
          if (line.size() <= MAX_LINE_BYTES) {
            line.write(b);
          }
          continue;
        }
        if (line.size() <= MAX_LINE_BYTES) {
          lines.accept(line.toString(StandardCharsets.UTF_8));
        }
        line.reset();
      }
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
