// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.dataset.HadoopReferences;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends incremental block reports immediately and in the caller's order.
 *
 * <p>The DataNode's own queue keeps one entry per block, whatever its storage, and an entry
 * replaces the one before it. "Deleted, received" of one block therefore can't be queued there.
 * Here the lines are sent in one RPC: the NameNode processes them in order, and successive lines of
 * one storage under one hold of its lock.
 *
 * <p>The RPC is made on the caller's thread, which must be a background thread. It may overtake, or
 * be overtaken by, reports in the DataNode's own queue, so the caller must check the replica again
 * afterwards and report any change. Stateless, thread-safe.
 */
public final class HyCacheReports {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheReports.class);

  /** Of all DataNodes of a JVM: more than one is a test. */
  private static final QuietLog STANDBY_LOG = new QuietLog(LOG);

  private HyCacheReports() {}

  /** Has the block scanner, if there is one, verify a replica soon. */
  public static void suspect(DataNode datanode, ExtendedBlock block, String storageUuid) {
    BlockScanner scanner = datanode.getBlockScanner();
    if (scanner != null) {
      scanner.markSuspectBlock(storageUuid, block);
    }
  }

  /** One line of a report: the change of a block on a storage. Immutable. */
  public static final class Line {
    private final String storageUuid;
    private final Block block;
    private final BlockStatus status;

    private Line(String storageUuid, Block block, BlockStatus status) {
      this.storageUuid = storageUuid;
      this.block = new Block(block);
      this.status = status;
    }

    public static Line received(String storageUuid, Block block) {
      return new Line(storageUuid, block, BlockStatus.RECEIVED_BLOCK);
    }

    /**
     * Removes the block's replica on this DataNode from the NameNode, whatever storage it is
     * recorded on.
     */
    public static Line deleted(String storageUuid, Block block) {
      return new Line(storageUuid, block, BlockStatus.DELETED_BLOCK);
    }

    @Override
    public String toString() {
      return status + " " + block + " on " + storageUuid;
    }
  }

  /** Returns false if the installed Hadoop lacks something that {@link #report} needs. */
  public static boolean available() {
    return available(HyCacheReports.class.getClassLoader());
  }

  /**
   * As {@link #available()}.
   *
   * @param hadoop class loader in which the references are looked up
   */
  public static boolean available(ClassLoader hadoop) {
    try {
      List<String> missing =
          HadoopReferences.missing(hadoop, List.of(HyCacheReports.class.getName()));
      if (!missing.isEmpty()) {
        LOG.warn("incremental block reports of HyCache are not available: missing={}", missing);
      }
      return missing.isEmpty();
    } catch (LinkageError | UncheckedIOException e) {
      LOG.warn("incremental block reports of HyCache are not available", e);
      return false;
    }
  }

  /**
   * Sends the lines to every NameNode of the block pool that this DataNode is registered with.
   *
   * @param lines in the order in which the NameNode must process them
   * @throws IOException if the active NameNode did not receive them, or there is none. Failures of
   *     standby NameNodes are only logged: their block reports correct them.
   */
  public static void report(DataNode dn, String bpid, List<Line> lines) throws IOException {
    StorageReceivedDeletedBlocks[] report = grouped(dn, lines);
    BPOfferService service = dn.getBPOfferService(bpid);
    if (service == null) {
      throw new IOException("block pool was removed: pool=" + bpid);
    }
    DatanodeProtocolClientSideTranslatorPB active = service.getActiveNN();
    boolean sent = false;
    List<BPServiceActor> actors = new ArrayList<>(service.getBPServiceActors());
    // The active one first: its report must not wait for a standby that does not answer.
    actors.sort(Comparator.comparing(actor -> actor.bpNamenode != active));
    for (BPServiceActor actor : actors) {
      DatanodeProtocolClientSideTranslatorPB nameNode = actor.bpNamenode;
      if (nameNode == null || actor.getBpRegistration() == null) {
        continue;
      }
      try {
        nameNode.blockReceivedAndDeleted(actor.getBpRegistration(), bpid, report);
        sent |= nameNode == active;
      } catch (IOException e) {
        if (nameNode == active) {
          throw e;
        }
        STANDBY_LOG.warn(e, "a standby NameNode did not receive a report: lines={}", lines.size());
      }
    }
    if (!sent) {
      throw new IOException("no active NameNode to report to: pool=" + bpid);
    }
  }

  /** Merges successive lines of one storage into one entry; keeps the order. */
  private static StorageReceivedDeletedBlocks[] grouped(DataNode dn, List<Line> lines)
      throws IOException {
    List<StorageReceivedDeletedBlocks> report = new ArrayList<>();
    List<ReceivedDeletedBlockInfo> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      blocks.add(new ReceivedDeletedBlockInfo(line.block, line.status, null));
      if (i + 1 == lines.size() || !lines.get(i + 1).storageUuid.equals(line.storageUuid)) {
        DatanodeStorage storage = dn.getFSDataset().getStorage(line.storageUuid);
        if (storage == null) {
          throw new IOException("storage was removed: storage=" + line.storageUuid);
        }
        report.add(
            new StorageReceivedDeletedBlocks(
                storage, blocks.toArray(new ReceivedDeletedBlockInfo[0])));
        blocks.clear();
      }
    }
    return report.toArray(new StorageReceivedDeletedBlocks[0]);
  }
}
