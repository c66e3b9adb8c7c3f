// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.spi.BlockMover.Throttle;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.device.DirectIo;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerifiedCopyTest {
  private static final Throttle NONE = bytes -> {};

  @TempDir Path dir;

  private File data = new File("");
  private File meta = new File("");
  private File target = new File("");
  private byte[] bytes = new byte[0];

  private void replica(int length, DataChecksum.Type type) throws IOException {
    replica(length, type, 512);
  }

  private void replica(int length, DataChecksum.Type type, int perChunk) throws IOException {
    bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    data = dir.resolve("blk_1").toFile();
    meta = dir.resolve("blk_1_1001.meta").toFile();
    target = dir.resolve("copy").toFile();
    ReplicaFiles.write(data, meta, bytes, type, perChunk);
  }

  private void copy(int length) throws IOException, InterruptedException {
    VerifiedCopy.copyData(
        VerifiedCopy.NO_HOLD, data, target, length, Checksums.read(meta, length), NONE);
  }

  private interface Copier {
    void copy(File source, File target, long dataBytes, Checksums sums, Throttle throttle)
        throws IOException, InterruptedException;
  }

  private Checksums copiesIdentically(int length, Copier copier)
      throws IOException, InterruptedException {
    replica(length, DataChecksum.Type.CRC32C);
    AtomicLong taken = new AtomicLong();
    Checksums sums = Checksums.read(meta, length);
    copier.copy(data, target, length, sums, taken::addAndGet);
    assertArrayEquals(bytes, Files.readAllBytes(target.toPath()));
    assertEquals(length, taken.get());
    return sums;
  }

  @Test
  void usableUnit_doesNotDivideTheBuffer_isLeftToThePageCache() {
    assertEquals(4096, DirectIo.usableUnitBytes(0));
    assertEquals(4096, DirectIo.usableUnitBytes(512));
    assertEquals(131_072, DirectIo.usableUnitBytes(131_072));
    assertEquals(1 << 20, DirectIo.usableUnitBytes(1 << 20));
    assertEquals(0, DirectIo.usableUnitBytes(4 << 20));
    assertEquals(0, DirectIo.usableUnitBytes(3 * 4096));
    assertEquals(0, DirectIo.usableUnitBytes(1L << 40));
  }

  /** The length of a chunk is the size of a buffer. */
  @Test
  void read_flippedBitInTheLengthOfAChunk_isRefused() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    byte[] content = Files.readAllBytes(meta.toPath());
    content[3] |= 0x40; // version 2 bytes, type 1, then bytes per checksum
    Files.write(meta.toPath(), content);
    IOException e = assertThrows(IOException.class, () -> Checksums.read(meta, 1000));
    assertTrue(String.valueOf(e.getMessage()).contains("is damaged"), e.toString());
  }

  @Test
  void read_chunksLongerThanAPacket_areRefusedThoughTheBlockIsLonger() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    byte[] content = Files.readAllBytes(meta.toPath());
    content[3] |= 0x02; // 32 MB
    Files.write(meta.toPath(), content);
    IOException e = assertThrows(IOException.class, () -> Checksums.read(meta, 64 << 20));
    assertTrue(String.valueOf(e.getMessage()).contains("is damaged"), e.toString());
  }

  /** A writer may choose a sum of four bytes for each byte. */
  @Test
  void copy_sumsFourTimesAsLongAsTheData_isIdenticalAndReadsThemInParts() throws Exception {
    int length = (5 << 20) + 3;
    replica(length, DataChecksum.Type.CRC32C, 1);
    Checksums sums = Checksums.read(meta, length);
    assertEquals(meta.length(), sums.lengthBytes());
    assertTrue(sums.isTooLongToKeep());
    VerifiedCopy.copyDataDirect(data, target, length, sums, NONE);
    assertArrayEquals(bytes, Files.readAllBytes(target.toPath()));
    VerifiedCopy.verifyRange(target, length / 2, length, sums, NONE, false);
    File copied = dir.resolve("copy.meta").toFile();
    VerifiedCopy.write(sums, copied);
    assertArrayEquals(Files.readAllBytes(meta.toPath()), Files.readAllBytes(copied.toPath()));
    assertTrue(sums.isSameAs(copied));
    ReplicaFiles.flip(copied, copied.length() - 1);
    assertFalse(sums.isSameAs(copied));
    ReplicaFiles.flip(meta, meta.length() - 1);
    assertThrows(ChecksumException.class, () -> VerifiedCopy.verifyData(data, length, sums));
  }

  @ParameterizedTest
  @CsvSource({
    "100000, 1, false",
    "20000000, 64, false",
    "20000000, 63, true",
    "9000000, 512, false"
  })
  void isTooLongToKeep_aMegabyteOrASixteenthOfTheData_isNot(
      int length, int perChunk, boolean tooLong) throws Exception {
    replica(length, DataChecksum.Type.CRC32C, perChunk);
    assertEquals(tooLong, Checksums.read(meta, length).isTooLongToKeep());
  }

  @Test
  void isSameAs_otherLengthOrContents_isFalse() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    Checksums sums = Checksums.read(meta, 1000);
    assertTrue(sums.isSameAs(meta));
    byte[] whole = Files.readAllBytes(meta.toPath());
    Files.write(meta.toPath(), Arrays.copyOf(whole, whole.length + 1));
    assertFalse(sums.isSameAs(meta));
    Files.write(meta.toPath(), whole);
    ReplicaFiles.flip(meta, 8);
    assertFalse(sums.isSameAs(meta));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 1 << 20, (1 << 20) + 1, (3 << 20) + 700})
  void copy_anyLength_isIdentical(int length) throws Exception {
    Checksums sums =
        copiesIdentically(
            length,
            (from, to, bytes, expected, throttle) ->
                VerifiedCopy.copyData(VerifiedCopy.NO_HOLD, from, to, bytes, expected, throttle));
    File copied = dir.resolve("copy.meta").toFile();
    VerifiedCopy.write(sums, copied);
    assertArrayEquals(Files.readAllBytes(meta.toPath()), Files.readAllBytes(copied.toPath()));
    assertEquals(meta.length(), sums.lengthBytes());
  }

  @Test
  void copy_withAMode_theTargetsHaveIt() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    Checksums sums = Checksums.read(meta, 1000);
    File copied = dir.resolve("copy.meta").toFile();
    FileAttribute<?>[] mode = DataDirMode.OWNER_ONLY.fileAttributes();
    VerifiedCopy.copyData(VerifiedCopy.NO_HOLD, data, target, 1000, sums, NONE, mode);
    VerifiedCopy.write(sums, copied, mode);
    for (File made : List.of(target, copied)) {
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(made.toPath())),
          made.getName());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 512, 4095, 4096, 4097, 1 << 20, (1 << 20) + 1, (3 << 20) + 700})
  void copyDirect_anyLength_isIdentical(int length) throws Exception {
    copiesIdentically(length, VerifiedCopy::copyDataDirect);
  }

  @Test
  void copyDirect_chunksThatFillNoUnit_isIdentical() throws Exception {
    replica((1 << 20) + 5000, DataChecksum.Type.CRC32C, 1000);
    Checksums sums = Checksums.read(meta, bytes.length);
    VerifiedCopy.copyDataDirect(data, target, bytes.length, sums, NONE);
    assertArrayEquals(bytes, Files.readAllBytes(target.toPath()));
  }

  @Test
  void copyDirect_targetExists_leavesItAlone() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    Files.write(target.toPath(), new byte[] {7});
    Checksums sums = Checksums.read(meta, 1000);
    assertThrows(
        FileAlreadyExistsException.class,
        () -> VerifiedCopy.copyDataDirect(data, target, 1000, sums, NONE));
    assertArrayEquals(new byte[] {7}, Files.readAllBytes(target.toPath()));
  }

  @Test
  void copy_replicaShorterThanItsFiles_copiesItsLengthOnly() throws Exception {
    replica(2048, DataChecksum.Type.CRC32);
    copy(1024);
    assertEquals(1024, target.length());
    Files.delete(target.toPath());
    VerifiedCopy.copyDataDirect(data, target, 1024, Checksums.read(meta, 1024), NONE);
    assertArrayEquals(Arrays.copyOf(bytes, 1024), Files.readAllBytes(target.toPath()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 700, (1 << 20) + 3, (1 << 20) + 999})
  void copy_corruptData_namesFileAndPosition(int at) throws Exception {
    int length = (1 << 20) + 1000;
    replica(length, DataChecksum.Type.CRC32C);
    ReplicaFiles.flip(data, at);
    ChecksumException e = assertThrows(ChecksumException.class, () -> copy(length));
    assertTrue(String.valueOf(e.getMessage()).contains(data.getPath()), e.getMessage());
    assertEquals(at / 512 * 512L, e.getPos());
  }

  @Test
  void copy_corruptSum_isFound() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    ReplicaFiles.flip(meta, meta.length() - 1);
    assertThrows(ChecksumException.class, () -> copy(1000));
  }

  @Test
  void copy_nullChecksums_copiesUnchecked() throws Exception {
    replica(1000, DataChecksum.Type.NULL);
    ReplicaFiles.flip(data, 3);
    copy(1000);
    assertArrayEquals(Files.readAllBytes(data.toPath()), Files.readAllBytes(target.toPath()));
  }

  @Test
  void copy_dataTooShort_saysWhereItEnds() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    Checksums sums = Checksums.read(meta, 1000);
    Files.write(data.toPath(), new byte[600]);
    EOFException e =
        assertThrows(
            EOFException.class,
            () -> VerifiedCopy.copyData(VerifiedCopy.NO_HOLD, data, target, 1000, sums, NONE));
    assertEquals(
        "replica is shorter than the DataNode believes: file="
            + data
            + " atBytes=600 expectedBytes=1000",
        e.getMessage());
  }

  @Test
  void read_tornSums_saysWhatIsMissing() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    byte[] whole = Files.readAllBytes(meta.toPath());
    Files.write(meta.toPath(), Arrays.copyOf(whole, whole.length - 1));
    IOException e = assertThrows(IOException.class, () -> Checksums.read(meta, 1000));
    assertEquals(
        "checksum file does not cover the replica: file="
            + meta
            + " lengthBytes=14 expectedBytes=15",
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6})
  void read_tornHeader_namesTheFile(int length) throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    byte[] whole = Files.readAllBytes(meta.toPath());
    Files.write(meta.toPath(), Arrays.copyOf(whole, length));
    IOException e = assertThrows(IOException.class, () -> Checksums.read(meta, 1000));
    assertTrue(String.valueOf(e.getMessage()).contains(meta.getPath()), "message=" + e);
  }

  @Test
  void copy_targetExists_isRefused() throws Exception {
    replica(10, DataChecksum.Type.CRC32C);
    Files.write(target.toPath(), new byte[1]);
    assertThrows(FileAlreadyExistsException.class, () -> copy(10));
  }

  /** Checks the header in the first bytes of the file, which may be too few. */
  private void requireHeader(int firstBytes, long dataBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(meta.toPath())) {
      ByteBuffer start = ByteBuffer.wrap(Files.readAllBytes(meta.toPath()));
      start.limit(Math.min(start.limit(), firstBytes));
      channel.position(3);
      Checksums.requireHeader(channel, start, meta.length(), dataBytes);
      assertEquals(3, channel.position(), "readers go on where they were");
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, CRC32C, 512", "1000, CRC32, 100", "0, CRC32C, 512", "70000, NULL, 512"})
  void requireHeader_anyKindOfChecksums_isAccepted(int length, DataChecksum.Type type, int perChunk)
      throws Exception {
    replica(length, type, perChunk);
    for (int firstBytes : new int[] {0, 6, 7, 8, 4096}) {
      requireHeader(firstBytes, length);
    }
  }

  @Test
  void requireHeader_tornOrDamagedFile_isRefused() throws Exception {
    replica(1000, DataChecksum.Type.CRC32C);
    byte[] whole = Files.readAllBytes(meta.toPath());
    for (int firstBytes : new int[] {0, 4096}) {
      for (int cut : new int[] {0, 6, 7, whole.length - 1}) {
        Files.write(meta.toPath(), Arrays.copyOf(whole, cut));
        assertThrows(IOException.class, () -> requireHeader(firstBytes, 1000), "cut=" + cut);
      }
      byte[] otherType = whole.clone();
      otherType[2] ^= 0x40;
      Files.write(meta.toPath(), otherType);
      assertThrows(IOException.class, () -> requireHeader(firstBytes, 1000));
    }
  }

  @ParameterizedTest
  @CsvSource({"262144, 512", "65536, 512", "1000, 512", "100000, 300"})
  void copy_inSmallChunks_isIdentical(int chunk, int perChunk) throws Exception {
    int length = (2 << 20) + 12_345;
    replica(length, DataChecksum.Type.CRC32C, perChunk);
    List<Long> taken = new ArrayList<>();
    Throttle small =
        new Throttle() {
          @Override
          public void take(long bytes) {
            taken.add(bytes);
          }

          @Override
          public int chunkBytes(int mostBytes) {
            return chunk;
          }
        };
    VerifiedCopy.copyDataDirect(data, target, length, Checksums.read(meta, length), small);
    assertArrayEquals(bytes, Files.readAllBytes(target.toPath()));
    assertEquals(length, taken.stream().mapToLong(Long::longValue).sum());
    assertTrue(Collections.max(taken) <= Math.max(chunk, perChunk), taken.toString());
  }
}
