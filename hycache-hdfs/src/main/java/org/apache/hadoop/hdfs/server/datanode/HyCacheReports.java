// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.dataset.HadoopReferences;
import io.hycache.hdfs.dataset.NameNodeCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * <p>The caller waits for the active NameNode, but not longer than half a minute, and must
 * therefore be a background thread. A standby NameNode is sent the report in the background; one
 * that has not answered the report before is left out. Hardly anything is lost with that: a standby
 * schedules no blocks, learns of replicas from block reports, and is not where clients report
 * corrupt ones. It needs the report only if it was the active NameNode when a client reported a
 * replica, and becomes that again without a restart; and then each of the repeated reports clears
 * it.
 *
 * <p>A report may overtake, or be overtaken by, reports in the DataNode's own queue, and may be
 * accepted long after it was made. So the caller passes what checks the replica again afterwards
 * and reports any change. Thread-safe.
 */
public final class HyCacheReports {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheReports.class);

  private static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private final DataNode dn;
  private final QuietLog standbyLog = new QuietLog(LOG);
  private final NameNodeCalls<BPServiceActor> calls = new NameNodeCalls<>(MOST_MILLIS);

  /** Creates the reports of a DataNode. */
  public HyCacheReports(DataNode dn) {
    this.dn = dn;
  }

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
   * Sends the lines to the active NameNode of the block pool, and then to the others that this
   * DataNode is registered with.
   *
   * @param lines in the order in which the NameNode must process them
   * @param afterwards called after each NameNode has accepted them, on a background thread, also if
   *     this method has failed or returned before
   * @throws IOException if the active NameNode did not accept them in time, or there is none
   */
  public void report(String bpid, List<Line> lines, Runnable afterwards) throws IOException {
    StorageReceivedDeletedBlocks[] report = grouped(lines);
    BPOfferService service = dn.getBPOfferService(bpid);
    if (service == null) {
      throw new IOException("block pool was removed: pool=" + bpid);
    }
    DatanodeProtocolClientSideTranslatorPB active = service.getActiveNN();
    BPServiceActor toActive = null;
    List<BPServiceActor> toStandbys = new ArrayList<>();
    for (BPServiceActor actor : service.getBPServiceActors()) {
      if (actor.bpNamenode == null || actor.getBpRegistration() == null) {
        continue;
      }
      if (actor.bpNamenode == active) {
        toActive = actor;
      } else {
        toStandbys.add(actor);
      }
    }
    if (toActive == null) {
      throw new IOException("no active NameNode to report to: pool=" + bpid);
    }
    BPServiceActor first = toActive;
    calls.make(first, () -> send(first, bpid, report, afterwards));
    for (BPServiceActor standby : toStandbys) {
      boolean unused = calls.begin(standby, () -> sendToStandby(standby, bpid, report, afterwards));
    }
  }

  private static void send(
      BPServiceActor to, String bpid, StorageReceivedDeletedBlocks[] report, Runnable afterwards)
      throws IOException {
    to.bpNamenode.blockReceivedAndDeleted(to.getBpRegistration(), bpid, report);
    afterwards.run();
  }

  private void sendToStandby(
      BPServiceActor to, String bpid, StorageReceivedDeletedBlocks[] report, Runnable afterwards) {
    try {
      send(to, bpid, report, afterwards);
    } catch (IOException e) {
      standbyLog.warn(e, "a standby NameNode did not receive a report: pool={}", bpid);
    }
  }

  /** Merges successive lines of one storage into one entry; keeps the order. */
  private StorageReceivedDeletedBlocks[] grouped(List<Line> lines) throws IOException {
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
