// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservedFileInputStreamTest {
  private static final int LENGTH = 1000;

  @TempDir Path dir;

  private final List<Long> recorded = new ArrayList<>();
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = dir.resolve("blk_1");
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = (byte) i;
    }
    Files.write(file, bytes);
  }

  private ObservedFileInputStream open() throws IOException {
    return new ObservedFileInputStream(
        new FailoverFile(new FileInputStream(file.toFile()), LENGTH, null), LENGTH, recorded::add);
  }

  @Test
  void read_countsWhatWasTaken() throws Exception {
    try (ObservedFileInputStream in = open()) {
      assertEquals(0, in.read());
      assertEquals(10, in.read(new byte[10]));
      assertEquals(5, in.read(new byte[20], 3, 5));
      assertEquals(100, in.skip(100));
      byte[] next = new byte[1];
      assertEquals(1, in.read(next));
      assertEquals((byte) 116, next[0]);
      assertEquals(LENGTH - 117, in.available());
      assertEquals(LENGTH - 117, in.read(new byte[5000]));
      assertEquals(-1, in.read());
      assertEquals(-1, in.read(new byte[1]));
    }
    assertEquals(List.of(LENGTH - 100L), recorded);
  }

  @Test
  void readAllBytes_countsToo() throws Exception {
    try (ObservedFileInputStream in = open()) {
      assertEquals(LENGTH, in.readAllBytes().length);
    }
    assertEquals(List.of((long) LENGTH), recorded);
  }

  @Test
  void channel_transferToAndReads_count() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ObservedFileInputStream in = open()) {
      FileChannel channel = in.getChannel();
      assertSame(channel, in.getChannel());
      assertEquals(LENGTH, channel.size());
      assertEquals(300, channel.transferTo(100, 300, Channels.newChannel(out)));
      assertEquals(50, channel.read(ByteBuffer.allocate(50), 900));
      assertEquals(0, channel.position());
      channel.position(990);
      assertEquals(10, channel.read(ByteBuffer.allocate(50)));
      assertEquals(-1, channel.read(ByteBuffer.allocate(50)));
    }
    assertEquals((byte) 100, out.toByteArray()[0]);
    assertEquals(List.of(360L), recorded);
  }

  @Test
  void channelAndStream_shareTheirPosition() throws Exception {
    try (ObservedFileInputStream in = open()) {
      in.getChannel().position(42);
      assertEquals(42, in.read());
      assertEquals(43, in.getChannel().position());
    }
    assertEquals(List.of(1L), recorded);
  }

  @Test
  void descriptorOnly_isAShortCircuitOpen_andCountsAsWhole() throws Exception {
    try (ObservedFileInputStream in = open()) {
      assertTrue(in.getFD().valid());
    }
    assertEquals(List.of((long) LENGTH), recorded);
  }

  @Test
  void close_closesTheDescriptorAndRecordsOnce() throws Exception {
    ObservedFileInputStream in = open();
    assertEquals(0, in.read());
    in.close();
    in.close();
    assertFalse(in.getFD().valid());
    assertEquals(List.of(1L), recorded);
    assertThrows(IOException.class, in::read);
  }

  @Test
  void closingTheChannel_closesTheStreamAndRecordsOnce() throws Exception {
    ObservedFileInputStream in = open();
    FileChannel channel = in.getChannel();
    assertEquals(7, channel.read(ByteBuffer.allocate(7)));
    channel.close();
    in.close();
    assertFalse(in.getFD().valid());
    assertEquals(List.of(7L), recorded);
  }
}
