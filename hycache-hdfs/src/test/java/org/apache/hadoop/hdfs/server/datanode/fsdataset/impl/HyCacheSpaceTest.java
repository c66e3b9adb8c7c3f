// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.hdfs.dataset.Stubs;
import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;

class HyCacheSpaceTest {
  private static final FsVolumeSpi SSD = volume("DS-ssd", "file:/ssd");
  private static final FsVolumeSpi PROVIDED = volume("DS-provided", "remotefs://store:8020/data");

  /** A volume that knows its name and its place only. */
  private static FsVolumeSpi volume(String id, String uri) {
    return Stubs.of(
        FsVolumeSpi.class,
        Map.of("getStorageID", arguments -> id, "getBaseURI", arguments -> URI.create(uri)));
  }

  private static StorageReport[] reports(FsVolumeSpi... volumes) {
    StorageReport[] reports = new StorageReport[volumes.length];
    for (int i = 0; i < volumes.length; i++) {
      DatanodeStorage storage = new DatanodeStorage(volumes[i].getStorageID());
      reports[i] = new StorageReport(storage, false, 1000, 100, 300, 100, 600);
    }
    return reports;
  }

  @Test
  void root_ofAVolumeThatIsNoDirectoryHere_isNull() {
    assertEquals(new File("/ssd"), HyCacheReplicaStore.root(SSD));
    assertNull(HyCacheReplicaStore.root(PROVIDED));
  }

  @Test
  void withCleanAsFree_providedVolume_keepsItsReportAndTheOthersGetTheirs() {
    StorageReport[] plain = reports(PROVIDED, SSD);
    StorageReport[] reports =
        HyCacheSpace.withCleanAsFree(plain, List.of(PROVIDED, SSD), root -> 200);
    assertSame(plain[0], reports[0]);
    assertEquals(500, reports[1].getRemaining());
    assertEquals(400, reports[1].getNonDfsUsed());
    assertEquals(300, plain[1].getRemaining(), "HDFS's own report is kept for a failure");
  }

  @Test
  void withCleanAsFree_failsHalfWay_leavesHdfssOwnReportsAlone() {
    FsVolumeSpi other = volume("DS-other", "file:/other");
    StorageReport[] plain = reports(SSD, other);
    StorageReport[] before = plain.clone();
    assertThrows(
        IllegalStateException.class,
        () ->
            HyCacheSpace.withCleanAsFree(
                plain,
                List.of(SSD, other),
                root -> {
                  if (root.getPath().equals("/other")) {
                    throw new IllegalStateException("made to fail");
                  }
                  return 200;
                }));
    assertSame(before[0], plain[0]);
    assertSame(before[1], plain[1]);
  }
}
