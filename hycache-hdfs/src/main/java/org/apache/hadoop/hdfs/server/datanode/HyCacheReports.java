package org.apache.hadoop.hdfs.server.datanode;

import io.hycache.hdfs.dataset.HadoopReferences;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Incremental block reports in an order that the caller chooses, sent at once.
 *
 * <p>The DataNode's own queue keeps one entry per block, whatever its storage, and an entry
 * replaces the one before it. "Deleted, received" of one block therefore can't be queued there.
 * Here the lines go out as one RPC: the NameNode takes them in their order, and successive lines of
 * one storage under one hold of its lock.
 *
 * <p>An RPC is made on the caller's thread: for background threads only. It may overtake, or be
 * overtaken by, what the DataNode's own queue holds, so that whoever reports must look at the
 * replica again afterwards and report what has become of it. Stateless, thread-safe.
 */
public final class HyCacheReports {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheReports.class);

  private HyCacheReports() {}

  /** One line of a report: what became of a block on a storage. Immutable. */
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
     * The NameNode forgets the block's replica on this DataNode, on whichever storage it knows it.
     */
    public static Line deleted(String storageUuid, Block block) {
      return new Line(storageUuid, block, BlockStatus.DELETED_BLOCK);
    }

    @Override
    public String toString() {
      return status + " " + block + " on " + storageUuid;
    }
  }

  /** False on a Hadoop that lacks something of what {@link #report} needs. */
  public static boolean available() {
    return available(HyCacheReports.class.getClassLoader());
  }

  /**
   * As {@link #available()}.
   *
   * @param hadoop what is needed is looked up there
   */
  public static boolean available(ClassLoader hadoop) {
    try {
      List<String> missing =
          HadoopReferences.missing(hadoop, List.of(HyCacheReports.class.getName()));
      if (!missing.isEmpty()) {
        LOG.warn("reports of our own are not available: missing={}", missing);
      }
      return missing.isEmpty();
    } catch (LinkageError | UncheckedIOException e) {
      LOG.warn("reports of our own are not available", e);
      return false;
    }
  }

  /**
   * Sends the lines to every NameNode of the block pool that this DataNode is registered with.
   *
   * @param lines in the order in which the NameNode shall take them
   * @throws IOException if the active NameNode did not get them, or there is none. Of the others a
   *     failure is logged only: their block reports put them right.
   */
  public static void report(DataNode dn, String bpid, List<Line> lines) throws IOException {
    StorageReceivedDeletedBlocks[] report = grouped(dn, lines);
    BPOfferService service = dn.getBPOfferService(bpid);
    if (service == null) {
      throw new IOException("block pool is gone: pool=" + bpid);
    }
    DatanodeProtocolClientSideTranslatorPB active = service.getActiveNN();
    boolean sent = false;
    List<BPServiceActor> actors = new ArrayList<>(service.getBPServiceActors());
    // The active one first: it must not wait for a standby that does not answer.
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
        LOG.info("a standby NameNode did not get a report: lines={}", lines, e);
      }
    }
    if (!sent) {
      throw new IOException("no active NameNode to report to: pool=" + bpid);
    }
  }

  /** Successive lines of one storage become one entry; the order stays. */
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
          throw new IOException("storage is gone: storage=" + line.storageUuid);
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
