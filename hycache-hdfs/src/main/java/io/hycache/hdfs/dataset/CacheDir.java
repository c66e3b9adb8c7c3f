package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
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
  private boolean refusalLogged;

  /**
   * @param parent the operator's directory
   * @param name of this DataNode's directory in it
   * @param dataDirs paths of the DataNode's data directories
   * @param topAllowed may lie on the machine's root file system
   */
  CacheDir(File parent, String name, List<String> dataDirs, boolean topAllowed) {
    this.parent = parent;
    this.own = new OwnedDirectory(new File(parent, name), dataDirs);
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
      if (!refusalLogged) {
        refusalLogged = true;
        LOG.warn(
            "{} is not used: it lies on the machine's root file system, which clean copies would"
                + " fill; is its SSD mounted? Where this is meant, set {}=true. directory={}",
            HyCacheKeys.CACHE_DIRS,
            HyCacheKeys.CACHE_DIRS_ALLOW_ROOT,
            parent);
      }
      throw new IOException("on the machine's root file system: directory=" + parent);
    }
    own.claim();
    open = true;
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
