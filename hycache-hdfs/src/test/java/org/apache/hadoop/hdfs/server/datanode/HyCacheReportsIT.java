// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports.Line;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a DataNode with an active and a standby NameNode. */
@Timeout(120)
class HyCacheReportsIT {
  @TempDir File directory;

  @Test
  void report_standbyDoesNotAnswer_activeHasIt() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("dfs.heartbeat.interval", 1);
    try (MiniDFSCluster cluster =
            new MiniDFSCluster.Builder(conf, directory)
                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                .numDataNodes(1)
                .build();
        // Connections are accepted by the kernel, and never answered.
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      cluster.waitActive();
      cluster.transitionToActive(0);
      cluster.waitActive(0);
      cluster.triggerHeartbeats();
      DataNode dn = cluster.getDataNodes().get(0);
      String pool = cluster.getNamesystem(0).getBlockPoolId();
      BPOfferService service = dn.getBPOfferService(pool);
      DatanodeProtocolClientSideTranslatorPB active = service.getActiveNN();
      BPServiceActor standby =
          service.getBPServiceActors().stream()
              .filter(actor -> actor.bpNamenode != active)
              .findFirst()
              .orElseThrow();
      DatanodeProtocolClientSideTranslatorPB answering = standby.bpNamenode;
      String storage;
      try (FsDatasetSpi.FsVolumeReferences volumes = dn.getFSDataset().getFsVolumeReferences()) {
        storage = volumes.get(0).getStorageID();
      }
      // A block that does not exist, as where a count is cleared.
      List<Line> lines = List.of(Line.received(storage, new Block(1, 0, 0)));
      HyCacheReports reports = new HyCacheReports(dn);
      CountDownLatch accepted = new CountDownLatch(2);
      standby.setNameNode(
          new DatanodeProtocolClientSideTranslatorPB(
              new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort()), conf));
      try {
        reports.report(pool, lines, accepted::countDown);
        reports.report(pool, lines, accepted::countDown);
        assertEquals(0, accepted.getCount());
      } finally {
        standby.setNameNode(answering);
        silent.close();
      }
      // Once the call to the silent address has failed, the standby has reports, too.
      CountDownLatch both;
      do {
        both = new CountDownLatch(2);
        reports.report(pool, lines, both::countDown);
      } while (!both.await(1, TimeUnit.SECONDS));
    }
  }
}
