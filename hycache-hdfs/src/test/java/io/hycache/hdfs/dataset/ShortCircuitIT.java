// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
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

  /** All that is written becomes a clean copy. */
  private static Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    return conf;
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
    return ServingThread.call(
        c.dataNode(0), "Passing file descriptors for block " + block(), call);
  }

  @Test
  void open_ofAnotherGenerationStamp_isServedAsByHdfs() throws Exception {
    start(conf());
    byte[] data = writeClean();
    ExtendedBlock older = new ExtendedBlock(block());
    older.setGenerationStamp(older.getGenerationStamp() - 1);
    assertThrows(
        IOException.class, () -> passing(() -> dataset().getBlockInputStream(older, 0)));
    String sending = "Sending block " + older;
    assertThrows(
        IOException.class,
        () ->
            ServingThread.call(
                c.dataNode(0), sending, () -> dataset().getBlockInputStream(older, 0)));
    try (LengthInputStream checksums =
        ServingThread.call(
            c.dataNode(0), sending, () -> dataset().getMetaDataInputStream(older))) {
      assertNotNull(checksums);
    }
    assertEquals(List.of(), opened, "no file of the copy");

    assertTrue(dataset().contains(block()), "the replica is not given up");
    try (InputStream in = passing(() -> dataset().getBlockInputStream(block(), 0))) {
      assertArrayEquals(data, in.readAllBytes());
    }
    assertTrue(opened.contains(".data"), "the copy is served");
  }
}
