// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.move.DeviceLoad;
import io.hycache.core.move.DeviceLoad.Work;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client reads a block with a clean copy slowly, while other streams saturate the device that
 * sends it.
 */
@Timeout(180)
class StreamMoveIT {
  private static final int LENGTH = 32 << 20;
  private static final int PART = 64 << 10;
  private static final Path FILE = new Path("/a");

  private final DeviceLoad ssd = new DeviceLoad(50e6, false);
  private final DeviceLoad disk = new DeviceLoad(50e6, true);
  private byte[] data = {};

  @SuppressWarnings("NullAway.Init") // see start
  private EmbeddedCluster c;

  @BeforeEach
  void start() throws Exception {
    c = EmbeddedCluster.start(EmbeddedCluster.confForCopy(LENGTH), 1);
    c.node(0).balanceBy(ssd, disk);
    data = c.writeWithCopy(FILE.toString(), LENGTH);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  /** Reads from the SSD, which others saturate then, until the stream has moved; how many bytes. */
  private int readUntilMoved(InputStream in, byte[] into) throws Exception {
    assertEquals(PART, in.readNBytes(into, 0, PART));
    StreamMoveTest.saturate(ssd);
    return readUntilMoved(in, into, disk);
  }

  private int readUntilMoved(InputStream in, byte[] into, DeviceLoad to) throws Exception {
    int at = PART;
    while (to.streams() == 0) {
      assertTrue(at < LENGTH, "the stream did not move");
      assertEquals(PART, in.readNBytes(into, at, PART));
      at += PART;
      TimeUnit.MILLISECONDS.sleep(10); // so that it is slower than the other device
    }
    return at;
  }

  @Test
  void streamMoves_theClientSeesEveryByte_andBothDevicesAreCounted() throws Exception {
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      int at = readUntilMoved(in, read);
      assertEquals(1, disk.streams());
      assertEquals(10, ssd.streams());
      assertEquals(LENGTH - at, in.readNBytes(read, at, LENGTH - at));
    }
    assertArrayEquals(data, read);
    bothDevicesAreCounted();
    assertEquals(1, c.count(0, "SsdBlocksReadHits"));
    assertEquals(0, c.count(0, "SsdBlocksReadMisses"));
    c.await("ended", () -> disk.streams() == 0 && ssd.streams() == 10);
  }

  private void bothDevicesAreCounted() throws Exception {
    c.await("read", () -> c.count(0, "SsdBytesRead") + c.count(0, "DiskBytesRead") >= LENGTH);
    assertEquals(LENGTH, c.count(0, "SsdBytesRead") + c.count(0, "DiskBytesRead"));
    assertTrue(c.count(0, "SsdBytesRead") > 0);
    assertTrue(c.count(0, "DiskBytesRead") > 0);
  }

  /** As {@link #readUntilMoved}, of a stream that begins on DISK, because the SSD is saturated. */
  private int readFromDiskUntilMoved(InputStream in, byte[] into) throws Exception {
    assertEquals(PART, in.readNBytes(into, 0, PART));
    assertEquals(1, c.count(0, "SsdReadsLeftToDisk"));
    assertEquals(1, disk.streams());
    for (int i = 0; i < 10; i++) {
      ssd.ended();
      ssd.sample(new Work(450_000_000L, 0, 900, 90_000, 9000), TimeUnit.SECONDS.toNanos(10 + i));
    }
    StreamMoveTest.saturate(disk);
    int at = readUntilMoved(in, into, ssd);
    assertEquals(10, disk.streams());
    return at;
  }

  @Test
  void streamOfDisk_movesToTheCopy_theClientSeesEveryByte() throws Exception {
    StreamMoveTest.saturate(ssd);
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      int at = readFromDiskUntilMoved(in, read);
      assertEquals(LENGTH - at, in.readNBytes(read, at, LENGTH - at));
    }
    assertArrayEquals(data, read);
    bothDevicesAreCounted();
    assertEquals(0, c.count(0, "SsdBlocksReadHits"));
    assertEquals(1, c.count(0, "SsdBlocksReadMisses"));
    c.await("ended", () -> disk.streams() == 10 && ssd.streams() == 0);
  }

  /** It may have found a wrong checksum, but not in data of the SSD, which is saturated. */
  @Test
  void clientOfDiskHangsUp_noDataOfTheCopyIsVerified() throws Exception {
    StreamMoveTest.saturate(ssd);
    Configuration conf = new Configuration(c.fs.getConf());
    conf.set("dfs.client.context", "hangs up");
    conf.setInt("dfs.client.socketcache.capacity", 0);
    try (FileSystem client = FileSystem.newInstance(c.fs.getUri(), conf);
        InputStream in = client.open(FILE)) {
      assertArrayEquals(data, in.readNBytes(LENGTH));
    }
    assertEquals(1, c.count(0, "SsdReadsLeftToDisk"));
    c.await("its checksum file is verified", () -> c.count(0, "SsdBytesScrubbed") > 0);
    long scrubbed = c.count(0, "SsdBytesScrubbed");
    assertTrue(scrubbed < 1 << 20, "of 32 MB: " + scrubbed);
  }

  /** The copy is dropped before HDFS changes the replica: the stream goes back to DISK. */
  @Test
  void fileIsAppendedTo_aStreamOfDiskEndsWithItsOwnBytes() throws Exception {
    StreamMoveTest.saturate(ssd);
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      int at = readFromDiskUntilMoved(in, read);
      try (OutputStream out = c.fs.append(FILE)) {
        out.write(EmbeddedCluster.content(2, PART));
      }
      assertEquals(PART, in.readNBytes(read, at, PART));
      c.await("is back", () -> ssd.streams() == 0);
      assertEquals(LENGTH - at - PART, in.readNBytes(read, at + PART, LENGTH - at - PART));
    }
    assertArrayEquals(data, read);
    assertEquals(0, c.fs.getCorruptBlocksCount());
    assertEquals(0, c.count(0, "Failures"));
  }

  /**
   * The client has checksums of the old bytes, and reports the replica as corrupt if it gets
   * others.
   */
  @Test
  void fileIsCutOffAndWrittenAgain_theStreamEndsWithTheOldBytes() throws Exception {
    byte[] read = new byte[LENGTH];
    int cut = LENGTH / 4;
    byte[] other = EmbeddedCluster.content(2, LENGTH - cut);
    try (InputStream in = c.fs.open(FILE)) {
      int at = readUntilMoved(in, read);
      c.fs.truncate(FILE, cut);
      c.await("truncated", () -> c.fs.isFileClosed(FILE));
      try (OutputStream out = c.fs.append(FILE)) {
        out.write(other);
      }
      assertEquals(LENGTH - at, in.readNBytes(read, at, LENGTH - at));
    }
    assertArrayEquals(data, read);
    assertEquals(0, c.fs.getCorruptBlocksCount());
    byte[] now = Arrays.copyOf(data, LENGTH);
    System.arraycopy(other, 0, now, cut, other.length);
    assertArrayEquals(now, c.read(FILE.toString()));
    assertEquals(0, c.count(0, "Failures"));
  }
}
