package io.hycache.hdfs.move;

import io.hycache.core.spi.BlockMover;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.util.DataChecksum;

/**
 * Copies a replica's files chunk by chunk, checking the data against the checksum file on the way.
 * What it wrote is on the device only after {@link #sync}. Source files are never changed.
 * Stateless; memory: one buffer and the checksum file (1/128 of the data).
 */
public final class VerifiedCopy {
  private static final int BUFFER_BYTES = 1 << 20;

  /** So that a disk is not given a whole block at once, in front of its users' reads. */
  private static final long WRITE_OUT_EVERY_BYTES = 8L << 20;

  private VerifiedCopy() {}

  /** The bytes of a checksum file and what they promise. */
  public static final class Checksums {
    private final byte[] file;
    private final DataChecksum checksum;

    private Checksums(byte[] file, DataChecksum checksum) {
      this.file = file;
      this.checksum = checksum;
    }

    /** Length of the file. */
    public long lengthBytes() {
      return file.length;
    }

    private ByteBuffer sums() {
      int header = BlockMetadataHeader.getHeaderSize();
      return ByteBuffer.wrap(file, header, file.length - header).slice();
    }
  }

  /**
   * Reads a checksum file whole.
   *
   * @param dataBytes length of the data that it must cover
   * @throws IOException if it is torn or does not cover the data
   */
  public static Checksums read(File meta, long dataBytes) throws IOException {
    byte[] bytes = Files.readAllBytes(meta.toPath());
    DataChecksum checksum;
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      checksum = BlockMetadataHeader.readDataChecksum(in, meta);
    } catch (IOException e) {
      throw new IOException("checksum file has no whole header: file=" + meta, e);
    }
    int perChunk = checksum.getBytesPerChecksum();
    long chunks = (dataBytes + perChunk - 1) / perChunk;
    long expected = BlockMetadataHeader.getHeaderSize() + chunks * checksum.getChecksumSize();
    if (bytes.length < expected) {
      throw new IOException(
          "checksum file does not cover the replica: file="
              + meta
              + " lengthBytes="
              + bytes.length
              + " expectedBytes="
              + expected);
    }
    return new Checksums(bytes, checksum);
  }

  /**
   * Writes a checksum file that was read before.
   *
   * @param target must not exist
   */
  public static void write(Checksums checksums, File target) throws IOException {
    try (FileChannel out =
        FileChannel.open(
            target.toPath(), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      ByteBuffer buffer = ByteBuffer.wrap(checksums.file);
      while (buffer.hasRemaining()) {
        out.write(buffer);
      }
    }
  }

  /** Brings a file's bytes and length to the device. */
  public static void sync(File file) throws IOException {
    try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Copies data, verifying every chunk.
   *
   * @param target must not exist; may be left half written when this throws
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums disagree
   * @throws EOFException if the source is shorter than {@code dataBytes}
   */
  public static void copyData(
      File source, File target, long dataBytes, Checksums checksums, BlockMover.Throttle throttle)
      throws IOException, InterruptedException {
    if (!target.createNewFile()) {
      throw new FileAlreadyExistsException(target.getPath());
    }
    try (FileOutputStream file = new FileOutputStream(target);
        FileChannel out = file.getChannel()) {
      long[] writtenOut = {0};
      read(
          source,
          dataBytes,
          checksums,
          throttle,
          (chunks, end) -> {
            while (chunks.hasRemaining()) {
              out.write(chunks);
            }
            if (end - writtenOut[0] >= WRITE_OUT_EVERY_BYTES) {
              writeOut(file.getFD(), writtenOut[0], end - writtenOut[0]);
              writtenOut[0] = end;
            }
          });
    }
  }

  /**
   * Reads data and verifies every chunk.
   *
   * @throws org.apache.hadoop.fs.ChecksumException if data and checksums disagree
   * @throws EOFException if the file is shorter than {@code dataBytes}
   */
  public static void verifyData(File file, long dataBytes, Checksums checksums)
      throws IOException, InterruptedException {
    read(file, dataBytes, checksums, bytes -> {}, (chunks, end) -> {});
  }

  /** Takes chunks that were verified; {@code end} is their end in the file. */
  private interface Sink {
    void take(ByteBuffer chunks, long end) throws IOException;
  }

  private static void read(
      File source, long dataBytes, Checksums checksums, BlockMover.Throttle throttle, Sink sink)
      throws IOException, InterruptedException {
    DataChecksum checksum = checksums.checksum;
    int perChunk = checksum.getBytesPerChecksum();
    int bufferBytes = Math.max(1, BUFFER_BYTES / perChunk) * perChunk;
    // On the heap, like the sums: Hadoop verifies arrays with the JDK's CRC instructions.
    ByteBuffer buffer = ByteBuffer.allocate(bufferBytes);
    ByteBuffer sums = checksums.sums();
    try (FileChannel in = FileChannel.open(source.toPath(), StandardOpenOption.READ)) {
      long position = 0;
      while (position < dataBytes) {
        buffer.clear();
        buffer.limit((int) Math.min(bufferBytes, dataBytes - position));
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
        buffer.flip();
        int length = buffer.remaining();
        throttle.take(length);
        verify(checksum, buffer, sums, source, position);
        position += length;
        sink.take(buffer, position);
      }
    }
  }

  /**
   * Lets the kernel begin to write what is in the page cache, where Hadoop's native library is
   * there; waits for nothing. A sync here would commit the file system's journal, and with it wait
   * for what users write.
   */
  private static void writeOut(FileDescriptor file, long fromBytes, long bytes) throws IOException {
    if (NativeIO.isAvailable()) {
      NativeIO.POSIX.syncFileRangeIfPossible(
          file, fromBytes, bytes, NativeIO.POSIX.SYNC_FILE_RANGE_WRITE);
    }
  }

  private static void verify(
      DataChecksum checksum, ByteBuffer data, ByteBuffer sums, File source, long position)
      throws IOException {
    if (checksum.getChecksumSize() == 0) {
      return;
    }
    int perChunk = checksum.getBytesPerChecksum();
    int chunks = (data.remaining() + perChunk - 1) / perChunk;
    ByteBuffer part = sums.duplicate();
    part.position((int) (position / perChunk) * checksum.getChecksumSize());
    part.limit(part.position() + chunks * checksum.getChecksumSize());
    checksum.verifyChunkedSums(data.duplicate(), part.slice(), source.toString(), position);
  }
}
