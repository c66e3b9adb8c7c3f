// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.ReplicaNotCacheableException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.ChecksumException;

/**
 * Copies files of DISK replicas to clean areas.
 *
 * <p>Order: copy and verify under a temporary name; sync; rename; sync the directory; add to the
 * index if the replica is still the one that was copied, and check it once more afterwards. The
 * replica's volume is referenced for each read of it, not while the SSD is written to: an SSD that
 * hangs must not hold back the removal of an HDD. Thread-safe.
 */
final class Promoter {
  /** A file that is being copied to a clean area: written under a temporary name, then renamed. */
  private static final class Copied {
    final File temporary;
    final CleanFile file;

    /** True once the rename has been attempted: a file under the final name is this move's. */
    boolean named;

    Copied(CleanFile file) {
      this.file = file;
      this.temporary = CleanArea.temporary(file.path());
    }
  }

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Function<File, DiskUse> useOf;
  private final Consumer<CleanFile> suspect;
  private final IndexedFiles index;

  /**
   * @param areas clean area of each device, by device id; a live view
   * @param useOf returns how users load the DISK volume with a root
   * @param suspect queues a copy for verification whose checksum file does not match the replica's
   *     data
   */
  Promoter(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Function<File, DiskUse> useOf,
      Consumer<CleanFile> suspect,
      IndexedFiles index) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.useOf = useOf;
    this.suspect = suspect;
    this.index = index;
  }

  private static Copied begin(
      CleanArea area, Replica replica, Part part, long lengthBytes, List<Copied> files)
      throws IOException {
    Copied copied = new Copied(new CleanFile(area, replica, part, lengthBytes));
    files.add(copied);
    area.prepare(copied.file.path());
    return copied;
  }

  /** Makes a clean copy; see {@link HdfsMover#promote}. */
  long promote(
      Replica replica, Part part, String device, BlockMover.Pace pace, BlockMover.Progress progress)
      throws IOException, InterruptedException {
    CleanArea area = area(device);
    List<Copied> files = new ArrayList<>(2);
    try {
      ReplicaView view = store.finalized(replica.block());
      if (view == null || !view.isOnDisk(replica)) {
        throw new MoveAbandonedException("replica was removed or changed: replica=" + replica);
      }
      CleanCopies.Copy known = copies.get(replica.block());
      CleanFile have = known != null && known.replica().equals(replica) ? known.checksums() : null;
      if (have != null && !have.isVerified()) {
        have = null; // unverified: copy it again
      }
      Checksums sums =
          have != null ? Checksums.read(have.path(), replica.lengthBytes()) : checksumsOnDisk(view);
      if (have != null && part == Part.CHECKSUM) {
        return 0; // it is here already
      }
      if (sums.isTooLongToKeep()) {
        throw new ReplicaNotCacheableException(
            "checksum file is too long for a clean copy: replica="
                + replica
                + " checksumBytes="
                + sums.lengthBytes());
      }
      long bytes =
          (have == null ? sums.lengthBytes() : 0) + (part == Part.DATA ? replica.lengthBytes() : 0);
      try (Closeable room = store.reserve(area.root(), bytes)) {
        CleanFile checksums = null;
        if (have == null) {
          Copied copied = begin(area, replica, Part.CHECKSUM, sums.lengthBytes(), files);
          VerifiedCopy.write(sums, copied.temporary, area.mode().fileAttributes());
          checksums = copied.file;
        }
        CleanFile data = null;
        if (part == Part.DATA) {
          Copied copied = begin(area, replica, Part.DATA, replica.lengthBytes(), files);
          try {
            VerifiedCopy.copyData(
                () -> store.hold(replica),
                view.data(),
                copied.temporary,
                replica.lengthBytes(),
                sums,
                new GivingWay(
                    pace.from(view.volumeRoot().getPath()), useOf.apply(view.volumeRoot())),
                area.mode().fileAttributes());
          } catch (ChecksumException e) {
            if (have != null) {
              suspect.accept(have);
            }
            store.suspect(replica);
            throw e;
          }
          data = copied.file;
        }
        progress.reached(MoveState.COPIED);
        long written = 0;
        for (Copied copied : files) {
          VerifiedCopy.verifyLength(copied.temporary, copied.file.lengthBytes());
          written += copied.file.lengthBytes();
        }
        progress.reached(MoveState.VERIFIED);
        index.refuseIfStopped(replica);
        for (Copied copied : files) {
          FileOperation.sync(copied.temporary);
          copied.named = true;
          area.publish(copied.temporary, copied.file.path());
        }
        progress.reached(MoveState.SYNCED);
        index.publish(new CleanCopies.Copy(replica, data, checksums));
        progress.reached(MoveState.COMMITTED);
        return written;
      }
    } catch (Throwable e) {
      for (Copied copied : files) {
        area.remove(copied.temporary);
        if (copied.named) {
          area.remove(copied.file.path());
        }
      }
      throw e;
    } finally {
      files.forEach(copied -> area.made(copied.file.path()));
    }
  }

  private Checksums checksumsOnDisk(ReplicaView view) throws IOException {
    try (Closeable held = store.hold(view.replica())) {
      return Checksums.read(view.checksums(), view.replica().lengthBytes());
    } catch (ChecksumException | EOFException e) {
      store.suspect(view.replica());
      throw e;
    }
  }

  private CleanArea area(String device) throws IOException {
    CleanArea area = areas.get(device);
    if (area == null) {
      throw new IOException("fast device was removed: device=" + device);
    }
    return area;
  }
}
