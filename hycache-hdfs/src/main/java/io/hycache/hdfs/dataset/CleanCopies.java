package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The index of clean copies that the read path looks up without a lock. An entry says which replica
 * state it copies; whoever serves from it compares that with the replica first. Thread-safe; O(1).
 */
final class CleanCopies {
  /** The clean copy of one replica. Immutable; at least one part is there. */
  static final class Copy {
    private final Replica replica;
    private final @Nullable File data;
    private final @Nullable File checksums;
    private final long checksumBytes;

    Copy(Replica replica, @Nullable File data, @Nullable File checksums, long checksumBytes) {
      this.replica = replica;
      this.data = data;
      this.checksums = checksums;
      this.checksumBytes = checksumBytes;
    }

    Replica replica() {
      return replica;
    }

    @Nullable File data() {
      return data;
    }

    @Nullable File checksums() {
      return checksums;
    }

    long checksumBytes() {
      return checksumBytes;
    }

    private long bytes() {
      return (data == null ? 0 : replica.lengthBytes()) + (checksums == null ? 0 : checksumBytes);
    }

    /** Its files, zero to two. */
    List<File> files() {
      List<File> files = new ArrayList<>(2);
      if (data != null) {
        files.add(data);
      }
      if (checksums != null) {
        files.add(checksums);
      }
      return files;
    }
  }

  private final Map<BlockKey, Copy> copies = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  @Nullable Copy get(BlockKey block) {
    return copies.get(block);
  }

  /** Adds parts to what is known of the same replica state; another state is replaced. */
  void add(Copy added) {
    copies.compute(
        added.replica().block(),
        (block, known) -> {
          Copy merged = added;
          if (known != null) {
            bytes.addAndGet(-known.bytes());
            if (known.replica().equals(added.replica())) {
              merged =
                  new Copy(
                      added.replica(),
                      added.data() != null ? added.data() : known.data(),
                      added.checksums() != null ? added.checksums() : known.checksums(),
                      added.checksums() != null ? added.checksumBytes() : known.checksumBytes());
            }
          }
          bytes.addAndGet(merged.bytes());
          return merged;
        });
  }

  /** Takes a copy out. Returns it, or null if there was none. */
  @Nullable Copy remove(BlockKey block) {
    Copy gone = copies.remove(block);
    if (gone != null) {
      bytes.addAndGet(-gone.bytes());
    }
    return gone;
  }

  /** Takes the data out and leaves the checksum file. Returns the data file, or null. */
  @Nullable File removeData(BlockKey block) {
    File[] data = new File[1];
    copies.computeIfPresent(
        block,
        (key, known) -> {
          data[0] = known.data();
          if (known.data() == null) {
            return known;
          }
          bytes.addAndGet(-known.bytes());
          if (known.checksums() == null) {
            return null;
          }
          Copy left = new Copy(known.replica(), null, known.checksums(), known.checksumBytes());
          bytes.addAndGet(left.bytes());
          return left;
        });
    return data[0];
  }

  List<BlockKey> blocks() {
    return new ArrayList<>(copies.keySet());
  }

  /** Bytes of all copies below a directory. O(n). */
  long bytesUnder(File root) {
    String prefix = root.getPath() + File.separator;
    long sum = 0;
    for (Copy copy : copies.values()) {
      for (File file : copy.files()) {
        if (file.getPath().startsWith(prefix)) {
          sum += file.equals(copy.data()) ? copy.replica().lengthBytes() : copy.checksumBytes();
        }
      }
    }
    return sum;
  }

  /** Bytes of all copies. */
  long bytes() {
    return bytes.get();
  }
}
