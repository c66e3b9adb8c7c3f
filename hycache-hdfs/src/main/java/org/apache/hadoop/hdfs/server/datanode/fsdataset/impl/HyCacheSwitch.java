package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.dataset.LocalMoves;
import io.hycache.hdfs.dataset.FileOperation;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last part of a local move: the copy gets its place and becomes the replica.
 *
 * <p>All file operations come first, and under no lock. Then, under the lock of the volume that the
 * source lies on and unless a writer came for the block, the replica map is looked at again: the
 * entry must be the very object that was copied, unchanged. Only then it is replaced. One volume's
 * lock is enough, because whoever changes the entry has that of the volume that the entry names, or
 * the pool's; and it must be one only, because an append that was overtaken by a move takes the
 * lock of the new volume while it has that of the old one.
 *
 * <p>Between the first rename and the switch, or after a crash there, the block has finalized files
 * on two volumes. A writer's are of a newer generation stamp then, and HDFS keeps the newest when
 * it starts; its directory scanner is kept off blocks that are being moved.
 *
 * <p>Thread-safe; one move per block at a time.
 */
final class HyCacheSwitch {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheSwitch.class);

  private final FsDatasetImpl dataset;
  private final LocalMoves moves;

  /** What is being moved, as it stood in the replica map when it was copied. */
  private final ConcurrentMap<BlockKey, ReplicaInfo> sources = new ConcurrentHashMap<>();

  HyCacheSwitch(FsDatasetImpl dataset, LocalMoves moves) {
    this.dataset = dataset;
    this.moves = moves;
  }

  /** The copy that {@link #make} gets next for this block was made of this replica. */
  void copied(BlockKey block, ReplicaInfo source) {
    sources.put(block, source);
  }

  /** The copy that was made of this block does not get to {@link #make}. */
  void forget(BlockKey block) {
    sources.remove(block);
  }

  /**
   * Gives a complete copy its place, brings that to the device, and makes the copy the replica.
   *
   * @param copy under a temporary name, bytes on the device; removed if this throws
   * @throws IOException if the replica has changed, or the copy can't be placed; the replica is
   *     untouched
   */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by their id; it must be the same object
  void make(BlockKey block, ReplicaInfo copy) throws IOException {
    String pool = block.pool();
    ReplicaInfo copied = sources.remove(block);
    ReplicaInfo source = copied != null ? copied : dataset.volumeMap.get(pool, copy.getBlockId());
    if (source == null || !isStill(source, copy)) {
      remove(copy);
      throw changed(block, copy, dataset.volumeMap.get(pool, copy.getBlockId()));
    }
    FsVolumeImpl target = (FsVolumeImpl) copy.getVolume();
    boolean ready = false;
    try {
      FileOperation.SWITCH.before(new File(copy.getBlockURI()));
      ReplicaInfo now = dataset.volumeMap.get(pool, copy.getBlockId());
      if (now != source) {
        // Deleted and replicated again, it may lie on the target by now, under the same name.
        throw changed(block, copy, now);
      }
      makeDirectory(pool, copy, target);
      clearPlace(block, copy, target);
      ready = true;
    } finally {
      if (!ready) {
        remove(copy);
      }
    }
    ReplicaInfo placed;
    try {
      placed = target.addFinalizedBlock(pool, copy, copy, copy.getBytesReserved());
    } catch (IOException | RuntimeException | Error e) {
      remove(copy);
      removeHalfPlaced(pool, copy, target);
      throw e;
    }
    boolean made = false;
    try {
      target.incrNumBlocks(pool);
      syncDirectories(placed);
      made = switchOver(block, source, placed);
    } finally {
      if (!made) {
        takeBack(pool, placed, target);
      }
    }
    if (!made) {
      throw changed(block, copy, dataset.volumeMap.get(pool, copy.getBlockId()));
    }
  }

  /**
   * Makes the directory that the copy gets its place in, if it is not there. HDFS does so under the
   * volume's lock: its way of making one fails if another thread makes the same, and the writer
   * whose block was to be finalized then fails.
   */
  private void makeDirectory(String pool, Block copy, FsVolumeImpl target) throws IOException {
    File dir = place(pool, copy, target);
    if (dir.isDirectory()) {
      return;
    }
    FileOperation.MKDIR.before(dir);
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      Files.createDirectories(dir.toPath());
    }
  }

  /** The directory of a block's files on a volume. */
  private static File place(String pool, Block block, FsVolumeImpl volume) throws IOException {
    return DatanodeUtil.idToBlockDir(volume.getFinalizedDir(pool), block.getBlockId());
  }

  /**
   * Removes files of the block that lie where its copy is to be placed and are of no newer state.
   * They are there when a volume that was out of use comes back: HDFS does not look for replicas of
   * the same block then. After a crash between the removals of a replica's two files the checksum
   * file is left. With a checksum file of another generation stamp beside the copy, HDFS would take
   * that stamp for the copy's at its next start.
   *
   * @throws IOException if what lies there is newer
   */
  private void clearPlace(BlockKey block, ReplicaInfo copy, FsVolumeImpl target)
      throws IOException {
    String pool = block.pool();
    File dir = place(pool, copy, target);
    if (namesAt(dir, copy).length == 0) {
      return;
    }
    // A replica that came meanwhile gets its files and its entry under this lock.
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      File data = new File(dir, copy.getBlockName());
      if (isReplica(pool, copy.getBlockId(), data)) {
        throw changed(block, copy, dataset.volumeMap.get(pool, copy.getBlockId()));
      }
      String[] names = namesAt(dir, copy);
      refuseIfNewer(block, copy, dir, names);
      // The data file first: without one, a checksum file is no replica.
      Files.deleteIfExists(data.toPath());
      for (String name : names) {
        Files.deleteIfExists(new File(dir, name).toPath());
      }
      LOG.warn("removed older files of a block: directory={} files={}", dir, names);
    }
  }

  /**
   * Ends a move, before anything is copied, to a volume where a newer replica of the block lies
   * that HDFS does not know: its directory scanner finds that.
   */
  void refuseIfNewerLies(BlockKey block, ReplicaInfo source, FsVolumeImpl target)
      throws IOException {
    File dir = place(block.pool(), source, target);
    refuseIfNewer(block, source, dir, namesAt(dir, source));
  }

  private void refuseIfNewer(BlockKey block, ReplicaInfo copy, File dir, String[] names)
      throws IOException {
    for (String name : names) {
      if (name.endsWith(Block.METADATA_EXTENSION)
          && Block.getGenerationStamp(name) > copy.getGenerationStamp()) {
        String why = "a newer replica lies on the volume: file=" + new File(dir, name);
        throw moves.isDemoting(block) ? new MoveAbandonedException(why) : new IOException(why);
      }
    }
  }

  /** The names of a block's files in a directory; none if there is no such directory. */
  private static String[] namesAt(File dir, Block block) {
    String data = block.getBlockName();
    String[] names = dir.list((in, name) -> name.equals(data) || name.startsWith(data + "_"));
    return names == null ? new String[0] : names;
  }

  /** True if a data file is that of the replica that HDFS has now. */
  private boolean isReplica(String pool, long blockId, File data) {
    ReplicaInfo now = dataset.volumeMap.get(pool, blockId);
    return now != null && new File(now.getBlockURI()).equals(data);
  }

  /** In memory only; true if the placed copy is the replica now. */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by their id; it must be the same object
  private boolean switchOver(BlockKey block, ReplicaInfo source, ReplicaInfo placed)
      throws IOException {
    String pool = block.pool();
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, source.getVolume())) {
      if (!isInService((FsVolumeImpl) placed.getVolume())) {
        return false;
      }
      return moves.commitMove(
          block,
          () -> {
            if (dataset.volumeMap.get(pool, placed.getBlockId()) != source
                || !isStill(source, placed)) {
              return false;
            }
            ReplicaInfo before = dataset.volumeMap.add(pool, placed);
            assert before == source : before;
            return true;
          });
    }
  }

  /**
   * False if HDFS is removing the volume: it waits for the move, and then forgets every replica
   * there, while the move removes the files of the source.
   */
  private static boolean isInService(FsVolumeImpl volume) throws IOException {
    try (FsVolumeReference reference = volume.obtainReference()) {
      return true;
    } catch (ClosedChannelException e) {
      return false;
    }
  }

  private static boolean isStill(ReplicaInfo source, ReplicaInfo copy) {
    return source.getState() == ReplicaState.FINALIZED
        && source.getGenerationStamp() == copy.getGenerationStamp()
        && source.getNumBytes() == copy.getNumBytes();
  }

  private static void remove(ReplicaInfo copy) {
    copy.deleteBlockData();
    copy.deleteMetadata();
  }

  /** HDFS renames the checksum file first: it may have come that far. */
  private void removeHalfPlaced(String pool, Block copy, FsVolumeImpl target) throws IOException {
    File data = new File(place(pool, copy, target), copy.getBlockName());
    // A replica that came meanwhile gets its files and its entry under this lock.
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      if (isReplica(pool, copy.getBlockId(), data)) {
        removeStale(pool, copy, data);
        return;
      }
      File checksums = FsDatasetUtil.getMetaFile(data, copy.getGenerationStamp());
      boolean removed = checksums.delete();
      if (data.delete() || removed) {
        LOG.info("removed what a move had placed half: file={}", data);
      }
    }
  }

  /**
   * Removes a copy's checksum file beside a replica of another generation stamp that has taken the
   * copy's place: HDFS would take its stamp for the replica's at its next start. The volume's lock
   * is held.
   */
  private void removeStale(String pool, Block copy, File data) {
    ReplicaInfo now = dataset.volumeMap.get(pool, copy.getBlockId());
    File checksums = FsDatasetUtil.getMetaFile(data, copy.getGenerationStamp());
    if (now != null
        && now.getGenerationStamp() != copy.getGenerationStamp()
        && checksums.delete()) {
      LOG.info("removed the checksum file of a copy that is not wanted: file={}", checksums);
    }
  }

  /** Removes a placed copy that did not become the replica, as HDFS removes a replica. */
  private void takeBack(String pool, ReplicaInfo placed, FsVolumeImpl target) throws IOException {
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      takeBackLocked(pool, placed, target);
    }
  }

  private void takeBackLocked(String pool, ReplicaInfo placed, FsVolumeImpl target) {
    File data = new File(placed.getBlockURI());
    if (isReplica(pool, placed.getBlockId(), data)) {
      LOG.warn("a newer replica has the place of a copy that is not wanted: copy={}", placed);
      removeStale(pool, placed, data);
      return;
    }
    long checksumBytes = placed.getMetadataLength();
    if (placed.deleteBlockData() || !placed.blockDataExists()) {
      target.onBlockFileDeletion(pool, placed.getNumBytes());
      if (placed.deleteMetadata() || !placed.metadataExists()) {
        target.onMetaFileDeletion(pool, checksumBytes);
      }
    } else {
      LOG.warn("a copy that is not wanted can't be removed, the next scan does: copy={}", placed);
    }
  }

  /**
   * Removes older files of a block that the directory scanner found beside its replica: an
   * abandoned move could not. HDFS keeps the newer of the two as well, and then gives the replica
   * the generation stamp 0, because it looks for the newer one's checksum file beside the older.
   * Also a checksum file alone, of a move that a crash ended between two renames: after a later
   * move there HDFS might take its generation stamp for the replica's.
   *
   * @return true if that is what was found
   */
  boolean removedLeftBehind(String pool, ScanInfo found) throws IOException {
    if (!isLeftBehind(pool, found)) {
      return false;
    }
    // A replica that came meanwhile gets its files and its entry under this lock.
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, found.getVolume())) {
      if (!isLeftBehind(pool, found)) {
        return false;
      }
      File data = found.getBlockFile();
      boolean removed = data != null && data.delete();
      if (found.getMetaFile().delete() || removed) {
        ReplicaInfo now = dataset.volumeMap.get(pool, found.getBlockId());
        LOG.warn("removed older files of a block: file={} replica={}", found.getMetaFile(), now);
      }
      return true;
    }
  }

  private boolean isLeftBehind(String pool, ScanInfo found) {
    ReplicaInfo now = dataset.volumeMap.get(pool, found.getBlockId());
    boolean alone = found.getBlockFile() == null;
    return found.getMetaFile() != null
        && now != null
        && now.getState() == ReplicaState.FINALIZED
        && (alone || found.getGenStamp() < now.getGenerationStamp())
        && !found.getVolume().getStorageID().equals(now.getStorageUuid())
        && now.blockDataExists()
        && now.metadataExists();
  }

  private IOException changed(BlockKey block, ReplicaInfo copy, @Nullable ReplicaInfo now) {
    String why = "replica changed while it was moved: copied=" + copy + " now=" + now;
    if (moves.isDemoting(block)) {
      return new MoveAbandonedException(why);
    }
    return now != null && now.getGenerationStamp() > copy.getGenerationStamp()
        ? new IOException("Generation Stamp should be monotonically increased. " + why)
        : new ReplicaNotFoundException(why);
  }

  private static void syncDirectories(ReplicaInfo placed) throws IOException {
    if (placed instanceof LocalReplica) {
      File dir = ((LocalReplica) placed).getBlockFile().getParentFile();
      // The two levels of subdirectories may be new as well.
      for (int level = 0; level < 3 && dir != null; level++, dir = dir.getParentFile()) {
        FileOperation.SYNC.before(dir);
        IOUtils.fsync(dir);
      }
    }
  }

  /**
   * A local move has notified the NameNode of the replica as it was copied. If a writer was as fast
   * as to be done by then, the NameNode was notified of the newer replica before: it is notified
   * again, so that the last it gets is true. The same if the replica was deleted by then.
   */
  void notifyIfChanged(BlockKey block, ReplicaInfo moved) {
    String pool = block.pool();
    long notifiedStamp = moved.getGenerationStamp();
    long notifiedBytes = moved.getNumBytes();
    while (true) {
      ReplicaInfo now = dataset.volumeMap.get(pool, moved.getBlockId());
      if (now == null) {
        // Whoever deleted it may have notified the NameNode before the move did.
        dataset.datanode.notifyNamenodeDeletedBlock(
            new ExtendedBlock(pool, moved), moved.getStorageUuid());
        return;
      }
      if (now.getState() != ReplicaState.FINALIZED
          || (now.getGenerationStamp() == notifiedStamp && now.getNumBytes() == notifiedBytes)) {
        return; // who changes it now notifies the NameNode after us
      }
      notifiedStamp = now.getGenerationStamp();
      notifiedBytes = now.getNumBytes();
      dataset.datanode.notifyNamenodeReceivedBlock(
          new ExtendedBlock(pool, now.getBlockId(), notifiedBytes, notifiedStamp),
          null,
          now.getStorageUuid(),
          now.isOnTransientStorage());
    }
  }
}
