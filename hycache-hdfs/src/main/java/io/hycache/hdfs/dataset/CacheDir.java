package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This DataNode's part of one of {@code hycache.cache.dirs}. Thread-safe. */
final class CacheDir implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheDir.class);

  /** Names that a directory of ours has, see {@link OwnedDirectory} and {@link CleanArea}. */
  private static final Set<String> NAMES =
      Set.of(
          CleanArea.DIRECTORY,
          OwnedDirectory.OWNER,
          OwnedDirectory.OWNER + ".tmp",
          OwnedDirectory.LOCK);

  private final File parent;
  private final OwnedDirectory own;
  private final boolean topAllowed;
  private volatile boolean open;

  /** Why it was refused last, until it is opened; null if it was not refused. */
  private volatile @Nullable String refusal;

  /**
   * @param parent the operator's directory
   * @param name of this DataNode's directory in it
   * @param dataDirs paths of the DataNode's data directories
   * @param topAllowed may lie on the machine's root file system
   * @param mode the most that the operator's directory and this DataNode's may have
   */
  CacheDir(File parent, String name, List<String> dataDirs, boolean topAllowed, DataDirMode mode) {
    this.parent = parent;
    this.own = new OwnedDirectory(new File(parent, name), dataDirs, mode);
    this.topAllowed = topAllowed;
  }

  /** This DataNode's directory. */
  File root() {
    return own.directory();
  }

  /** The operator's directory: without it the SSD isn't there. */
  File parent() {
    return parent;
  }

  /** True once {@link #open} made it ready. */
  boolean isOpen() {
    return open;
  }

  /** True if it was found that the directory may not be used; the log says why. */
  boolean isRefused() {
    return refusal != null;
  }

  /**
   * Makes it ready for use.
   *
   * @throws IOException if the SSD isn't there, or the directory may not be used
   */
  synchronized void open() throws IOException {
    if (!parent.isDirectory()) {
      throw new NoSuchFileException(parent.getPath());
    }
    if (!topAllowed && FileSystemNumber.isOfTop(parent.toPath())) {
      throw refuse(
          new FileSystemException(
              parent.getPath(),
              null,
              "it lies on the machine's root file system, which clean copies would fill; is its"
                  + " SSD mounted? Where this is meant, set "
                  + HyCacheKeys.CACHE_DIRS_ALLOW_ROOT
                  + "=true"));
    }
    try {
      own.claim();
    } catch (TooWideException e) {
      throw refuse(e);
    }
    refusal = null;
    open = true;
  }

  /** Logs the same reason once: it is tried to open the directory again at each look. */
  private FileSystemException refuse(FileSystemException why) {
    String reason = why.getReason();
    if (!reason.equals(refusal)) {
      LOG.warn(
          "a directory of {} is not used: directory={}: {}",
          HyCacheKeys.CACHE_DIRS,
          parent,
          reason);
    }
    refusal = reason;
    return why;
  }

  /** Removes what earlier lives of this DataNode left beside it. Returns the files removed. */
  long removeEarlierLives() {
    return open ? own.removeEarlierLives(CacheDir::isOurs) : 0;
  }

  private static boolean isOurs(File directory) {
    String[] names = directory.list();
    return names != null && Set.of(names).contains(CleanArea.DIRECTORY) && isOurs(names);
  }

  private static boolean isOurs(String[] names) {
    return NAMES.containsAll(Set.of(names));
  }

  @Override
  public void close() {
    own.close();
  }
}
