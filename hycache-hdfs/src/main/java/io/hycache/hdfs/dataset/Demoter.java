// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover.Progress;
import io.hycache.core.spi.BlockMover.Throttle;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Demotes replicas from a fast tier to DISK, or to a slower fast tier, through HDFS's own local
 * move.
 *
 * <p>Order: HDFS copies to a temporary file on the target through {@link #copyReplica} (verified,
 * marked if it stays a guest, synced); the directories are synced, and the replica map is switched
 * unless a writer has marked the block; the clean hard links are made, the NameNode is notified,
 * the source is unlinked; then the links enter the index. The replica that the NameNode knows is
 * readable at every instant.
 *
 * <p>Thread-safe; at most one move per block at a time, see {@link BlockMoves}.
 */
final class Demoter {
  private static final Logger LOG = LoggerFactory.getLogger(Demoter.class);

  /** A demotion that HDFS's local move is carrying out. */
  private static final class Demotion {
    /** Root of the target volume. */
    final String target;

    final Throttle throttle;
    final Progress progress;
    final boolean keepClean;

    /** The target is a fast device, where the replica stays a guest. */
    final boolean staysGuest;

    /** The source replica, once copied, if its bytes are kept as a clean copy. */
    volatile @Nullable ReplicaView source;

    volatile @Nullable CleanFile linkedData;
    volatile @Nullable CleanFile linkedChecksums;

    Demotion(
        String target,
        Throttle throttle,
        Progress progress,
        boolean keepClean,
        boolean staysGuest) {
      this.target = target;
      this.throttle = throttle;
      this.progress = progress;
      this.keepClean = keepClean && !staysGuest; // HDFS knows of one replica, on one volume
      this.staysGuest = staysGuest;
    }

    /** Called when the links are in the index or were removed. */
    void linksAreMade() {
      for (CleanFile file : new CleanFile[] {linkedData, linkedChecksums}) {
        if (file != null) {
          file.area().made(file.path());
        }
      }
    }
  }

  private final ReplicaStore store;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final IndexedFiles index;
  private final Map<BlockKey, Demotion> demotions = new ConcurrentHashMap<>();
  private final BlockMoves moves = new BlockMoves();

  /**
   * @param areas clean area of each device, by device id; a live view
   */
  Demoter(ReplicaStore store, Map<String, CleanArea> areas, Guests guests, IndexedFiles index) {
    this.store = store;
    this.areas = areas;
    this.guests = guests;
    this.index = index;
  }

  /** Demotes a replica; see {@link HdfsMover#demote}. */
  boolean demote(
      Replica replica, String target, boolean keepClean, Throttle pace, Progress progress)
      throws IOException {
    boolean staysGuest = isAmong(store.ssdVolumes(), target);
    return moveTo(replica, new Demotion(target, pace, progress, keepClean, staysGuest));
  }

  private static boolean isAmong(List<ReplicaStore.Volume> volumes, String root) {
    return volumes.stream().anyMatch(volume -> volume.root().getPath().equals(root));
  }

  private boolean moveTo(Replica replica, Demotion demotion) throws IOException {
    try {
      return moveAndKeep(replica, demotion);
    } finally {
      demotion.linksAreMade();
    }
  }

  private boolean moveAndKeep(Replica replica, Demotion demotion) throws IOException {
    BlockKey block = replica.block();
    try (BlockMoves.Hold hold = moves.begin(block)) {
      index.refuseIfStopped(replica);
      demotions.put(block, demotion);
      try {
        store.moveTo(replica, demotion.target);
      } finally {
        demotions.remove(block);
      }
    } catch (Throwable e) {
      IndexedFiles.unlinkIfSet(demotion.linkedData);
      IndexedFiles.unlinkIfSet(demotion.linkedChecksums);
      throw e;
    }
    CleanFile data = demotion.linkedData;
    CleanFile checksums = demotion.linkedChecksums;
    boolean kept = false;
    try {
      demotion.progress.reached(MoveState.SOURCE_REMOVED);
      if (data == null || checksums == null) {
        return false;
      }
      index.publish(new CleanCopies.Copy(replica, data, checksums));
      kept = true;
    } catch (IOException e) {
      LOG.debug("replica changed right after it was demoted: replica={}", replica, e);
    } finally {
      if (!kept) { // also if an Error is thrown
        IndexedFiles.unlinkIfSet(data);
        IndexedFiles.unlinkIfSet(checksums);
      }
    }
    return kept;
  }

  /** Returns the moves and writes in progress, HDFS's own included. */
  BlockMoves moves() {
    return moves;
  }

  /** Returns true while HyCache is demoting the block. */
  boolean isDemoting(BlockKey block) {
    return demotions.containsKey(block);
  }

  /**
   * Called when HDFS's replica map refers to the copy. The SSD files are hard-linked only now: an
   * append to a replica with two links would start by copying it.
   */
  void committed(BlockKey block) {
    Demotion demotion = demotions.get(block);
    if (demotion != null) {
      demotion.progress.reached(MoveState.COMMITTED);
      ReplicaView source = demotion.source;
      if (source != null) {
        link(source, demotion);
      }
    }
  }

  /**
   * Performs the copying step of HDFS's local move for a demotion: verified, synced and throttled.
   * Removes the target files on failure. They become the replica's files, so they have the modes
   * that HDFS gives them; the data directory's mode protects them.
   *
   * @param source the replica in HDFS's replica map
   */
  void copyReplica(ReplicaView source, File targetData, File targetChecksums) throws IOException {
    Demotion demotion = demotions.get(source.replica().block());
    if (demotion == null) {
      throw new IOException("no demotion is in progress: replica=" + source.replica());
    }
    long length = source.replica().lengthBytes();
    settle(
        source,
        targetData,
        targetChecksums,
        () -> {
          FileOperation.MKDIR.before(targetData.getParentFile());
          Files.createDirectories(targetData.getParentFile().toPath());
          Files.deleteIfExists(targetData.toPath());
          Files.deleteIfExists(targetChecksums.toPath());
          Checksums sums = copy(source, targetData, targetChecksums, demotion);
          demotion.progress.reached(MoveState.COPIED);
          VerifiedCopy.verifyLength(targetData, length);
          VerifiedCopy.verifyLength(targetChecksums, sums.lengthBytes());
          if (demotion.staysGuest) {
            guests.markCopy(targetData);
          }
          demotion.progress.reached(MoveState.VERIFIED);
          sync(targetData, targetChecksums);
          index.refuseIfStopped(source.replica());
          demotion.progress.reached(MoveState.SYNCED);
          if (moves.isAbandoned(source.replica().block())) {
            throw abandoned(source.replica().block());
          }
          if (demotion.keepClean
              && !sums.isTooLongToKeep()
              && hasOneName(source.data())
              && syncSource(source)) {
            demotion.source = source;
          }
        });
  }

  /** Copies and verifies the files. */
  private Checksums copy(
      ReplicaView source, File targetData, File targetChecksums, Demotion demotion)
      throws IOException, InterruptedException {
    Replica replica = source.replica();
    Checksums sums = Checksums.read(source.checksums(), replica.lengthBytes());
    VerifiedCopy.write(sums, targetChecksums);
    VerifiedCopy.copyDataDirect(
        source.data(),
        targetData,
        replica.lengthBytes(),
        sums,
        untilAbandoned(replica.block(), demotion));
    return sums;
  }

  /**
   * Returns true if the removal of the file frees its space. An HDFS upgrade that is not finalized
   * has a hard link to each replica: a clean copy of these bytes could not make way for a write.
   */
  private static boolean hasOneName(File file) {
    try {
      return ((Integer) Files.getAttribute(file.toPath(), "unix:nlink")) == 1;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      LOG.debug("could not count the links: file={}", file, e);
      return true;
    }
  }

  /**
   * Syncs the SSD files, which are to become a clean copy. If the SSD refuses, the move continues
   * without one: a replica must be able to leave an SSD that fails.
   */
  private static boolean syncSource(ReplicaView source) {
    try {
      FileOperation.sync(source.data());
      FileOperation.sync(source.checksums());
      return true;
    } catch (IOException e) {
      LOG.debug("could not sync the SSD files: replica={}", source.replica(), e);
      return false;
    }
  }

  private static MoveAbandonedException abandoned(BlockKey block) {
    return new MoveAbandonedException("a writer has claimed the block: block=" + block);
  }

  /**
   * Returns the demotion's throttle that also ends the copy when a writer marks the block, or when
   * the target volume is being removed, which waits for the move.
   */
  private Throttle untilAbandoned(BlockKey block, Demotion demotion) {
    Throttle pace = demotion.throttle;
    return new Throttle() {
      @Override
      public void take(long bytes) throws InterruptedException {
        if (!moves.isAbandoned(block)) {
          pace.take(bytes);
        }
        if (moves.isAbandoned(block)) {
          throw new UncheckedIOException(abandoned(block));
        }
        if (!isAmong(store.diskVolumes(), demotion.target)
            && !isAmong(store.ssdVolumes(), demotion.target)) {
          throw new UncheckedIOException(
              new MoveAbandonedException("target volume was removed: volume=" + demotion.target));
        }
      }

      @Override
      public int chunkBytes(int mostBytes) {
        return pace.chunkBytes(mostBytes);
      }
    };
  }

  /**
   * Verifies and syncs the copy of HDFS's own local move, which does neither. Removes the target
   * files on failure.
   *
   * @param source the replica in HDFS's replica map
   */
  void settleCopy(ReplicaView source, File targetData, File targetChecksums) throws IOException {
    long length = source.replica().lengthBytes();
    settle(
        source,
        targetData,
        targetChecksums,
        () -> {
          VerifiedCopy.verifyLength(targetData, length);
          VerifiedCopy.verifyData(targetData, length, Checksums.read(targetChecksums, length));
          sync(targetData, targetChecksums);
        });
  }

  private static void sync(File data, File checksums) throws IOException {
    FileOperation.sync(data);
    FileOperation.sync(checksums);
    FileOperation.sync(data.getParentFile());
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Makes a copy, or what remains of that. Removes the target files on failure. Has HDFS verify a
   * source that is probably corrupt: otherwise the NameNode would count it as a replica until a
   * client reads it, and moves of it would be tried again and again.
   */
  private void settle(ReplicaView source, File targetData, File targetChecksums, Step step)
      throws IOException {
    boolean settled = false;
    try {
      step.run();
      settled = true;
    } catch (ChecksumException | EOFException e) {
      store.suspect(source.replica());
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("move interrupted: replica=" + source.replica(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!settled) {
        CleanArea.unlink(targetData);
        CleanArea.unlink(targetChecksums);
      }
    }
  }

  /**
   * Hard-links the SSD files into the clean area. If that fails the move continues without a clean
   * copy.
   */
  private void link(ReplicaView source, Demotion demotion) {
    CleanArea area = areas.get(source.volumeRoot().getPath());
    if (area == null) {
      return;
    }
    Replica replica = source.replica();
    CleanFile cleanData = new CleanFile(area, replica, Part.DATA, replica.lengthBytes());
    CleanFile cleanChecksums =
        new CleanFile(area, replica, Part.CHECKSUM, source.checksums().length());
    File data = cleanData.path();
    File checksums = cleanChecksums.path();
    boolean linked = false;
    try {
      area.prepare(data);
      area.prepare(checksums);
      FileOperation.LINK.before(checksums);
      Files.createLink(checksums.toPath(), source.checksums().toPath());
      FileOperation.LINK.before(data);
      Files.createLink(data.toPath(), source.data().toPath());
      linked = true;
    } catch (IOException e) {
      LOG.debug("could not keep the SSD files of a demoted replica: replica={}", replica, e);
    } finally { // RuntimeExceptions and Errors propagate and count as failures of HyCache
      if (linked) {
        demotion.linkedChecksums = cleanChecksums;
        demotion.linkedData = cleanData;
      } else {
        area.remove(data);
        area.remove(checksums);
        area.made(data);
        area.made(checksums);
      }
    }
  }
}
