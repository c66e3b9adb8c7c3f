// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The index of clean copies; the read path looks it up without a lock. An entry names the replica
 * state that it copies; callers must compare it with the replica before they serve it. Thread-safe;
 * O(1).
 */
final class CleanCopies {
  /** The clean copy of one replica, with at least one file. Immutable. */
  static final class Copy {
    private final Replica replica;
    private final @Nullable CleanFile data;
    private final @Nullable CleanFile checksums;

    Copy(Replica replica, @Nullable CleanFile data, @Nullable CleanFile checksums) {
      this.replica = replica;
      this.data = data;
      this.checksums = checksums;
    }

    Replica replica() {
      return replica;
    }

    @Nullable CleanFile data() {
      return data;
    }

    @Nullable CleanFile checksums() {
      return checksums;
    }

    /** Returns its files, zero to two. */
    List<CleanFile> files() {
      List<CleanFile> files = new ArrayList<>(2);
      if (data != null) {
        files.add(data);
      }
      if (checksums != null) {
        files.add(checksums);
      }
      return files;
    }

    /** Returns true if a file of another copy is a file of this one, too. */
    boolean hasFileOf(Copy other) {
      return other.files().stream().anyMatch(file -> files().stream().anyMatch(file::isSameFileAs));
    }

    /** Returns true if all its files may be served, see {@link CleanFile#isVerified}. */
    boolean isVerified() {
      return files().stream().allMatch(CleanFile::isVerified);
    }

    /** Returns true if one of its files lies on a device that was removed. */
    boolean isLost() {
      return files().stream().anyMatch(file -> file.area().isClosed());
    }
  }

  private final Map<BlockKey, Copy> copies = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  private void count(Copy copy, int sign) {
    for (CleanFile file : copy.files()) {
      bytes.addAndGet(sign * file.allocatedBytes());
      file.area().count(file.part(), sign * file.allocatedBytes());
    }
  }

  @Nullable Copy get(BlockKey block) {
    return copies.get(block);
  }

  /** Returns true if the file is one of a copy in the index. */
  boolean contains(CleanFile file) {
    return find(file).isPresent();
  }

  /**
   * Returns true if the index has this very file, so that it was neither distrusted nor verified
   * again since it was looked up, as after its device was out of use.
   */
  boolean isUnchanged(CleanFile file) {
    return find(file).filter(now -> now == file).isPresent();
  }

  /** Returns true if the file is one of a copy in the index, and verified now. */
  boolean isVerified(CleanFile file) {
    return find(file).filter(CleanFile::isVerified).isPresent();
  }

  /** Returns the file as the index has it now. */
  private Optional<CleanFile> find(CleanFile file) {
    Copy copy = get(file.replica().block());
    return copy == null
        ? Optional.empty()
        : copy.files().stream().filter(file::isSameFileAs).findFirst();
  }

  /** Returns the block's copy if a file of it lies in an area, otherwise null. */
  @Nullable Copy onArea(CleanArea area, BlockKey block) {
    Copy copy = get(block);
    return copy != null && copy.files().stream().anyMatch(file -> file.area() == area)
        ? copy
        : null;
  }

  /**
   * Adds files to the copy of the same replica state. A copy of an older state is replaced; a copy
   * of a newer state stays, and the files of the older one are rejected.
   *
   * @return files that left the index or were rejected, for the caller to remove
   */
  List<CleanFile> add(Copy added) {
    List<CleanFile> replaced = new ArrayList<>(2);
    copies.compute(
        added.replica().block(),
        (block, known) -> {
          replaced.clear();
          Copy merged = added;
          if (known != null
              && known.replica().generationStamp() > added.replica().generationStamp()) {
            replaced.addAll(added.files());
            return known;
          }
          if (known != null) {
            count(known, -1);
            replaced.addAll(known.files());
            if (known.replica().equals(added.replica())) {
              merged =
                  new Copy(
                      added.replica(),
                      added.data() != null ? added.data() : known.data(),
                      added.checksums() != null ? added.checksums() : known.checksums());
            }
          }
          for (CleanFile file : merged.files()) {
            replaced.removeIf(file::isSameFileAs);
          }
          count(merged, 1);
          return merged;
        });
    return replaced;
  }

  /** Removes and returns a copy; null if there was none. */
  @Nullable Copy remove(BlockKey block) {
    Copy gone = copies.remove(block);
    if (gone != null) {
      count(gone, -1);
    }
    return gone;
  }

  /** Removes and returns a copy if it is of this replica state; otherwise returns null. */
  @Nullable Copy remove(Replica replica) {
    Copy[] gone = new Copy[1];
    copies.computeIfPresent(
        replica.block(),
        (block, known) -> {
          if (!known.replica().equals(replica)) {
            return known;
          }
          count(known, -1);
          gone[0] = known;
          return null;
        });
    return gone[0];
  }

  /** Removes and returns the data file and keeps the checksum file; null if there was no data. */
  @Nullable CleanFile removeData(BlockKey block) {
    CleanFile[] data = new CleanFile[1];
    copies.computeIfPresent(
        block,
        (key, known) -> {
          data[0] = known.data();
          if (known.data() == null) {
            return known;
          }
          count(known, -1);
          if (known.checksums() == null) {
            return null;
          }
          Copy left = new Copy(known.replica(), null, known.checksums());
          count(left, 1);
          return left;
        });
    return data[0];
  }

  /**
   * Marks the files of a copy as verified if the index still contains them.
   *
   * @param lookedUp the copy as returned by a look-up
   * @param checksumBytes length of its checksum file; ignored if it has none
   */
  void verified(Copy lookedUp, long checksumBytes) {
    replace(
        lookedUp.replica().block(),
        file ->
            file == lookedUp.data()
                ? file.asVerified(file.lengthBytes())
                : file == lookedUp.checksums() ? file.asVerified(checksumBytes) : file);
  }

  /** Marks all files of an area as unverified. O(n). */
  void distrust(CleanArea area) {
    for (BlockKey block : blocks()) {
      replace(block, file -> file.area() == area ? file.asUnverified() : file);
    }
  }

  private void replace(BlockKey block, UnaryOperator<CleanFile> change) {
    copies.computeIfPresent(
        block,
        (key, known) -> {
          CleanFile data = known.data();
          CleanFile checksums = known.checksums();
          Copy next =
              new Copy(
                  known.replica(),
                  data == null ? null : change.apply(data),
                  checksums == null ? null : change.apply(checksums));
          count(known, -1);
          count(next, 1);
          return next;
        });
  }

  List<BlockKey> blocks() {
    return new ArrayList<>(copies.keySet());
  }

  int size() {
    return copies.size();
  }

  /** Returns the bytes allocated to all copies on their devices. */
  long bytes() {
    return bytes.get();
  }
}
