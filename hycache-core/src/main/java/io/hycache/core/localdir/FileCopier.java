package io.hycache.core.localdir;

import io.hycache.core.spi.BlockMover.Throttle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies the bytes of a file. The port at which tests let a device be full or sick. */
class FileCopier {
  private static final int MOST_CHUNK_BYTES = 2 << 20;

  /**
   * So much of a copy waits in memory to be written at most. The kernel makes whoever writes wait
   * once too much does, a job that writes to the SSD as well as a mover that fills the memory with
   * what a slow HDD has to take.
   */
  private static final long MOST_DIRTY_BYTES = 2 << 20;

  /**
   * Makes a new file with the bytes of another.
   *
   * @return the bytes copied
   */
  long copy(FileChannel source, Path to, Throttle throttle)
      throws IOException, InterruptedException {
    try (FileChannel target =
        FileChannel.open(
            to,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))) {
      long at = 0;
      long dirty = 0;
      while (true) {
        int chunk = throttle.chunkBytes(MOST_CHUNK_BYTES);
        long copied = source.transferTo(at, chunk, target);
        if (copied <= 0) {
          return at;
        }
        at += copied;
        dirty += copied;
        if (dirty >= MOST_DIRTY_BYTES) {
          target.force(false);
          dirty = 0;
        }
        throttle.take(copied);
      }
    }
  }

  /** Brings a file or the names of a directory to its device. */
  static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
