package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import io.hycache.hdfs.dataset.ReplicaView;
import io.hycache.hdfs.dataset.WithHyCache;
import io.hycache.hdfs.volume.VolumeHealth;
import java.io.Closeable;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBuilder;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
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
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's dataset with a word to {@link HyCacheNode} before or after. It decides nothing; each
 * override is {@code super} and one call, and everything of ours is guarded behind that call. Not
 * public: a public class below a package-private one gets a bridge for each method that it
 * inherits, and these name classes that another Hadoop may not have.
 */
class HyCacheDataset extends FsDatasetImpl implements WithHyCache, VolumeHealth {
  /** Hadoop 3.3 has only the 4-argument createRbw; from 3.4 on it delegates to one with 5. */
  private static final boolean CREATE_RBW_DELEGATES =
      has(
          "createRbw",
          StorageType.class,
          String.class,
          ExtendedBlock.class,
          boolean.class,
          long.class);

  /** Hadoop 3.3 leaves it to the reader of a block. */
  private static final boolean INVALIDATES_MISSING =
      has("invalidateMissingBlock", String.class, Block.class);

  /** What LocalReplica says in a plain IOException where there is no native library. */
  private static final String NO_DATA_FILE = "Expected block file at ";

  private final @Nullable HyCacheNode node;
  private final @Nullable HyCacheReplicaStore replicas;
  private final @Nullable HyCacheSwitch moveSwitch;
  private final @Nullable HyCacheLookAgain lookAgain;

  /** Sees and sets the mark of blocks that the balancer must leave where they are; or null. */
  private final @Nullable LocalFileSystem pinnedFiles;

  HyCacheDataset(DataNode datanode, DataStorage storage, Configuration conf) throws IOException {
    super(datanode, storage, conf);
    replicas = new HyCacheReplicaStore(this);
    node = new HyCacheNode(conf, replicas, datanode.getDatanodeUuid());
    moveSwitch = new HyCacheSwitch(this, node);
    lookAgain = new HyCacheLookAgain(this, node::lookedAgain);
    boolean pinning =
        conf.getBoolean(
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
    pinnedFiles = pinning ? FileSystem.getLocal(conf) : null;
  }

  private static boolean has(String method, Class<?>... parameters) {
    try {
      FsDatasetImpl.class.getMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public HyCacheNode hyCache() {
    HyCacheNode n = node;
    if (n == null) {
      throw new IllegalStateException("the dataset is being constructed");
    }
    return n;
  }

  // ---- writes -----------------------------------------------------------------------------------

  private interface CreateRbw {
    ReplicaHandler on(StorageType type) throws IOException;
  }

  private ReplicaHandler placed(StorageType asked, ExtendedBlock b, boolean lazy, CreateRbw create)
      throws IOException {
    if (!hyCache().placeOnSsd(b.getBlockPoolId(), b.getBlockId(), asked, b.getNumBytes(), lazy)) {
      return asAsked(asked, b, create);
    }
    ReplicaHandler handler;
    try {
      handler = create.on(StorageType.SSD);
    } catch (ReplicaAlreadyExistsException | RuntimeException | Error e) {
      hyCache().notPlaced(b.getNumBytes());
      throw e;
    } catch (IOException e) {
      hyCache().notPlaced(b.getNumBytes());
      hyCache().placementFailed(b.getBlockPoolId(), b.getBlockId(), e);
      return asAsked(asked, b, create);
    }
    ReplicaInfo created = handler.getReplica().getReplicaInfo();
    hyCache()
        .placed(
            b.getBlockPoolId(), b.getBlockId(), b.getNumBytes(), new File(created.getBlockURI()));
    return handler;
  }

  private ReplicaHandler asAsked(StorageType asked, ExtendedBlock b, CreateRbw create)
      throws IOException {
    ReplicaHandler handler;
    try {
      handler = withRoom(asked, b, create);
    } catch (DiskOutOfSpaceException e) {
      if (asked != StorageType.SSD || hyCache().passThrough()) {
        throw e;
      }
      hyCache().placementFailed(b.getBlockPoolId(), b.getBlockId(), e);
      handler = create.on(StorageType.DISK);
      hyCache().placedOnDisk(b.getBlockPoolId(), b.getBlockId());
    }
    ReplicaInfo created = handler.getReplica().getReplicaInfo();
    hyCache()
        .created(b.getBlockPoolId(), b.getBlockId(), new File(created.getVolume().getBaseURI()));
    return handler;
  }

  /** The NameNode counts clean copies as free: where a volume is full of them, they make way. */
  private ReplicaHandler withRoom(StorageType asked, ExtendedBlock b, CreateRbw create)
      throws IOException {
    try {
      return create.on(asked);
    } catch (DiskOutOfSpaceException e) {
      if (asked != StorageType.SSD || !hyCache().makeRoomOnSsd(b.getNumBytes())) {
        throw e;
      }
      try {
        return create.on(asked);
      } finally {
        hyCache().roomUsed();
      }
    }
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType storageType, String storageId, ExtendedBlock b, boolean isTransfer)
      throws IOException {
    return withRoom(storageType, b, type -> super.createTemporary(type, storageId, b, isTransfer));
  }

  @Override
  public ReplicaHandler createRbw(
      StorageType storageType, String storageId, ExtendedBlock b, boolean allowLazyPersist)
      throws IOException {
    if (CREATE_RBW_DELEGATES) {
      return super.createRbw(storageType, storageId, b, allowLazyPersist);
    }
    return placed(
        storageType,
        b,
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
    return placed(
        storageType,
        b,
        allowLazyPersist,
        type -> super.createRbw(type, storageId, b, allowLazyPersist, newGS));
  }

  @Override
  public void finalizeBlock(ExtendedBlock b, boolean fsyncDir) throws IOException {
    super.finalizeBlock(b, fsyncDir);
    refresh(b);
    hyCache().written(b.getBlockPoolId(), b.getBlockId());
  }

  @Override
  public void unfinalizeBlock(ExtendedBlock b) throws IOException {
    super.unfinalizeBlock(b);
    refresh(b);
  }

  private void refresh(ExtendedBlock b) {
    hyCache().refresh(b.getBlockPoolId(), b.getBlockId());
  }

  private interface Write<T> {
    T run() throws IOException;
  }

  /** Writes to a block: a move of it gives way, and nothing stale of it is served. */
  private <T> T writing(ExtendedBlock b, Write<T> write) throws IOException {
    try (BlockMoves.Hold hold = hyCache().writing(b.getBlockPoolId(), b.getBlockId())) {
      hyCache().changing(b.getBlockPoolId(), b.getBlockId());
      return write.run();
    } finally {
      refresh(b);
    }
  }

  @Override
  public ReplicaHandler append(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return growing(b, () -> super.append(b, newGS, expectedBlockLen));
  }

  /** Appends to a block. On a full SSD clean copies make way, or the replica goes to DISK first. */
  private ReplicaHandler growing(ExtendedBlock b, Write<ReplicaHandler> append) throws IOException {
    try {
      return writing(b, append);
    } catch (DiskOutOfSpaceException full) {
      ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
      if (replica == null || replica.getVolume().getStorageType() != StorageType.SSD) {
        throw full;
      }
      File root = new File(replica.getVolume().getBaseURI());
      if (hyCache().makeRoomFor(root, b.getNumBytes() - replica.getNumBytes())) {
        try {
          return writing(b, append);
        } catch (DiskOutOfSpaceException stillFull) {
          full.addSuppressed(stillFull);
        }
      }
      if (!hyCache().moveForAppend(b.getBlockPoolId(), b.getBlockId(), b.getNumBytes())) {
        throw full;
      }
      return writing(b, append);
    }
  }

  @Override
  public ReplicaHandler recoverAppend(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return growing(b, () -> super.recoverAppend(b, newGS, expectedBlockLen));
  }

  @Override
  public Replica recoverClose(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    return writing(b, () -> super.recoverClose(b, newGS, expectedBlockLen));
  }

  @Override
  public ReplicaRecoveryInfo initReplicaRecovery(RecoveringBlock rBlock) throws IOException {
    return writing(rBlock.getBlock(), () -> recover(rBlock));
  }

  private ReplicaRecoveryInfo recover(RecoveringBlock rBlock) throws IOException {
    try {
      return super.initReplicaRecovery(rBlock);
    } catch (IOException e) {
      ExtendedBlock block = rBlock.getBlock();
      ReplicaInfo replica = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
      if (replica == null || !HyCacheTornTail.cut(replica)) {
        throw e;
      }
      return super.initReplicaRecovery(rBlock);
    }
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock oldBlock, long recoveryId, long newBlockId, long newlength) throws IOException {
    try {
      return writing(
          oldBlock,
          () -> super.updateReplicaUnderRecovery(oldBlock, recoveryId, newBlockId, newlength));
    } finally {
      if (newBlockId != oldBlock.getBlockId()) {
        hyCache().copied(oldBlock.getBlockPoolId(), oldBlock.getBlockId(), newBlockId);
      }
    }
  }

  @Override
  public void invalidate(String bpid, Block[] invalidBlks) throws IOException {
    HyCacheReplicaStore store = replicas;
    Block[] issued = HyCacheScheduledReports.issued(invalidBlks);
    Block[] blocks = store == null ? issued : store.takeDeletions(bpid, issued);
    List<BlockMoves.Hold> holds = new ArrayList<>(blocks.length);
    try {
      for (Block block : blocks) {
        holds.add(hyCache().writing(bpid, block.getBlockId()));
        if (volumeMap.get(bpid, block) != null) {
          hyCache().deleted(bpid, block.getBlockId());
        }
      }
      super.invalidate(bpid, blocks);
    } finally {
      holds.forEach(BlockMoves.Hold::close);
      for (Block block : blocks) {
        if (volumeMap.get(bpid, block) == null) {
          // A copy of it may have been taken into the index between the two steps.
          hyCache().gone(bpid, block.getBlockId());
        } else if (store == null || !store.isBeingDeleted(new BlockKey(bpid, block.getBlockId()))) {
          hyCache().refresh(bpid, block.getBlockId()); // it stays
        }
      }
    }
  }

  /** From Hadoop 3.4 on a replica is deleted some time after {@link #invalidate}. */
  @Override
  boolean removeReplicaFromMem(ExtendedBlock block, FsVolumeImpl volume) {
    BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
    try {
      return super.removeReplicaFromMem(block, volume);
    } finally {
      HyCacheReplicaStore store = replicas;
      if (store != null) {
        store.deletionEnded(key);
      }
      if (volumeMap.get(key.pool(), key.id()) == null) {
        hyCache().gone(key.pool(), key.id());
      } else {
        hyCache().refresh(key.pool(), key.id()); // HDFS has not deleted it after all
      }
    }
  }

  @Override
  public void invalidateMissingBlock(String bpid, Block block) {
    if (isHere(bpid, block)) {
      return;
    }
    try (BlockMoves.Hold hold = hyCache().writing(bpid, block.getBlockId())) {
      if (isHereWithoutWriters(bpid, block)) {
        return;
      }
      super.invalidateMissingBlock(bpid, block);
    }
    hyCache().deleted(bpid, block.getBlockId());
  }

  /** What HDFS's directory scanner found; a block that is just being moved waits for the next. */
  @Override
  public void checkAndUpdate(String bpid, ScanInfo scanInfo) throws IOException {
    BlockMoves.Hold scanning;
    try {
      scanning = hyCache().holdForMove(bpid, scanInfo.getBlockId());
    } catch (IOException e) {
      return;
    }
    try (BlockMoves.Hold hold = scanning) {
      if (!moveSwitch().removedLeftBehind(bpid, scanInfo)) {
        super.checkAndUpdate(bpid, scanInfo);
      }
    } finally {
      hyCache().refresh(bpid, scanInfo.getBlockId());
    }
  }

  // ---- reads ------------------------------------------------------------------------------------

  @Override
  public InputStream getBlockInputStream(ExtendedBlock b, long seekOffset) throws IOException {
    String pool = b.getBlockPoolId();
    InputStream clean = hyCache().openCleanData(pool, b.getBlockId(), seekOffset);
    if (clean != null) {
      return clean;
    }
    InputStream plain;
    try {
      plain = lookAgain().at(b, () -> super.getBlockInputStream(b, seekOffset));
    } catch (IOException e) {
      missingBehindCleanCopy(b, e);
      throw e;
    }
    if (plain == null) {
      throw new FileNotFoundException("no stream of block " + b);
    }
    return hyCache().observe(plain, pool, b.getBlockId(), seekOffset);
  }

  /**
   * Plain HDFS notices a missing data file when it opens the checksum file, and drops the replica.
   * Where the checksum file came from a clean copy that look was skipped; it is made up for here.
   */
  private void missingBehindCleanCopy(ExtendedBlock b, IOException e) throws IOException {
    String message = e.getMessage();
    if (!hyCache().hasCopy(b.getBlockPoolId(), b.getBlockId())
        || message == null
        || message.contains("Too many open files")
        || !(e instanceof FileNotFoundException || message.startsWith(NO_DATA_FILE))) {
      return;
    }
    if (INVALIDATES_MISSING) {
      invalidateMissingBlock(b.getBlockPoolId(), b.getLocalBlock());
      return;
    }
    ReplicaInfo missing = volumeMap.get(b.getBlockPoolId(), b.getLocalBlock());
    if (missing != null && !isHere(b.getBlockPoolId(), b.getLocalBlock())) {
      datanode.notifyNamenodeDeletedBlock(b, missing.getStorageUuid());
      invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
    }
  }

  @Override
  @SuppressWarnings("NullAway") // null says that there is no checksum file, as with HDFS's own
  public LengthInputStream getMetaDataInputStream(ExtendedBlock b) throws IOException {
    LengthInputStream clean = hyCache().openCleanChecksums(b.getBlockPoolId(), b.getBlockId());
    return clean != null ? clean : lookAgain().at(b, () -> super.getMetaDataInputStream(b));
  }

  @Override
  @SuppressWarnings("NullAway") // HDFS's own never gives null
  public BlockLocalPathInfo getBlockLocalPathInfo(ExtendedBlock b) throws IOException {
    return lookAgain().at(b, () -> super.getBlockLocalPathInfo(b));
  }

  /** What it misses, the DataNode reports as a corrupt replica. */
  @Override
  public void checkBlock(ExtendedBlock b, long minLength, ReplicaState state) throws IOException {
    Boolean ignored =
        lookAgain()
            .at(
                b,
                () -> {
                  super.checkBlock(b, minLength, state);
                  return Boolean.TRUE;
                });
  }

  /** Shall a replica be kept that HDFS takes for missing? Counted. */
  private boolean isHere(String pool, Block block) {
    boolean here = lookAgain().isHere(pool, block);
    if (here) {
      hyCache().notMissing();
    }
    return here;
  }

  /**
   * The same for a block that no local move may touch. HDFS finalizes a replica under the volume's
   * lock: it renames the files first, and then changes the replica map.
   */
  private boolean isHereWithoutWriters(String pool, Block block) {
    ReplicaInfo replica = volumeMap.get(pool, block);
    if (replica == null) {
      return isHere(pool, block);
    }
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(this, pool, replica.getVolume())) {
      return isHere(pool, block);
    } catch (IOException e) {
      return isHere(pool, block);
    }
  }

  private HyCacheLookAgain lookAgain() {
    HyCacheLookAgain l = lookAgain;
    if (l == null) {
      throw new IllegalStateException("the dataset is being constructed");
    }
    return l;
  }

  // ---- local moves ------------------------------------------------------------------------------

  @Override
  ReplicaInfo copyReplicaToVolume(
      ExtendedBlock block, ReplicaInfo replicaInfo, FsVolumeReference volumeRef)
      throws IOException {
    refuseIfThere(block, replicaInfo, volumeRef.getVolume());
    ReplicaInfo copy = copyToVolume(block, replicaInfo, volumeRef);
    moveSwitch().copied(block, replicaInfo);
    return copy;
  }

  /**
   * Ends a local move to the volume that the replica lies on: HDFS would put the copy in the place
   * of the replica, and then remove the files of the replica, which are the copy's by then. Between
   * a decision to move and the move, HDFS's own tools may have moved the replica there.
   */
  private void refuseIfThere(ExtendedBlock block, ReplicaInfo replica, FsVolumeSpi target)
      throws IOException {
    boolean ours = isDemoting(block);
    boolean there = target.getStorageID().equals(replica.getStorageUuid());
    if (there || (ours && replica.getVolume().getStorageType() != StorageType.SSD)) {
      String why = "replica has moved meanwhile: replica=" + replica + " target=" + target;
      throw ours ? new MoveAbandonedException(why) : new IOException(why);
    }
  }

  private ReplicaInfo copyToVolume(
      ExtendedBlock block, ReplicaInfo replicaInfo, FsVolumeReference volumeRef)
      throws IOException {
    ReplicaView source = HyCacheReplicaStore.view(block.getBlockPoolId(), replicaInfo);
    boolean ours = isDemoting(block);
    if (ours && (source == null || hyCache().passThrough())) {
      throw new IOException("a demotion of ours does not go on as a plain copy: block=" + block);
    }
    if (source == null || hyCache().passThrough()) {
      return super.copyReplicaToVolume(block, replicaInfo, volumeRef);
    }
    FsVolumeImpl target = (FsVolumeImpl) volumeRef.getVolume();
    moveSwitch().refuseIfNewerLies(block, replicaInfo, target);
    if (!ours) {
      ReplicaInfo copied = super.copyReplicaToVolume(block, replicaInfo, volumeRef);
      if (copied instanceof LocalReplica) {
        LocalReplica local = (LocalReplica) copied;
        hyCache().settleCopy(source, local.getBlockFile(), local.getMetaFile());
      }
      return copied;
    }
    File dir =
        DatanodeUtil.idToBlockDir(
            target.getTmpDir(block.getBlockPoolId()), replicaInfo.getBlockId());
    File data = new File(dir, replicaInfo.getBlockName());
    File checksums = FsDatasetUtil.getMetaFile(data, replicaInfo.getGenerationStamp());
    long bytes = replicaInfo.getBlockDataLength() + replicaInfo.getMetadataLength();
    try (Closeable reserved = HyCacheReplicaStore.reserve(target, bytes)) {
      hyCache().copyReplica(source, data, checksums);
    }
    ReplicaInfo copy =
        new ReplicaBuilder(ReplicaState.TEMPORARY)
            .setBlockId(replicaInfo.getBlockId())
            .setGenerationStamp(replicaInfo.getGenerationStamp())
            .setFsVolume(target)
            .setDirectoryToUse(dir)
            .setBytesToReserve(0)
            .build();
    copy.setNumBytes(replicaInfo.getNumBytes());
    LocalFileSystem files = pinnedFiles;
    if (files != null) {
      pinAs(replicaInfo, copy, files);
    }
    return copy;
  }

  private static void pinAs(ReplicaInfo source, ReplicaInfo copy, LocalFileSystem files)
      throws IOException {
    boolean pinned = false;
    try {
      if (source.getPinning(files)) {
        copy.setPinning(files);
      }
      pinned = true;
    } finally {
      if (!pinned) {
        copy.deleteBlockData();
        copy.deleteMetadata();
      }
    }
  }

  private boolean isDemoting(ExtendedBlock block) {
    return hyCache().isDemoting(new BlockKey(block.getBlockPoolId(), block.getBlockId()));
  }

  /** Makes a copied replica the replica, unless the original changed meanwhile. */
  @Override
  void finalizeNewReplica(ReplicaInfo newReplicaInfo, ExtendedBlock block) throws IOException {
    ReplicaInfo now = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    boolean nothingWasCopied =
        now != null && now.getBlockURI().equals(newReplicaInfo.getBlockURI());
    boolean plain = hyCache().passThrough() && !isDemoting(block);
    if (nothingWasCopied || plain || newReplicaInfo.isOnTransientStorage()) {
      moveSwitch().forget(block);
      super.finalizeNewReplica(newReplicaInfo, block);
      return;
    }
    if (hyCache().passThrough() && isDemoting(block)) {
      moveSwitch().forget(block);
      newReplicaInfo.deleteBlockData();
      newReplicaInfo.deleteMetadata();
      throw new IOException("a demotion of ours is not committed in pass-through: block=" + block);
    }
    moveSwitch().make(block, newReplicaInfo);
    hyCache().committed(block.getBlockPoolId(), block.getBlockId());
  }

  private HyCacheSwitch moveSwitch() {
    HyCacheSwitch s = moveSwitch;
    if (s == null) {
      throw new IllegalStateException("the dataset is being constructed");
    }
    return s;
  }

  @Override
  public ReplicaInfo moveBlockAcrossStorage(
      ExtendedBlock block, StorageType targetStorageType, String storageId) throws IOException {
    try (BlockMoves.Hold hold = holdForMove(block)) {
      ReplicaInfo moved = super.moveBlockAcrossStorage(block, targetStorageType, storageId);
      moveSwitch().notifyIfChanged(block, moved);
      hyCache().moved(block.getBlockPoolId(), block.getBlockId());
      return moved;
    }
  }

  @Override
  public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination)
      throws IOException {
    try (BlockMoves.Hold hold = holdForMove(block)) {
      hyCache().moving(block.getBlockPoolId(), block.getBlockId());
      ReplicaInfo moved = super.moveBlockAcrossVolumes(block, destination);
      moveSwitch().notifyIfChanged(block, moved);
      hyCache().moved(block.getBlockPoolId(), block.getBlockId());
      return moved;
    }
  }

  private BlockMoves.Hold holdForMove(ExtendedBlock block) throws IOException {
    HyCacheReplicaStore store = replicas;
    BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
    if (store != null && store.isBeingDeleted(key)) {
      // HDFS would not delete what is on another volume by then.
      String why = "replica is being deleted: block=" + block;
      throw isDemoting(block) ? new MoveAbandonedException(why) : new ReplicaNotFoundException(why);
    }
    return hyCache().holdForMove(block.getBlockPoolId(), block.getBlockId());
  }

  // ---- space ------------------------------------------------------------------------------------

  @Override
  public StorageReport[] getStorageReports(String bpid) throws IOException {
    StorageReport[] reports = super.getStorageReports(bpid);
    for (FsVolumeImpl volume : getVolumeList()) {
      long clean = hyCache().givableBytes(new File(volume.getBaseURI()));
      for (int i = 0; clean > 0 && i < reports.length; i++) {
        if (reports[i].getStorage().getStorageID().equals(volume.getStorageID())) {
          reports[i] = withCleanAsFree(reports[i], clean);
        }
      }
    }
    return reports;
  }

  /** Clean copies are there until something else needs the room: the NameNode may count on it. */
  private static StorageReport withCleanAsFree(StorageReport r, long cleanBytes) {
    long most = Math.max(r.getRemaining(), r.getCapacity() - r.getDfsUsed());
    long remaining = Math.min(most, r.getRemaining() + cleanBytes);
    long nonDfsUsed = Math.max(0, r.getNonDfsUsed() - cleanBytes);
    // Hadoop 3.3 has no constructor with a mount, and never asks for it.
    return new StorageReport(
        r.getStorage(),
        r.isFailed(),
        r.getCapacity(),
        r.getDfsUsed(),
        remaining,
        r.getBlockPoolUsed(),
        nonDfsUsed) {
      @Override
      public String getMount() {
        return r.getMount();
      }
    };
  }

  @Override
  public boolean isSick(FsVolumeSpi volume) {
    HyCacheNode n = node;
    return n != null && n.avoid(new File(volume.getBaseURI()));
  }

  @Override
  public long madeWayBytes(FsVolumeSpi volume) {
    HyCacheNode n = node;
    return n != null && n.isRoomGranted() ? n.grantedBytes(new File(volume.getBaseURI())) : 0;
  }

  // ---- block pools, volumes, life ---------------------------------------------------------------

  @Override
  public void addBlockPool(String bpid, Configuration conf) throws IOException {
    try {
      super.addBlockPool(bpid, conf);
    } finally {
      hyCache().poolAdded(bpid);
    }
  }

  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> nsInfos) throws IOException {
    super.addVolume(location, nsInfos);
    for (NamespaceInfo nsInfo : nsInfos) {
      hyCache().volumeAdded(nsInfo.getBlockPoolID());
    }
  }

  @Override
  public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String bpid) {
    Map<DatanodeStorage, BlockListAsLongs> reports = super.getBlockReports(bpid);
    hyCache().reported(bpid);
    return reports;
  }

  @Override
  public void removeVolumes(Collection<StorageLocation> volumes, boolean clearFailure) {
    super.removeVolumes(volumes, clearFailure);
    hyCache().volumesChanged();
  }

  @Override
  public void handleVolumeFailures(Set<FsVolumeSpi> failedVolumes) {
    super.handleVolumeFailures(failedVolumes);
    hyCache().volumesChanged();
  }

  @Override
  public void shutdownBlockPool(String bpid) {
    hyCache().poolLeaves(bpid);
    super.shutdownBlockPool(bpid);
    hyCache().poolRemoved(bpid);
  }

  @Override
  public void cache(String bpid, long[] blockIds) {
    for (long id : blockIds) {
      hyCache().lockedInMemory(bpid, id);
    }
    super.cache(bpid, blockIds);
  }

  @Override
  public void uncache(String bpid, long[] blockIds) {
    super.uncache(bpid, blockIds);
    for (long id : blockIds) {
      hyCache().unlocked(bpid, id);
    }
  }

  @Override
  public void shutdown() {
    HyCacheNode n = node;
    if (n != null) {
      n.close();
    }
    super.shutdown();
  }
}
