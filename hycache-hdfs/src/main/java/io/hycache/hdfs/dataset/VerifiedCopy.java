// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.spi.BlockMover;
import io.hycache.hdfs.device.DirectIo;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies a replica's files chunk by chunk and verifies the data against the checksum file on the
 * way. Written data is durable only after {@link FileOperation#sync}. Source files are never
 * changed. Stateless; memory: one buffer, two with direct I/O, and the checksum file, or the part
 * of a long one that the buffer needs.
 */
final class VerifiedCopy {
  static final int BUFFER_BYTES = DirectIo.BUFFER_BYTES;

  private static final @Nullable OpenOption DIRECT = DirectIo.OPTION;

  /** Takes a reference of a source's volume for each read of it. */
  interface Hold {
    Closeable take() throws IOException;
  }

  /** The caller holds a reference, or none is needed. */
  static final Hold NO_HOLD = () -> () -> {};

  private VerifiedCopy() {}

  /**
   * Writes a checksum file.
   *
   * @param target must not exist
   * @param attributes attributes of the new file, as for {@link Files#createFile}
   */
  static void write(Checksums checksums, File target, FileAttribute<?>... attributes)
      throws IOException {
    try (FileChannel out = create(target, attributes)) {
      for (long at = 0; at < checksums.lengthBytes(); at += BUFFER_BYTES) {
        FileOperation.WRITE.before(target);
        writeAll(checksums.part(at), out);
      }
    }
  }

  /**
   * Verifies the length of a copy.
   *
   * @throws IOException if the length differs
   */
  static void verifyLength(File file, long wanted) throws IOException {
    if (file.length() != wanted) {
      throw new IOException(
          "copy has the wrong length: file="
              + file
              + " lengthBytes="
              + file.length()
              + " expectedBytes="
              + wanted);
    }
  }

  /**
   * Copies data and verifies every chunk. No reference is held while the target is written to: its
   * device may hang.
   *
   * @param hold references the source's volume for each read, or {@link #NO_HOLD}
   * @param target must not exist; may be incomplete if this throws
   * @param attributes attributes of the new file, as for {@link Files#createFile}
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums do not match
   * @throws EOFException if the source is shorter than {@code dataBytes}
   */
  static void copyData(
      Hold hold,
      File source,
      File target,
      long dataBytes,
      Checksums checksums,
      BlockMover.Throttle throttle,
      FileAttribute<?>... attributes)
      throws IOException, InterruptedException {
    try (FileChannel out = create(target, attributes)) {
      read(
          hold,
          source,
          dataBytes,
          checksums,
          throttle,
          chunks -> {
            FileOperation.WRITE.before(target);
            writeAll(chunks, out);
          });
    }
  }

  private static FileChannel create(File file, FileAttribute<?>... attributes) throws IOException {
    FileOperation.CREATE.before(file);
    return FileChannel.open(
        file.toPath(), Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), attributes);
  }

  private static void writeAll(ByteBuffer bytes, FileChannel out) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /**
   * Copies data as {@link #copyData}, but writes with direct I/O where the file system supports it,
   * so that a throttled copy reaches the device at the throttle's pace. The kernel writes back the
   * page cache in bursts that delay the disk's users.
   */
  static void copyDataDirect(
      File source, File target, long dataBytes, Checksums checksums, BlockMover.Throttle throttle)
      throws IOException, InterruptedException {
    int unit = DirectIo.unitBytes(target.getParentFile());
    FileChannel direct = unit == 0 ? null : createDirect(target);
    if (direct == null) {
      copyData(NO_HOLD, source, target, dataBytes, checksums, throttle);
      return;
    }
    try (FileChannel out = direct) {
      ByteBuffer whole = ByteBuffer.allocateDirect(BUFFER_BYTES + unit).alignedSlice(unit);
      whole.limit(BUFFER_BYTES);
      read(
          NO_HOLD,
          source,
          dataBytes,
          checksums,
          throttle,
          chunks -> {
            FileOperation.WRITE.before(target);
            while (chunks.hasRemaining()) {
              int length = Math.min(chunks.remaining(), whole.remaining());
              whole.put(chunks.array(), chunks.arrayOffset() + chunks.position(), length);
              chunks.position(chunks.position() + length);
              if (!whole.hasRemaining()) {
                writeUnits(whole, unit, out);
              }
            }
            if (whole.position() % unit == 0 && whole.position() > 0) {
              writeUnits(whole, unit, out);
            }
          });
      writeUnits(whole, unit, out);
      out.truncate(dataBytes);
    }
  }

  /**
   * Creates a file for direct writes; returns null and leaves no file if the file system or the JVM
   * does not support them.
   */
  private static @Nullable FileChannel createDirect(File file) throws IOException {
    if (DIRECT == null) {
      return null;
    }
    create(file).close();
    try {
      return FileChannel.open(file.toPath(), StandardOpenOption.WRITE, DIRECT);
    } catch (UnsupportedOperationException | IOException e) {
      Files.delete(file.toPath());
      return null;
    }
  }

  /** Writes the buffer's contents, padded to a whole unit. */
  private static void writeUnits(ByteBuffer buffer, int unit, FileChannel out) throws IOException {
    int length = (buffer.position() + unit - 1) / unit * unit;
    buffer.flip();
    buffer.limit(length);
    writeAll(buffer, out);
    buffer.clear();
    buffer.limit(BUFFER_BYTES);
  }

  /**
   * Reads data and verifies every chunk.
   *
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums do not match
   * @throws EOFException if the file is shorter than {@code dataBytes}
   */
  static void verifyData(File file, long dataBytes, Checksums checksums)
      throws IOException, InterruptedException {
    read(NO_HOLD, file, dataBytes, checksums, bytes -> {}, chunks -> {});
  }

  /**
   * Reads a range of the data and verifies the chunks that overlap it.
   *
   * @param fromBytes &gt;= 0
   * @param toBytes &gt;= fromBytes; at most the length that the checksums cover
   * @param pastThePageCache true reads with direct I/O where the file system supports it: from the
   *     device, without displacing pages; false reads through the page cache as a reader does
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums do not match
   * @throws EOFException if the file is shorter
   */
  static void verifyRange(
      File file,
      long fromBytes,
      long toBytes,
      Checksums checksums,
      BlockMover.Throttle throttle,
      boolean pastThePageCache)
      throws IOException, InterruptedException {
    FileOperation.READ.before(file);
    int perChunk = checksums.bytesPerChunk();
    int unit = pastThePageCache && DIRECT != null ? DirectIo.unitBytes(file.getParentFile()) : 0;
    boolean direct = unit > 0 && unit % perChunk == 0;
    int align = direct ? unit : perChunk;
    ByteBuffer chunks = ByteBuffer.allocate(Math.max(1, BUFFER_BYTES / align) * align);
    ByteBuffer whole =
        direct ? ByteBuffer.allocateDirect(chunks.capacity() + unit).alignedSlice(unit) : chunks;
    try (FileChannel in = openToVerify(file, direct)) {
      for (long at = fromBytes / align * align; at < toBytes; at += chunks.limit()) {
        int wanted = (int) Math.min(chunks.capacity(), roundUp(toBytes, perChunk) - at);
        int length = (int) Math.min(wanted, Math.max(0, in.size() - at));
        if (length < Math.min(wanted, toBytes - at)) {
          throw new EOFException(
              "file is truncated: file=" + file + " lengthBytes=" + in.size() + " atBytes=" + at);
        }
        whole.clear().limit(direct ? (int) roundUp(length, unit) : length);
        while (whole.position() < length) {
          if (in.read(whole, at + whole.position()) < 0) {
            throw new EOFException("file is truncated: file=" + file + " atBytes=" + at);
          }
        }
        whole.flip().limit(length);
        if (direct) {
          chunks.clear();
          chunks.put(whole).flip();
        }
        throttle.take(length);
        checksums.verify(chunks, file, at);
      }
    }
  }

  private static long roundUp(long bytes, int unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  private static FileChannel openToVerify(File file, boolean direct) throws IOException {
    if (direct && DIRECT != null) {
      try {
        return FileChannel.open(file.toPath(), StandardOpenOption.READ, DIRECT);
      } catch (UnsupportedOperationException | FileSystemException e) {
        // No direct I/O here: read through the page cache.
      }
    }
    return FileChannel.open(file.toPath(), StandardOpenOption.READ);
  }

  /** Receives verified chunks. */
  private interface Sink {
    void take(ByteBuffer chunks) throws IOException;
  }

  private static void read(
      Hold hold,
      File source,
      long dataBytes,
      Checksums checksums,
      BlockMover.Throttle throttle,
      Sink sink)
      throws IOException, InterruptedException {
    int perChunk = checksums.bytesPerChunk();
    int bufferBytes = Math.max(1, BUFFER_BYTES / perChunk) * perChunk;
    // On the heap, like the sums: Hadoop verifies arrays with the JDK's CRC intrinsics.
    ByteBuffer buffer = ByteBuffer.allocate(bufferBytes);
    try (FileChannel in = FileChannel.open(source.toPath(), StandardOpenOption.READ)) {
      long position = 0;
      while (position < dataBytes) {
        buffer.clear();
        int chunk = Math.max(1, throttle.chunkBytes(bufferBytes) / perChunk) * perChunk;
        buffer.limit((int) Math.min(Math.min(chunk, bufferBytes), dataBytes - position));
        try (Closeable held = hold.take()) {
          FileOperation.READ.before(source);
          while (buffer.hasRemaining()) {
            if (in.read(buffer) < 0) {
              throw new EOFException(
                  "replica is shorter than the DataNode believes: file="
                      + source
                      + " atBytes="
                      + (position + buffer.position())
                      + " expectedBytes="
                      + dataBytes);
            }
          }
        }
        buffer.flip();
        int length = buffer.remaining();
        throttle.take(length);
        checksums.verify(buffer, source, position);
        position += length;
        sink.take(buffer);
      }
    }
  }
}
