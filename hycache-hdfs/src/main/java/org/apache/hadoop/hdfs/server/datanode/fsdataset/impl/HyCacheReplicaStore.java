// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.dataset.ReplicaStore;
import io.hycache.hdfs.dataset.ReplicaView;
import io.hycache.hdfs.dataset.ScheduledReports;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;

/**
 * Adapts HDFS's replica map and volumes to {@link ReplicaStore}. Owns the deletions in progress.
 * Thread-safe.
 */
final class HyCacheReplicaStore implements ReplicaStore {
  private static final boolean REPORTS = HyCacheReports.available();

  /** Number of tracked deletions beyond which completed ones are purged. */
  private static final int MIN_PURGE_THRESHOLD = 10_000;

  /** Age after which a deletion that HDFS has not made is considered dropped. */
  private static final long DELETION_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * Time after a report within which a deletion command that the NameNode sent before it may
   * arrive.
   */
  private static final long KEEP_AFTER_REPORT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final FsDatasetImpl dataset;
  private final StorageTiers tiers;
  private final HyCacheReports reports;
  private final Map<BlockKey, Long> reportedNanos = new ConcurrentHashMap<>();

  /** Replicas whose deletion HDFS has accepted and may not have made yet. */
  private final Map<BlockKey, Deletion> deleting = new ConcurrentHashMap<>();

  private volatile int purgeThreshold = MIN_PURGE_THRESHOLD;

  /** Replicas whose deletion was skipped because they had just been reported as healthy. */
  private final Set<BlockKey> kept = ConcurrentHashMap.newKeySet();

  /** A deletion that HDFS has accepted. Immutable. */
  private static final class Deletion {
    final ReplicaInfo replica;
    final long sinceNanos = System.nanoTime();

    Deletion(ReplicaInfo replica) {
      this.replica = replica;
    }
  }

  HyCacheReplicaStore(FsDatasetImpl dataset, StorageTiers tiers) {
    this.dataset = dataset;
    this.tiers = tiers;
    this.reports = new HyCacheReports(dataset.datanode);
  }

  /** Returns the key of a block. */
  static BlockKey key(ExtendedBlock block) {
    return new BlockKey(block.getBlockPoolId(), block.getBlockId());
  }

  private static ExtendedBlock extended(Replica replica) {
    return new ExtendedBlock(
        replica.block().pool(),
        replica.block().id(),
        replica.lengthBytes(),
        replica.generationStamp());
  }

  private @Nullable ReplicaInfo info(BlockKey block) {
    return dataset.volumeMap.get(block.pool(), block.id());
  }

  @Override
  public StorageTiers tiers() {
    return tiers;
  }

  private boolean fast(ReplicaInfo info) {
    return tiers.isFast(info.getVolume().getStorageType());
  }

  private boolean slow(ReplicaInfo info) {
    return info.getVolume().getStorageType() == tiers.slow();
  }

  /**
   * Returns a view of a finalized local replica; null for any other, and for one on a volume of no
   * tier, which is left to HDFS.
   */
  @Nullable ReplicaView view(String pool, @Nullable ReplicaInfo info) {
    return info != null && viewable(info) ? look(pool, (LocalReplica) info) : null;
  }

  private boolean viewable(ReplicaInfo info) {
    return info instanceof LocalReplica
        && info.getState() == ReplicaState.FINALIZED
        && (fast(info) || slow(info));
  }

  private static Replica replica(String pool, ReplicaInfo info) {
    return new Replica(
        new BlockKey(pool, info.getBlockId()), info.getGenerationStamp(), info.getNumBytes());
  }

  private ReplicaView look(String pool, LocalReplica info) {
    return new ReplicaView(
        replica(pool, info),
        fast(info),
        new File(info.getVolume().getBaseURI()),
        info.getBlockFile(),
        info.getMetaFile());
  }

  @Override
  public @Nullable ReplicaView finalized(BlockKey block) {
    return view(block.pool(), info(block));
  }

  @Override
  public boolean exists(BlockKey block) {
    return info(block) != null;
  }

  @Override
  public boolean isFinalizedOnDisk(Replica replica) {
    ReplicaInfo info = info(replica.block());
    return info != null
        && isFinalizedAs(info, replica)
        && slow(info)
        && (deleting.isEmpty() || !isBeingDeleted(replica.block(), info));
  }

  /** Returns true if a replica is finalized in this state, on whatever volume. */
  private static boolean isFinalizedAs(ReplicaInfo info, Replica state) {
    return info.getState() == ReplicaState.FINALIZED
        && info.getGenerationStamp() == state.generationStamp()
        && info.getNumBytes() == state.lengthBytes();
  }

  @Override
  public boolean isOnSsd(BlockKey block) {
    ReplicaInfo info = info(block);
    return info != null && fast(info);
  }

  @Override
  public void all(String pool, Consumer<Replica> onSlow, Consumer<ReplicaView> onFast) {
    for (ReplicaInfo info : dataset.getFinalizedBlocks(pool)) {
      if (!viewable(info)) {
        continue;
      }
      if (fast(info)) {
        onFast.accept(look(pool, (LocalReplica) info));
      } else {
        onSlow.accept(replica(pool, info));
      }
    }
  }

  @Override
  public Set<String> pools() {
    return Set.of(dataset.volumeMap.getBlockPoolList());
  }

  @Override
  public List<Volume> ssdVolumes() {
    return volumes(tiers::isFast);
  }

  @Override
  public List<Volume> diskVolumes() {
    return volumes(type -> type == tiers.slow());
  }

  @Override
  public List<File> failedSsds() {
    List<File> failed = new ArrayList<>();
    for (String text : dataset.getFailedStorageLocations()) {
      try {
        StorageLocation location = StorageLocation.parse(text);
        if (tiers.isFast(location.getStorageType())) {
          failed.add(new File(location.getUri().getPath()));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("HDFS's own name of a volume: " + text, e);
      }
    }
    return failed;
  }

  /** Returns the root of a volume; null if it is not a directory here, as a PROVIDED one is not. */
  static @Nullable File root(FsVolumeSpi volume) {
    URI uri = volume.getBaseURI();
    return "file".equals(uri.getScheme()) ? new File(uri) : null;
  }

  private List<Volume> volumes(Predicate<StorageType> of) {
    List<Volume> found = new ArrayList<>();
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      File root = root(volume);
      if (root != null && of.test(volume.getStorageType())) {
        found.add(new Local(volume, root, tiers.tierOf(volume.getStorageType())));
      }
    }
    return found;
  }

  private static final class Local implements Volume {
    private final FsVolumeImpl volume;
    private final File root;
    private final int tier;

    Local(FsVolumeImpl volume, File root, int tier) {
      this.volume = volume;
      this.root = root;
      this.tier = tier;
    }

    @Override
    public int tier() {
      return tier;
    }

    @Override
    public File root() {
      return root;
    }

    @Override
    public long capacityBytes() {
      return volume.getCapacity();
    }

    @Override
    public long availableBytes() throws IOException {
      return volume.getAvailable();
    }

    @Override
    public long dfsUsedBytes() throws IOException {
      return volume.getDfsUsed() + volume.getReservedForReplicas();
    }
  }

  @Override
  public Closeable hold(Replica replica) throws IOException {
    ReplicaInfo info = info(replica.block());
    if (info == null) {
      throw new IOException("replica was removed: replica=" + replica);
    }
    return info.getVolume().obtainReference();
  }

  @Override
  public Closeable reserve(File root, long bytes) throws IOException {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (root.equals(root(volume))) {
        return reserve(volume, bytes);
      }
    }
    return () -> {};
  }

  /** As {@link #reserve(File, long)}. */
  static Closeable reserve(FsVolumeImpl volume, long bytes) throws IOException {
    volume.reserveSpaceForReplica(bytes);
    boolean kept = false;
    try {
      if (volume.getAvailable() <= 0) {
        throw new DiskOutOfSpaceException(
            "no space for a move: volume=" + volume + " bytes=" + bytes);
      }
      kept = true;
      return () -> volume.releaseReservedSpace(bytes);
    } finally {
      if (!kept) {
        volume.releaseReservedSpace(bytes);
      }
    }
  }

  @Override
  public void moveTo(Replica replica, String volume) throws IOException {
    for (FsVolumeImpl target : dataset.getVolumeList()) {
      File root = root(target);
      if (root != null && root.getPath().equals(volume)) {
        dataset.moveBlockAcrossVolumes(extended(replica), target);
        return;
      }
    }
    throw new IOException("volume was removed: volume=" + volume);
  }

  @Override
  public ScheduledReports scheduledReports() {
    return new HyCacheScheduledReports(dataset, reports);
  }

  /**
   * Reports the replica as deleted and then received, in one report: a receipt alone would leave it
   * corrupt. The report may overtake another one of the same replica, so its state is checked again
   * afterwards.
   */
  @Override
  public boolean reportWell(Replica replica) throws IOException {
    if (!REPORTS || !isFinalizedOnDisk(replica)) {
      return false;
    }
    reportedNanos.values().removeIf(at -> System.nanoTime() - at > KEEP_AFTER_REPORT_NANOS);
    reportedNanos.put(replica.block(), System.nanoTime());
    // A deletion accepted earlier is seen here; a later one sees the entry in reportedNanos.
    return !isBeingDeleted(replica.block()) && reportDeletedAndReceived(replica);
  }

  @Override
  public void reportKept(BlockKey block) throws IOException {
    if (isJustReported(block)) {
      return;
    }
    reportedNanos.remove(block);
    ReplicaView view = kept.contains(block) ? finalized(block) : null;
    if (view != null && !view.onSsd() && !isBeingDeleted(block)) {
      boolean unused = reportDeletedAndReceived(view.replica());
    }
    kept.remove(block);
  }

  @Override
  public void suspect(Replica replica) {
    ReplicaInfo info = info(replica.block());
    if (info != null && isFinalizedAs(info, replica)) {
      HyCacheReports.suspect(
          dataset.datanode,
          new ExtendedBlock(replica.block().pool(), new Block(info)),
          info.getStorageUuid());
    }
  }

  private boolean reportDeletedAndReceived(Replica replica) throws IOException {
    String pool = replica.block().pool();
    ReplicaInfo before = info(replica.block());
    if (before == null || !isFinalizedOnDisk(replica)) {
      return false;
    }
    String storage = before.getStorageUuid();
    Block block = new Block(before);
    reports.report(
        pool,
        List.of(
            HyCacheReports.Line.deleted(storage, block),
            HyCacheReports.Line.received(storage, block)),
        () -> reportChanged(replica, storage));
    return true;
  }

  /**
   * Reports the replica's present state if it has changed since it was reported as deleted and
   * received on a storage.
   */
  private void reportChanged(Replica reported, String storage) {
    String pool = reported.block().pool();
    ReplicaInfo now = info(reported.block());
    if (now == null) {
      dataset.datanode.notifyNamenodeDeletedBlock(extended(reported), storage);
    } else if (now.getState() == ReplicaState.FINALIZED
        && (!isFinalizedOnDisk(reported) || !now.getStorageUuid().equals(storage))) {
      dataset.datanode.notifyNamenodeReceivedBlock(
          new ExtendedBlock(pool, new Block(now)),
          null,
          now.getStorageUuid(),
          now.isOnTransientStorage());
    }
  }

  /** Returns true from the time HDFS has accepted the replica's deletion until it is made. O(1). */
  boolean isBeingDeleted(BlockKey block) {
    return !deleting.isEmpty() && isBeingDeleted(block, info(block));
  }

  @SuppressWarnings("ReferenceEquality") // blocks are equal by id; it must be the same object
  private boolean isBeingDeleted(BlockKey block, @Nullable ReplicaInfo now) {
    Deletion taken = deleting.get(block);
    return taken != null
        && taken.replica == now
        && System.nanoTime() - taken.sinceNanos < DELETION_TIMEOUT_NANOS;
  }

  /**
   * Accepts deletions, except for replicas that were just reported as healthy: the NameNode may
   * have asked for the deletion of an excess replica before the report, and chosen another one
   * after it. {@link #reportKept} makes it decide again.
   *
   * @return the accepted deletions
   */
  Block[] takeDeletions(String pool, Block[] blocks) {
    if (deleting.size() > purgeThreshold) {
      deleting.keySet().removeIf(block -> !isBeingDeleted(block));
      purgeThreshold = Math.max(MIN_PURGE_THRESHOLD, 2 * deleting.size());
    }
    List<Block> taken = new ArrayList<>(blocks.length);
    for (Block block : blocks) {
      BlockKey key = new BlockKey(pool, block.getBlockId());
      ReplicaInfo info = dataset.volumeMap.get(pool, block);
      if (info != null) {
        deleting.put(key, new Deletion(info));
      }
      if (isJustReported(key)) {
        kept.add(key);
        deleting.remove(key);
      } else {
        taken.add(block);
      }
    }
    return taken.toArray(new Block[0]);
  }

  /** Called when HDFS has made or dropped a deletion. */
  void deletionEnded(BlockKey block) {
    deleting.remove(block);
  }

  private boolean isJustReported(BlockKey block) {
    Long at = reportedNanos.get(block);
    return at != null && System.nanoTime() - at <= KEEP_AFTER_REPORT_NANOS;
  }

  @Override
  public boolean isLockedInMemory(BlockKey block) {
    return dataset.isCached(block.pool(), block.id());
  }

  @Override
  public long pageBytes() {
    return NativeIO.POSIX.getCacheManipulator().getOperatingSystemPageSize();
  }

  @Override
  public void countCached(boolean cached) {
    DataNodeMetrics metrics = dataset.datanode.getMetrics();
    if (cached) {
      metrics.incrBlocksCached(1);
    } else {
      metrics.incrBlocksUncached(1);
    }
  }

  @Override
  public void revokeShortCircuit(BlockKey block) {
    dataset
        .datanode
        .getShortCircuitRegistry()
        .processBlockInvalidation(new ExtendedBlockId(block.id(), block.pool()));
  }
}
