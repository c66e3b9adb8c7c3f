// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first file is cut off where it is to fail: a device that lost what lies behind. */
class FailoverFileTest {
  private static final long SEED = 7;
  private static final int LENGTH = 10_000;

  @TempDir Path dir;

  private final byte[] bytes = new byte[LENGTH];
  private final List<IOException> whys = new ArrayList<>();
  private Path good = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(SEED).nextBytes(bytes);
    good = Files.write(dir.resolve("good"), bytes);
  }

  private File cutOff(int at) throws IOException {
    Path cut = dir.resolve("cut-" + at);
    Files.write(cut, bytes);
    try (FileChannel channel = FileChannel.open(cut, java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(at);
    }
    return cut.toFile();
  }

  private ObservedFileInputStream open(File first) throws IOException {
    FailoverFile file =
        new FailoverFile(
            new FileInputStream(first),
            LENGTH,
            why -> {
              whys.add(why);
              return new FileInputStream(good.toFile());
            });
    return new ObservedFileInputStream(file, LENGTH, taken -> {});
  }

  @Test
  void stream_anyPlace_anyChunks_theReaderSeesEveryByteOnce() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      int cut = random.nextInt(LENGTH);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      whys.clear();
      try (ObservedFileInputStream in = open(cutOff(cut))) {
        byte[] chunk = new byte[1 + random.nextInt(4000)];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          out.write(chunk, 0, n);
        }
      }
      assertArrayEquals(bytes, out.toByteArray(), "seed=" + SEED + " cut=" + cut);
      assertEquals(1, whys.size());
      assertTrue(whys.get(0) instanceof EOFException);
    }
  }

  @Test
  void transferTo_goesOnAtTheSamePosition() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WritableByteChannel to = Channels.newChannel(out);
    try (ObservedFileInputStream in = open(cutOff(3_333))) {
      FileChannel channel = in.getChannel();
      long position = 0;
      while (position < LENGTH) {
        position += channel.transferTo(position, Math.min(1000, LENGTH - position), to);
      }
      assertSame(channel, in.getChannel());
    }
    assertArrayEquals(bytes, out.toByteArray());
    assertEquals(1, whys.size());
  }

  /**
   * A mirror that moves at some point, and back, and whose second file changes or ends at others.
   */
  @Test
  void mirror_anyPlaces_anyChunks_theReaderSeesEveryByteOnce() throws Exception {
    Random random = new Random(SEED);
    AtomicInteger returned = new AtomicInteger();
    for (int round = 0; round < 300; round++) {
      int moveAt = random.nextInt(LENGTH);
      int changedAt = random.nextInt(2 * LENGTH);
      int backAt = random.nextInt(2 * LENGTH);
      File second = cutOff(LENGTH / 2 + random.nextInt(LENGTH / 2));
      boolean byChannel = random.nextBoolean();
      AtomicBoolean closed = new AtomicBoolean();
      FailoverFile file =
          new FailoverFile(
              new FileInputStream(cutOff(random.nextInt(LENGTH))),
              LENGTH,
              why -> new FileInputStream(good.toFile()));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      file.choose(
          new FailoverFile.Mirror() {
            @Override
            public @Nullable FileInputStream sooner(long position) {
              assertEquals(out.size(), position);
              try {
                return position < moveAt ? null : new FileInputStream(second);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            }

            @Override
            public boolean isSame() {
              return out.size() < changedAt;
            }

            @Override
            public boolean returns(long position) {
              assertEquals(out.size(), position);
              returned.addAndGet(position >= backAt ? 1 : 0);
              return position >= backAt;
            }

            @Override
            public void back(long position, @Nullable IOException why) {
              assertEquals(out.size(), position);
            }

            @Override
            public void beforeRead(FileInputStream of, long position) {
              assertEquals(out.size(), position);
            }

            @Override
            public FileDescriptor descriptor() throws IOException {
              return file.now().getFD();
            }

            @Override
            public void close() {
              closed.set(true);
            }
          });
      try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
        byte[] chunk = new byte[1 + random.nextInt(2000)];
        WritableByteChannel to = Channels.newChannel(out);
        while (out.size() < LENGTH) {
          if (byChannel) {
            in.getChannel().transferTo(out.size(), chunk.length, to);
          } else {
            out.write(chunk, 0, in.read(chunk));
          }
        }
      }
      assertArrayEquals(bytes, out.toByteArray(), "seed=" + SEED + " round=" + round);
      assertTrue(closed.get());
    }
    assertTrue(returned.get() > 100, "returned=" + returned);
  }

  @Test
  void positionedReads_andTheChannelsOwnPosition_survive() throws Exception {
    try (ObservedFileInputStream in = open(cutOff(5_000))) {
      FileChannel channel = in.getChannel();
      channel.position(4_990);
      ByteBuffer target = ByteBuffer.allocate(100);
      while (target.hasRemaining()) {
        assertTrue(channel.read(target) > 0);
      }
      assertEquals(bytes[5_089], target.get(99));
      assertEquals(5_090, channel.position());
      ByteBuffer one = ByteBuffer.allocate(1);
      assertEquals(1, channel.read(one, 9_999));
      assertEquals(bytes[9_999], one.get(0));
      assertEquals(LENGTH, channel.size());
      assertTrue(in.getFD().valid());
    }
    assertEquals(1, whys.size());
  }

  @Test
  void theSocketsFailure_isNotTheFiles() throws Exception {
    WritableByteChannel broken =
        Channels.newChannel(
            new java.io.OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
              }
            });
    try (ObservedFileInputStream in = open(cutOff(5_000))) {
      IOException e =
          assertThrows(IOException.class, () -> in.getChannel().transferTo(0, 100, broken));
      assertEquals("Broken pipe", e.getMessage());
      in.getChannel().close();
      assertThrows(
          ClosedChannelException.class, () -> in.getChannel().read(ByteBuffer.allocate(1)));
    }
    assertEquals(List.of(), whys);
  }

  private static FailoverFile withoutSecond(File first) throws IOException {
    return new FailoverFile(
        new FileInputStream(first),
        LENGTH,
        why -> {
          throw why;
        });
  }

  /** After an IOException HDFS would send zeros in place of the checksums. */
  @Test
  void checksumsThatNoFileHas_endTheConnection_butNotTheHeader() throws Exception {
    for (int length : new int[] {0, 5_000}) {
      FailoverFile file = withoutSecond(cutOff(length));
      file.leave(
          new FailoverFile.Leaving() {
            @Override
            public boolean isDue() {
              return false;
            }

            @Override
            public @Nullable FileInputStream open() {
              return null;
            }
          });
      byte[] read = new byte[LENGTH];
      try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
        assertEquals(length, in.readNBytes(read, 0, length));
        Class<? extends Exception> expected =
            length == 0 ? IOException.class : UncheckedIOException.class;
        Exception unused = assertThrows(expected, () -> in.read(read, 0, 100));
      }
    }
  }

  /** As an SSD that is out of use, and whose reads may hang: none is made. */
  @Test
  void firstMayHang_theSecondIsReadFromThere_unlessThereIsNone() throws Exception {
    byte[] zeros = new byte[LENGTH];
    AtomicBoolean due = new AtomicBoolean();
    AtomicBoolean isThere = new AtomicBoolean();
    AtomicBoolean hangs = new AtomicBoolean();
    FailoverFile file = withoutSecond(Files.write(dir.resolve("zeros"), zeros).toFile());
    file.leave(
        new FailoverFile.Leaving() {
          @Override
          public boolean isDue() {
            return due.get();
          }

          @Override
          public @Nullable FileInputStream open() throws IOException {
            if (isThere.get()) {
              return new FileInputStream(good.toFile());
            }
            if (hangs.get()) {
              throw new IOException("there is none");
            }
            return null;
          }
        });
    byte[] read = new byte[LENGTH];
    try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
      assertEquals(100, in.read(read, 0, 100));
      due.set(true);
      assertEquals(100, in.read(read, 100, 100), "of the first, which will not hang");
      hangs.set(true);
      assertThrows(UncheckedIOException.class, () -> in.read(read, 200, 100));
      isThere.set(true);
      assertEquals(100, in.read(read, 200, 100));
      isThere.set(false);
      assertEquals(LENGTH - 300, in.readNBytes(read, 300, LENGTH - 300));
    }
    Arrays.fill(bytes, 0, 200, (byte) 0);
    assertArrayEquals(bytes, read);
  }

  @Test
  void nothingTakesOver_theFirstErrorIsTheReaders() throws Exception {
    FailoverFile file = withoutSecond(cutOff(10));
    try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
      assertEquals(10, in.read(new byte[10]));
      assertThrows(EOFException.class, () -> in.read(new byte[10]));
    }
  }

  @Test
  void theEnd_isNoFailure() throws Exception {
    try (ObservedFileInputStream in = open(good.toFile())) {
      assertEquals(LENGTH, in.readAllBytes().length);
      assertEquals(-1, in.read());
      assertEquals(-1, in.getChannel().read(ByteBuffer.allocate(1)));
      assertFalse(in.getChannel().transferTo(LENGTH, 1, Channels.newChannel(System.out)) > 0);
    }
    assertEquals(List.of(), whys);
  }

  @Test
  void firstReadIntoAnArray_isChecked_andRepeatedIfTheFileIsDamaged() throws Exception {
    bytes[1] ^= 1;
    File damaged = Files.write(dir.resolve("damaged"), bytes).toFile();
    bytes[1] ^= 1;
    List<Integer> checked = new ArrayList<>();
    FailoverFile file =
        new FailoverFile(
            new FileInputStream(damaged),
            LENGTH,
            why -> {
              whys.add(why);
              return new FileInputStream(good.toFile());
            });
    file.checkAtFirstRead(
        (start, channel) -> {
          checked.add(start.remaining());
          if (start.get(1) != bytes[1]) {
            throw new ChecksumException("damaged", 0);
          }
        });
    try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
      assertArrayEquals(bytes, in.readAllBytes());
    }
    assertEquals(1, whys.size());
    assertEquals(1, checked.size());
    assertTrue(checked.get(0) > 1);
  }

  @Test
  void firstReadElsewhere_isCheckedWithoutTheStart_andGoesOnThere() throws Exception {
    FailoverFile file = new FailoverFile(new FileInputStream(good.toFile()), LENGTH, null);
    List<Integer> checked = new ArrayList<>();
    file.checkAtFirstRead((start, channel) -> checked.add(start.remaining()));
    try (ObservedFileInputStream in = new ObservedFileInputStream(file, LENGTH, taken -> {})) {
      assertEquals(100, in.skip(100));
      byte[] some = new byte[10];
      assertEquals(10, in.read(some));
      assertArrayEquals(Arrays.copyOfRange(bytes, 100, 110), some);
      assertEquals(10, in.read(some));
    }
    assertEquals(List.of(0), checked);
  }
}
