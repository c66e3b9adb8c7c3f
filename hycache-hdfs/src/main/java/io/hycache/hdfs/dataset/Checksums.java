// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a checksum file; those of a long one are read from the file in parts. Immutable;
 * memory: the file if it is at most 16 MB long.
 */
final class Checksums {
  /**
   * A checksum header with longer chunks is considered damaged, because a packet of HDFS, which
   * holds whole chunks, is not longer. Hadoop's default is 512.
   */
  private static final int MAX_CHUNK_BYTES = 16 << 20;

  /** A longer checksum file is not held in memory: it is read again in parts. */
  private static final int MAX_HELD_BYTES = 16 << 20;

  /** A checksum file of this length is short enough for a clean copy of any data. */
  private static final long ALWAYS_KEPT_BYTES = 1 << 20;

  /**
   * A checksum file that takes a larger part of its data is too long for a clean copy. Hadoop's
   * default is 1/128; dfs.bytes-per-checksum, which is the writer's choice, can make it four times
   * as long as the data.
   */
  private static final int MIN_DATA_PER_CHECKSUM_BYTE = 16;

  private final File meta;
  private final long lengthBytes;
  private final long dataBytes;
  private final DataChecksum checksum;

  /** Null if the file is read in parts. */
  private final @Nullable ByteBuffer held;

  private Checksums(
      File meta,
      long lengthBytes,
      long dataBytes,
      DataChecksum checksum,
      @Nullable ByteBuffer held) {
    this.meta = meta;
    this.lengthBytes = lengthBytes;
    this.dataBytes = dataBytes;
    this.checksum = checksum;
    this.held = held;
  }

  /** Returns false for replicas that were written without checksums and can't be verified. */
  boolean hasSums() {
    return checksum.getChecksumSize() > 0;
  }

  /** Returns true if the file is so long that a clean copy of it would waste the fast device. */
  boolean isTooLongToKeep() {
    long sums = lengthBytes - BlockMetadataHeader.getHeaderSize();
    return sums > Math.max(ALWAYS_KEPT_BYTES, dataBytes / MIN_DATA_PER_CHECKSUM_BYTE);
  }

  /** Returns true if a file has the same bytes, including the header. */
  boolean isSameAs(File other) throws IOException {
    FileOperation.READ.before(other);
    try (FileChannel in = FileChannel.open(other.toPath(), StandardOpenOption.READ)) {
      if (in.size() != lengthBytes) {
        return false;
      }
      for (long at = 0; at < lengthBytes; at += VerifiedCopy.BUFFER_BYTES) {
        ByteBuffer part = part(at);
        if (!part.equals(readPart(in, at, part.remaining()))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Returns the length of the file. */
  long lengthBytes() {
    return lengthBytes;
  }

  /**
   * Returns the bytes of the file from a position on, at most {@link VerifiedCopy#BUFFER_BYTES} of
   * them.
   */
  ByteBuffer part(long at) throws IOException {
    return part(at, (int) Math.min(VerifiedCopy.BUFFER_BYTES, lengthBytes - at));
  }

  private ByteBuffer part(long at, int length) throws IOException {
    if (held != null) {
      return held.duplicate().position((int) at).limit((int) at + length).slice();
    }
    FileOperation.READ.before(meta);
    try (FileChannel in = FileChannel.open(meta.toPath(), StandardOpenOption.READ)) {
      return readPart(in, at, length);
    }
  }

  /** Returns the sums of some chunks. */
  private ByteBuffer sums(long firstChunk, int chunks) throws IOException {
    int size = checksum.getChecksumSize();
    return part(BlockMetadataHeader.getHeaderSize() + firstChunk * size, chunks * size);
  }

  int bytesPerChunk() {
    return checksum.getBytesPerChecksum();
  }

  /**
   * Verifies data; does nothing if there are no sums.
   *
   * @param source where the data is from, for the message
   * @param position of the data in the replica, at the start of a chunk
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums do not match
   */
  void verify(ByteBuffer data, File source, long position) throws IOException {
    if (!hasSums()) {
      return;
    }
    int perChunk = bytesPerChunk();
    int chunks = (data.remaining() + perChunk - 1) / perChunk;
    ByteBuffer sums = sums(position / perChunk, chunks);
    checksum.verifyChunkedSums(data.duplicate(), sums, source.toString(), position);
  }

  private static ByteBuffer readPart(FileChannel in, long at, int length) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(length);
    fill(part, in, at);
    return part.flip();
  }

  /** Reads from a position; the position of the channel does not change. */
  private static void fill(ByteBuffer part, FileChannel in, long at) throws IOException {
    while (part.hasRemaining()) {
      if (in.read(part, at + part.position()) < 0) {
        throw new EOFException("checksum file is torn: atBytes=" + (at + part.position()));
      }
    }
  }

  /**
   * Reads a checksum file: the whole of it, or the header of a very long one, the rest of which is
   * read when it is needed.
   *
   * @param dataBytes length of the data that it must cover
   * @throws ChecksumException if it is torn or damaged, or does not cover the data
   */
  static Checksums read(File meta, long dataBytes) throws IOException {
    FileOperation.READ.before(meta);
    try (FileChannel in = FileChannel.open(meta.toPath(), StandardOpenOption.READ)) {
      long length = in.size();
      if (length < BlockMetadataHeader.getHeaderSize()) {
        throw new ChecksumException("checksum file has no complete header: file=" + meta, 0);
      }
      DataChecksum checksum = readHeader(in, meta.toString());
      requireCovered(meta.toString(), length, checksum, dataBytes);
      ByteBuffer held = length > MAX_HELD_BYTES ? null : readPart(in, 0, (int) length);
      return new Checksums(meta, length, dataBytes, checksum, held);
    }
  }

  private static DataChecksum readHeader(FileChannel in, String meta) throws IOException {
    byte[] header = new byte[BlockMetadataHeader.getHeaderSize()];
    fill(ByteBuffer.wrap(header), in, 0);
    return parseHeader(header, meta);
  }

  static ChecksumException damaged(String message, IOException cause) {
    ChecksumException out = new ChecksumException(message, 0);
    out.initCause(cause);
    return out;
  }

  private static DataChecksum parseHeader(byte[] header, String meta) throws IOException {
    try (DataInputStream bytes = new DataInputStream(new ByteArrayInputStream(header))) {
      return BlockMetadataHeader.readDataChecksum(bytes, meta);
    } catch (IOException e) {
      throw damaged("checksum file has a damaged header: file=" + meta, e);
    }
  }

  private static void requireCovered(
      String meta, long lengthBytes, DataChecksum checksum, long dataBytes) throws IOException {
    int perChunk = checksum.getBytesPerChecksum();
    if (perChunk > MAX_CHUNK_BYTES) {
      // A flipped bit must not decide the size of a buffer.
      throw new ChecksumException(
          "checksum file is damaged: file=" + meta + " bytesPerChecksum=" + perChunk, 0);
    }
    long chunks = (dataBytes + perChunk - 1) / perChunk;
    long expected = BlockMetadataHeader.getHeaderSize() + chunks * checksum.getChecksumSize();
    if (lengthBytes < expected) {
      throw new ChecksumException(
          "checksum file does not cover the replica: file="
              + meta
              + " lengthBytes="
              + lengthBytes
              + " expectedBytes="
              + expected,
          0);
    }
  }

  /**
   * Checks the header of a checksum file.
   *
   * @param start bytes from the start of the file; if they are too few the header is read, and the
   *     file's position does not change
   * @param lengthBytes length of the file
   * @param dataBytes length of the data that it must cover
   * @throws IOException if it is damaged or does not cover the data
   */
  static void requireHeader(FileChannel meta, ByteBuffer start, long lengthBytes, long dataBytes)
      throws IOException {
    DataChecksum checksum;
    if (start.remaining() < BlockMetadataHeader.getHeaderSize()) {
      checksum = readHeader(meta, "opened");
    } else {
      byte[] header = new byte[BlockMetadataHeader.getHeaderSize()];
      start.duplicate().get(header);
      checksum = parseHeader(header, "opened");
    }
    requireCovered("opened", lengthBytes, checksum, dataBytes);
  }
}
