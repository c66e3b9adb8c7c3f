// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.dataset.HyCacheNode;
import io.hycache.hdfs.volume.VolumeHealth;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's dataset with HyCache. It decides nothing: each override passes {@code super} to the part
 * that decides, or notifies a part before or after. Not public: the compiler adds bridge methods to
 * a public class that inherits from a package-private one, and these would refer to classes that
 * another Hadoop version may not have.
 */
class HyCacheDataset extends HyCacheCachingDataset implements VolumeHealth {
  /** Hadoop 3.3 has only the createRbw with 4 arguments; from 3.4 on it delegates to one with 5. */
  private static final boolean CREATE_RBW_DELEGATES =
      has(
          "createRbw",
          StorageType.class,
          String.class,
          ExtendedBlock.class,
          boolean.class,
          long.class);

  /** The parts that the overrides call; created after HDFS's own constructor has returned. */
  private static final class Parts {
    final HyCacheNode node;
    final HyCacheWrites writes;
    final HyCacheDeletions deletions;
    final HyCacheLocalMove localMove;
    final HyCacheLookAgain lookAgain;
    final HyCacheMissing missing;

    Parts(FsDatasetImpl dataset, DataNode datanode, Configuration conf) throws IOException {
      HyCacheReplicaStore store = new HyCacheReplicaStore(dataset, StorageTiers.of(conf));
      node = new HyCacheNode(conf, store, datanode.getDatanodeUuid());
      writes = new HyCacheWrites(dataset, node);
      deletions = new HyCacheDeletions(dataset, store, node.moves(), node.events());
      lookAgain = new HyCacheLookAgain(dataset, node.reads()::lookedAgain);
      missing = new HyCacheMissing(dataset, node, lookAgain);
      boolean pinning =
          conf.getBoolean(
              DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
              DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
      localMove =
          new HyCacheLocalMove(dataset, node, store, pinning ? FileSystem.getLocal(conf) : null);
    }
  }

  private final @Nullable Parts parts;

  HyCacheDataset(DataNode datanode, DataStorage storage, Configuration conf) throws IOException {
    super(datanode, storage, conf);
    parts = new Parts(this, datanode, conf);
  }

  /** Returns true if HDFS's dataset has a public method. */
  static boolean has(String method, Class<?>... parameters) {
    try {
      FsDatasetImpl.class.getMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private Parts parts() {
    Parts p = parts;
    if (p == null) {
      throw new IllegalStateException("the dataset is being constructed");
    }
    return p;
  }

  @Override
  public HyCacheNode hyCache() {
    return parts().node;
  }

  @Override
  @Nullable HyCacheNode nodeIfConstructed() {
    Parts p = parts;
    return p == null ? null : p.node;
  }

  private static BlockKey key(ExtendedBlock block) {
    return HyCacheReplicaStore.key(block);
  }

  // ---- writes -----------------------------------------------------------------------------------

  @Override
  public ReplicaHandler createTemporary(
      StorageType storageType, String storageId, ExtendedBlock b, boolean isTransfer)
      throws IOException {
    return hyCache()
        .placement()
        .createWithRoom(
            storageType,
            b.getNumBytes(),
            type ->
                parts()
                    .writes
                    .writing(key(b), () -> super.createTemporary(type, storageId, b, isTransfer)));
  }

  @Override
  public ReplicaHandler createRbw(
      StorageType storageType, String storageId, ExtendedBlock b, boolean allowLazyPersist)
      throws IOException {
    if (CREATE_RBW_DELEGATES) {
      return super.createRbw(storageType, storageId, b, allowLazyPersist);
    }
    return hyCache()
        .placement()
        .createRbw(
            key(b),
            storageType,
            b.getNumBytes(),
            allowLazyPersist,
            type -> super.createRbw(type, storageId, b, allowLazyPersist));
  }

  @Override
  public ReplicaHandler createRbw(
      StorageType storageType,
      String storageId,
      ExtendedBlock b,
      boolean allowLazyPersist,
      long newGS)
      throws IOException {
    return hyCache()
        .placement()
        .createRbw(
            key(b),
            storageType,
            b.getNumBytes(),
            allowLazyPersist,
            type -> super.createRbw(type, storageId, b, allowLazyPersist, newGS));
  }

  @Override
  public void finalizeBlock(ExtendedBlock b, boolean fsyncDir) throws IOException {
    super.finalizeBlock(b, fsyncDir);
    BlockKey block = key(b);
    hyCache().events().refresh(block);
    hyCache().events().written(block);
  }

  @Override
  public void unfinalizeBlock(ExtendedBlock b) throws IOException {
    super.unfinalizeBlock(b);
    hyCache().events().refresh(key(b));
  }

  @Override
  public ReplicaHandler append(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return parts().writes.growing(b, () -> super.append(b, newGS, expectedBlockLen));
  }

  @Override
  public ReplicaHandler recoverAppend(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return parts().writes.growing(b, () -> super.recoverAppend(b, newGS, expectedBlockLen));
  }

  @Override
  public Replica recoverClose(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return parts().writes.writing(key(b), () -> super.recoverClose(b, newGS, expectedBlockLen));
  }

  @Override
  public ReplicaRecoveryInfo initReplicaRecovery(RecoveringBlock rBlock) throws IOException {
    return parts()
        .writes
        .recovering(key(rBlock.getBlock()), () -> super.initReplicaRecovery(rBlock));
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock oldBlock, long recoveryId, long newBlockId, long newlength) throws IOException {
    BlockKey block = key(oldBlock);
    try {
      return parts()
          .writes
          .recovered(
              block,
              () -> super.updateReplicaUnderRecovery(oldBlock, recoveryId, newBlockId, newlength));
    } finally {
      if (newBlockId != block.id()) {
        hyCache().events().copied(block, new BlockKey(block.pool(), newBlockId));
      }
    }
  }

  // ---- deletions --------------------------------------------------------------------------------

  @Override
  public void invalidate(String bpid, Block[] invalidBlks) throws IOException {
    parts().deletions.invalidate(bpid, invalidBlks, blocks -> super.invalidate(bpid, blocks));
  }

  @Override
  boolean removeReplicaFromMem(ExtendedBlock block, FsVolumeImpl volume) {
    return parts().deletions.removed(key(block), () -> super.removeReplicaFromMem(block, volume));
  }

  @Override
  public void invalidateMissingBlock(String bpid, Block block) {
    parts().missing.invalidate(bpid, block, () -> super.invalidateMissingBlock(bpid, block));
  }

  @Override
  public void checkAndUpdate(String bpid, ScanInfo scanInfo) throws IOException {
    parts().localMove.scanned(bpid, scanInfo, () -> super.checkAndUpdate(bpid, scanInfo));
  }

  // ---- reads ------------------------------------------------------------------------------------

  @Override
  public InputStream getBlockInputStream(ExtendedBlock b, long seekOffset) throws IOException {
    BlockKey block = key(b);
    InputStream clean = hyCache().reads().openCleanData(block, b.getGenerationStamp(), seekOffset);
    if (clean != null) {
      return clean;
    }
    InputStream plain = null;
    try {
      plain = parts().lookAgain.at(block, () -> super.getBlockInputStream(b, seekOffset));
    } catch (IOException e) {
      parts().missing.behindCleanCopy(b, block, e);
      throw e;
    } finally {
      if (plain == null) {
        hyCache().reads().notOpened();
      }
    }
    if (plain == null) {
      throw new FileNotFoundException("no stream of block " + b);
    }
    return hyCache().reads().observe(plain, block, b.getGenerationStamp(), seekOffset);
  }

  @Override
  @SuppressWarnings("NullAway") // null if there is no checksum file, as in HDFS
  public LengthInputStream getMetaDataInputStream(ExtendedBlock b) throws IOException {
    BlockKey block = key(b);
    LengthInputStream clean = hyCache().reads().openCleanChecksums(block, b.getGenerationStamp());
    return clean != null
        ? clean
        : parts().lookAgain.at(block, () -> super.getMetaDataInputStream(b));
  }

  @Override
  @SuppressWarnings("NullAway") // HDFS's own never returns null
  public BlockLocalPathInfo getBlockLocalPathInfo(ExtendedBlock b) throws IOException {
    return parts().lookAgain.at(key(b), () -> super.getBlockLocalPathInfo(b));
  }

  /**
   * Repeats the look-up for moved replicas: the DataNode reports a replica as corrupt if this
   * throws.
   */
  @Override
  public void checkBlock(ExtendedBlock b, long minLength, ReplicaState state) throws IOException {
    Boolean ignored =
        parts()
            .lookAgain
            .at(
                key(b),
                () -> {
                  super.checkBlock(b, minLength, state);
                  return Boolean.TRUE;
                });
  }

  // ---- local moves ------------------------------------------------------------------------------

  @Override
  ReplicaInfo copyReplicaToVolume(
      ExtendedBlock block, ReplicaInfo replicaInfo, FsVolumeReference volumeRef)
      throws IOException {
    return parts()
        .localMove
        .copy(
            block,
            replicaInfo,
            volumeRef,
            () -> super.copyReplicaToVolume(block, replicaInfo, volumeRef));
  }

  @Override
  void finalizeNewReplica(ReplicaInfo newReplicaInfo, ExtendedBlock block) throws IOException {
    parts()
        .localMove
        .finish(block, newReplicaInfo, () -> super.finalizeNewReplica(newReplicaInfo, block));
  }

  @Override
  public ReplicaInfo moveBlockAcrossStorage(
      ExtendedBlock block, StorageType targetStorageType, String storageId) throws IOException {
    return parts()
        .localMove
        .acrossStorage(
            block, () -> super.moveBlockAcrossStorage(block, targetStorageType, storageId));
  }

  @Override
  public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination)
      throws IOException {
    return parts()
        .localMove
        .acrossVolumes(block, () -> super.moveBlockAcrossVolumes(block, destination));
  }

  // ---- space ------------------------------------------------------------------------------------

  @Override
  public StorageReport[] getStorageReports(String bpid) throws IOException {
    StorageReport[] plain = super.getStorageReports(bpid);
    return hyCache()
        .orPlain(
            "storage reports",
            plain,
            () -> HyCacheSpace.withCleanAsFree(plain, getVolumeList(), hyCache()::givableBytes));
  }

  @Override
  public boolean isSick(FsVolumeSpi volume) {
    Parts p = parts;
    return p != null && p.node.avoid(new File(volume.getBaseURI()));
  }

  @Override
  public long madeWayBytes(FsVolumeSpi volume) {
    Parts p = parts;
    return p == null ? 0 : p.node.placement().grantedBytes(volume);
  }

  @Override
  public double slowdown(FsVolumeSpi volume) {
    Parts p = parts;
    return p == null ? 0 : p.node.slowdown(new File(volume.getBaseURI()));
  }

  @Override
  public void chosen(FsVolumeSpi volume) {
    Parts p = parts;
    if (p != null) {
      p.node.chosen(new File(volume.getBaseURI()));
    }
  }

  // ---- block pools, volumes, life ---------------------------------------------------------------

  @Override
  public void addBlockPool(String bpid, Configuration conf) throws IOException {
    try {
      super.addBlockPool(bpid, conf);
    } finally {
      hyCache().scan().poolAdded(bpid);
    }
  }

  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> nsInfos) throws IOException {
    super.addVolume(location, nsInfos);
    for (NamespaceInfo nsInfo : nsInfos) {
      hyCache().scan().volumeAdded(nsInfo.getBlockPoolID());
    }
  }

  @Override
  public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String bpid) {
    Map<DatanodeStorage, BlockListAsLongs> reports = super.getBlockReports(bpid);
    hyCache().scan().reported(bpid);
    return reports;
  }

  @Override
  public void removeVolumes(Collection<StorageLocation> volumes, boolean clearFailure) {
    super.removeVolumes(volumes, clearFailure);
    hyCache().events().volumesChanged();
  }

  @Override
  public void handleVolumeFailures(Set<FsVolumeSpi> failedVolumes) {
    super.handleVolumeFailures(failedVolumes);
    hyCache().events().volumesChanged();
  }

  @Override
  public void shutdownBlockPool(String bpid) {
    hyCache().scan().poolLeaves(bpid);
    super.shutdownBlockPool(bpid);
    hyCache().events().poolRemoved(bpid);
  }

  @Override
  public void shutdown() {
    Parts p = parts;
    try {
      if (p != null) {
        p.node.close();
      }
    } finally { // memory may be short
      super.shutdown();
    }
  }
}
