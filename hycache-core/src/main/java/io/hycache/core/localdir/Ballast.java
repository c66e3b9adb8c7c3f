package io.hycache.core.localdir;

import io.hycache.core.move.HostLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few blocks of the SSD that only wait to be given up. On a file system without one free block
 * not even a link finds room, and links are what makes room. Thread-safe.
 */
final class Ballast {
  private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);

  /** Enough for the links of many streams. */
  private static final int BYTES = 64 << 10;

  /** It is made again only where it takes a small part of what is free. */
  private static final int SHARE = 16;

  private final Path file;

  /**
   * @param file where it is, on the SSD
   */
  Ballast(Path file) {
    this.file = file;
  }

  /** Takes it on, if it is not there and there is room for it. */
  synchronized void keep() {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      if (Files.exists(file)
          || file.toFile().getParentFile().getUsableSpace() < (long) BYTES * SHARE) {
        return;
      }
      Files.write(fresh, new byte[BYTES]);
      FileCopier.sync(fresh); // it has its blocks now
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("no ballast: file={}", file, e);
    }
  }

  /** Something that takes a block or less. */
  interface Making {
    void make() throws IOException;
  }

  /**
   * Makes something small; if there is no room for it, gives the ballast up and tries once more.
   */
  void ifFull(Making making) throws IOException {
    try {
      making.make();
    } catch (IOException e) {
      if (!isNoSpace(e)) {
        throw e;
      }
      giveUp();
      making.make();
    }
  }

  private synchronized void giveUp() throws IOException {
    Files.deleteIfExists(file);
  }

  /** True if a device or a quota is full, as far as the text tells. */
  static boolean isNoSpace(IOException failure) {
    return HostLimit.isFull(failure);
  }
}
