// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.move.DeviceLoad;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ServingThread;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that HDFS opens to pass their descriptors to a client: the data first, then checksums. */
@Timeout(120)
class ShortCircuitIT {
  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  /** Endings of the files of clean copies that were opened. */
  private final List<String> opened = new CopyOnWriteArrayList<>();

  private void start(Configuration conf) throws IOException {
    c = EmbeddedCluster.start(conf, 1);
    FileOperations.observe(
        (operation, file) -> {
          if (operation == FileOperation.OPEN) {
            opened.add(file.getName().substring(file.getName().lastIndexOf('.')));
          }
        });
  }

  @AfterEach
  void stop() throws Exception {
    FileOperations.observe(null);
    assertEquals(0, c.count(0, "Failures"));
    c.close();
  }

  private byte[] writeClean() throws Exception {
    byte[] data = c.write("/a", 1, BLOCK);
    c.await(
        "a clean copy",
        () ->
            c.locate(0, "/a").stream().allMatch(b -> b.cleanData && b.cleanChecksums)
                && c.node(0).status().movesQueued() == 0);
    return data;
  }

  private ExtendedBlock block() throws IOException {
    return c.blocks("/a").get(0).getBlock();
  }

  private FsDatasetSpi<?> dataset() {
    return c.dataNode(0).getFSDataset();
  }

  private <T> T passing(Callable<T> call) throws Exception {
    return ServingThread.call(c.dataNode(0), "Passing file descriptors for block " + block(), call);
  }

  @Test
  void open_ofAnotherGenerationStamp_isServedAsByHdfs() throws Exception {
    start(EmbeddedCluster.cleanConf());
    byte[] data = writeClean();
    ExtendedBlock older = new ExtendedBlock(block());
    older.setGenerationStamp(older.getGenerationStamp() - 1);
    assertThrows(IOException.class, () -> passing(() -> dataset().getBlockInputStream(older, 0)));
    String sending = "Sending block " + older;
    assertThrows(
        IOException.class,
        () ->
            ServingThread.call(
                c.dataNode(0), sending, () -> dataset().getBlockInputStream(older, 0)));
    try (LengthInputStream checksums =
        ServingThread.call(c.dataNode(0), sending, () -> dataset().getMetaDataInputStream(older))) {
      assertNotNull(checksums);
    }
    assertEquals(List.of(), opened, "no file of the copy");

    assertTrue(dataset().contains(block()), "the replica is not given up");
    try (InputStream in = passing(() -> dataset().getBlockInputStream(block(), 0))) {
      assertArrayEquals(data, in.readAllBytes());
    }
    assertTrue(opened.contains(".data"), "the copy is served");
  }

  /** Opens both files as HDFS does, and returns the length of the checksum file. */
  private long passBoth(byte[] data) throws Exception {
    ExtendedBlock block = block();
    return passing(
        () -> {
          try (InputStream in = dataset().getBlockInputStream(block, 0);
              LengthInputStream checksums = dataset().getMetaDataInputStream(block)) {
            assertArrayEquals(data, in.readAllBytes());
            assertEquals(checksums.getLength(), checksums.readAllBytes().length);
            return checksums.getLength();
          }
        });
  }

  @Test
  void pass_copyOfTheChecksumsOnly_bothAreTheReplicas() throws Exception {
    start(EmbeddedCluster.onDisk(EmbeddedCluster.cleanConf()));
    byte[] data = c.write("/a", 1, BLOCK);
    c.await("its checksum file", () -> c.locate(0, "/a").get(0).cleanChecksums);
    assertFalse(c.locate(0, "/a").get(0).cleanData);
    assertTrue(passBoth(data) > 0);
    assertEquals(List.of(), opened);
    assertArrayEquals(data, c.read("/a"));
    assertEquals(List.of(".meta"), opened, "other clients are served the checksums");
  }

  @Test
  void pass_copyOfBoth_bothAreTheCopys() throws Exception {
    start(EmbeddedCluster.cleanConf());
    byte[] data = writeClean();
    long checksums = passBoth(data);
    assertEquals(List.of(".meta", ".data"), opened);
    assertEquals(checksums, passBoth(data));
    assertEquals(4, opened.size(), "once more each");
  }

  @Test
  void pass_ssdIsBusierThanDisk_bothAreTheCopys() throws Exception {
    start(EmbeddedCluster.cleanConf());
    DeviceLoad ssd = new DeviceLoad(50e6, false);
    c.node(0).balanceBy(ssd, new DeviceLoad(12e6, true));
    byte[] data = writeClean();
    for (int i = 0; i < 20; i++) {
      ssd.begun();
    }
    assertTrue(passBoth(data) > 0);
    assertEquals(List.of(".meta", ".data"), opened);
  }

  @Test
  void pass_copysChecksumsAreMissing_bothAreTheReplicas() throws Exception {
    start(EmbeddedCluster.cleanConf());
    byte[] data = writeClean();
    List<Path> copies;
    try (Stream<Path> all = Files.walk(new File(c.cluster.getDataDirectory()).toPath())) {
      copies =
          all.filter(p -> p.toString().contains("/hycache/BP-") && p.toString().endsWith(".meta"))
              .collect(Collectors.toList());
    }
    assertEquals(1, copies.size());
    Files.delete(copies.get(0));
    assertTrue(passBoth(data) > 0);
    assertFalse(opened.contains(".data"), "not even for the data");
  }

  @Test
  void passed_dataWithoutItsChecksums_theyAreOfNoOtherRequest() throws Exception {
    start(EmbeddedCluster.cleanConf());
    byte[] data = writeClean();
    ExtendedBlock block = block();
    long length =
        passing(
            () -> {
              try (InputStream unasked = dataset().getBlockInputStream(block, 0);
                  InputStream in = dataset().getBlockInputStream(block, 0);
                  LengthInputStream checksums = dataset().getMetaDataInputStream(block);
                  LengthInputStream again = dataset().getMetaDataInputStream(block)) {
                assertArrayEquals(data, in.readAllBytes());
                assertEquals(checksums.getLength(), again.getLength());
                return (long) checksums.readAllBytes().length;
              }
            });
    assertTrue(length > 0);
    assertEquals(List.of(".meta", ".data", ".meta", ".data"), opened, "none for the last one");
  }

  /** HDFS does not close the data where it then can't open the checksums. */
  private void assertCountsNoStream(DeviceLoad ssd, DeviceLoad disk) throws Exception {
    ExtendedBlock block = block();
    try (InputStream left = passing(() -> dataset().getBlockInputStream(block, 0))) {
      assertEquals(block.getNumBytes(), left.available());
      assertEquals(0, ssd.streams(), "of the SSD");
      assertEquals(0, disk.streams(), "of the HDD");
    }
    assertEquals(0, ssd.streams(), "closed");
    assertEquals(0, disk.streams(), "closed");
  }

  @Test
  void pass_dataIsNeverClosed_noStreamIsCountedForEver() throws Exception {
    start(EmbeddedCluster.cleanConf());
    DeviceLoad ssd = new DeviceLoad(50e6, false);
    DeviceLoad disk = new DeviceLoad(12e6, true);
    byte[] data = writeClean();
    c.node(0).balanceBy(ssd, disk);
    assertCountsNoStream(ssd, disk);
    assertTrue(opened.contains(".data"));
    c.await("a read of the whole copy", () -> c.count(0, "SsdBytesRead") == data.length);

    c.node(0).evictData(c.keys("/a").get(0));
    assertCountsNoStream(ssd, disk);
    c.await("and of the replica", () -> c.count(0, "DiskBytesRead") == data.length);
  }
}
