// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.dataset.FileOperation;
import io.hycache.hdfs.dataset.LocalMoves;
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
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last step of a local move: the copy is renamed to its place and becomes the replica.
 *
 * <p>All file operations come first, without a lock. Then, under the lock of the source's volume
 * and unless a writer has marked the block, the entry in the replica map is compared: it must be
 * the same object that was copied, unchanged. Only then it is replaced. One volume's lock is
 * enough, because every change of the entry is made under the lock of the volume that the entry
 * names, or the pool's; and it must be only one, because an append that was overtaken by a move
 * takes the lock of the new volume while it holds that of the old one.
 *
 * <p>Between the first rename and the switch, or after a crash there, the block has finalized files
 * on two volumes. If a writer has changed one of them, its generation stamp is newer, and HDFS
 * keeps the newest at start; its directory scanner skips blocks that are being moved.
 *
 * <p>Thread-safe; one move per block at a time.
 */
final class HyCacheSwitch {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheSwitch.class);

  private final FsDatasetImpl dataset;
  private final LocalMoves moves;

  /** The replica map's entry of each block being moved, as of its copy. */
  private final ConcurrentMap<BlockKey, ReplicaInfo> sources = new ConcurrentHashMap<>();

  HyCacheSwitch(FsDatasetImpl dataset, LocalMoves moves) {
    this.dataset = dataset;
    this.moves = moves;
  }

  /** Records the replica that was copied, for the next {@link #make} of the block. */
  void copied(BlockKey block, ReplicaInfo source) {
    sources.put(block, source);
  }

  /** Forgets the copied replica of a block; {@link #make} will not be called for it. */
  void forget(BlockKey block) {
    sources.remove(block);
  }

  /**
   * Renames a complete copy to its place, syncs the directories, and makes the copy the replica.
   *
   * @param copy a synced copy under a temporary name; removed if this throws
   * @throws IOException if the replica has changed, or the copy can't be renamed; the replica is
   *     untouched
   */
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
      refuseIfReplaced(block, source, copy);
      makeDirectory(pool, copy, target);
      clearPlace(block, copy, target);
      FileOperation.RENAME.before(new File(place(pool, copy, target), copy.getBlockName()));
      // Deleted and replicated again, the replica may be on the target by now, under the same name.
      // No lock is held from here to the rename: a disk that hangs would hold up the DataNode.
      refuseIfReplaced(block, source, copy);
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
      loadLastChecksum(placed);
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

  /** Refuses the move if the entry in the replica map is another than the one that was copied. */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by id; it must be the same object
  private void refuseIfReplaced(BlockKey block, ReplicaInfo source, ReplicaInfo copy)
      throws IOException {
    ReplicaInfo now = dataset.volumeMap.get(block.pool(), copy.getBlockId());
    if (now != source) {
      throw changed(block, copy, now);
    }
  }

  /**
   * Creates the directory of the copy's place if it does not exist, under the volume's lock as HDFS
   * does: HDFS's creation of a directory fails if another thread creates the same, and with it the
   * finalization of a writer's block.
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

  /** Returns the directory of a block's files on a volume. */
  private static File place(String pool, Block block, FsVolumeImpl volume) throws IOException {
    return DatanodeUtil.idToBlockDir(volume.getFinalizedDir(pool), block.getBlockId());
  }

  /**
   * Removes older files of the block from the copy's place. They exist if a failed volume was added
   * again: HDFS does not look for replicas of the same block then. A crash between the removals of
   * a replica's two files leaves the checksum file. If a checksum file of another generation stamp
   * stayed beside the copy, HDFS would take that stamp for the copy's at its next start.
   *
   * @throws IOException if the files are newer
   */
  private void clearPlace(BlockKey block, ReplicaInfo copy, FsVolumeImpl target)
      throws IOException {
    String pool = block.pool();
    File dir = place(pool, copy, target);
    if (namesAt(dir, copy).length == 0) {
      return;
    }
    // A concurrently created replica gets its files and its map entry under this lock.
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      File data = new File(dir, copy.getBlockName());
      if (isReplica(pool, copy.getBlockId(), data)) {
        throw changed(block, copy, dataset.volumeMap.get(pool, copy.getBlockId()));
      }
      String[] names = namesAt(dir, copy);
      refuseIfNewer(block, copy, dir, names);
      // The data file first: a checksum file alone is not a replica.
      Files.deleteIfExists(data.toPath());
      for (String name : names) {
        Files.deleteIfExists(new File(dir, name).toPath());
      }
      LOG.warn("removed older files of a block: directory={} files={}", dir, names);
    }
  }

  /**
   * Refuses a move, before the copy, to a volume with a newer replica of the block that is not in
   * HDFS's replica map; HDFS's directory scanner will find it.
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
        String why = "a newer replica is on the volume: file=" + new File(dir, name);
        throw moves.isDemoting(block) ? new MoveAbandonedException(why) : new IOException(why);
      }
    }
  }

  /** Returns the names of a block's files in a directory; none if the directory does not exist. */
  private static String[] namesAt(File dir, Block block) {
    String data = block.getBlockName();
    String[] names = dir.list((in, name) -> name.equals(data) || name.startsWith(data + "_"));
    return names == null ? new String[0] : names;
  }

  /** Returns true if a data file belongs to the replica in HDFS's replica map. */
  private boolean isReplica(String pool, long blockId, File data) {
    ReplicaInfo now = dataset.volumeMap.get(pool, blockId);
    return now != null && new File(now.getBlockURI()).equals(data);
  }

  /** Replaces the replica map's entry, in memory only; returns whether it did. */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by id; it must be the same object
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
   * Returns false if HDFS is removing the volume: it waits for the move, and then drops all
   * replicas there, while the move removes the source's files.
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

  /** Removes the files of a failed rename: HDFS renames the checksum file first. */
  private void removeHalfPlaced(String pool, Block copy, FsVolumeImpl target) throws IOException {
    File data = new File(place(pool, copy, target), copy.getBlockName());
    // A concurrently created replica gets its files and its map entry under this lock.
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      if (isReplica(pool, copy.getBlockId(), data)) {
        removeStale(pool, copy, data);
        return;
      }
      File checksums = FsDatasetUtil.getMetaFile(data, copy.getGenerationStamp());
      boolean removed = checksums.delete();
      if (data.delete() || removed) {
        LOG.info("removed the files of an incomplete move: file={}", data);
      }
    }
  }

  /**
   * Removes a copy's checksum file next to a replica of another generation stamp that has taken the
   * copy's place; HDFS would take that stamp for the replica's at its next start. The volume's lock
   * must be held.
   */
  private void removeStale(String pool, Block copy, File data) {
    ReplicaInfo now = dataset.volumeMap.get(pool, copy.getBlockId());
    File checksums = FsDatasetUtil.getMetaFile(data, copy.getGenerationStamp());
    if (now != null
        && now.getGenerationStamp() != copy.getGenerationStamp()
        && checksums.delete()) {
      LOG.info("removed the checksum file of an abandoned copy: file={}", checksums);
    }
  }

  /**
   * Removes a renamed copy that did not become the replica. Under the lock its data file is only
   * renamed, as the removal of a large file can take long; HDFS empties the directory at its next
   * start.
   */
  private void takeBack(String pool, ReplicaInfo placed, FsVolumeImpl target) throws IOException {
    File aside = new File(target.getTmpDir(pool), placed.getBlockName() + ".hycache.abandoned");
    boolean moved;
    try (HyCacheVolumeLock.Held lock = HyCacheVolumeLock.write(dataset, pool, target)) {
      moved = takeBackLocked(pool, placed, target, aside);
    }
    if (moved) {
      FileOperation.UNLINK.before(aside);
      Files.deleteIfExists(aside.toPath());
    }
  }

  /** Returns true if the data file was renamed to {@code aside}. */
  private boolean takeBackLocked(String pool, ReplicaInfo placed, FsVolumeImpl target, File aside) {
    File data = new File(placed.getBlockURI());
    if (isReplica(pool, placed.getBlockId(), data)) {
      LOG.warn("a newer replica has the place of an abandoned copy: copy={}", placed);
      removeStale(pool, placed, data);
      return false;
    }
    long checksumBytes = placed.getMetadataLength();
    boolean moved = data.renameTo(aside);
    if (moved || placed.deleteBlockData() || !placed.blockDataExists()) {
      target.onBlockFileDeletion(pool, placed.getNumBytes());
      if (placed.deleteMetadata() || !placed.metadataExists()) {
        target.onMetaFileDeletion(pool, checksumBytes);
      }
    } else {
      LOG.warn("could not remove an abandoned copy, the next directory scan will: copy={}", placed);
    }
    return moved;
  }

  /**
   * Removes older files of a block that the directory scanner found in addition to its replica,
   * left by an abandoned move. HDFS would keep the newer of the two, too, but would set its
   * generation stamp to 0, because it looks for the checksum file next to the older one. Also
   * removes a single checksum file of a move that a crash interrupted between two renames: after a
   * later move to that place HDFS could take its generation stamp for the replica's.
   *
   * @return true if such files were found
   */
  boolean removedLeftBehind(String pool, ScanInfo found) throws IOException {
    if (!isLeftBehind(pool, found)) {
      return false;
    }
    // A concurrently created replica gets its files and its map entry under this lock.
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

  /**
   * Loads the checksum of a last chunk that is not full, which HDFS keeps in memory for what a
   * client has written: a reader of a replica that is appended to needs that of the length it
   * reads.
   */
  private static void loadLastChecksum(ReplicaInfo placed) throws IOException {
    if (placed instanceof FinalizedReplica) {
      ((FinalizedReplica) placed).loadLastPartialChunkChecksum();
    }
  }

  private static void syncDirectories(ReplicaInfo placed) throws IOException {
    if (placed instanceof LocalReplica) {
      File dir = ((LocalReplica) placed).getBlockFile().getParentFile();
      // The two levels of subdirectories may be new, too.
      for (int level = 0; level < 3 && dir != null; level++, dir = dir.getParentFile()) {
        FileOperation.sync(dir);
      }
    }
  }

  /**
   * Notifies the NameNode again if the replica has changed since it was copied. The move notifies
   * the NameNode of the copied state; if a writer finished or the replica was deleted before that,
   * the NameNode received the newer state first, and must receive it last.
   */
  void notifyIfChanged(BlockKey block, ReplicaInfo moved) {
    String pool = block.pool();
    long notifiedStamp = moved.getGenerationStamp();
    long notifiedBytes = moved.getNumBytes();
    while (true) {
      ReplicaInfo now = dataset.volumeMap.get(pool, moved.getBlockId());
      if (now == null) {
        // The deletion may have been reported before the move was.
        dataset.datanode.notifyNamenodeDeletedBlock(
            new ExtendedBlock(pool, moved), moved.getStorageUuid());
        return;
      }
      if (now.getState() != ReplicaState.FINALIZED
          || (now.getGenerationStamp() == notifiedStamp && now.getNumBytes() == notifiedBytes)) {
        return; // a change in progress is reported after this
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
