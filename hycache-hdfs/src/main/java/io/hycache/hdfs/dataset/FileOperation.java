package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What we do to files, and a seam before each of it: tests count the operations and make one fail,
 * wait, or be the last. Outside of tests nobody observes, and the seam costs one volatile read.
 *
 * <p>One observer for all DataNodes of a JVM: which one an operation belongs to follows from its
 * file. Thread-safe.
 */
public enum FileOperation {
  /** Open an existing file. */
  OPEN,
  /** Read a piece of a file or all of it. */
  READ,
  /** Make a new file, or open one to write to it. */
  CREATE,
  /** Write a piece of a file or all of it. */
  WRITE,
  /** Bring a file or a directory to the device. */
  SYNC,
  /** Make a directory and those above it. */
  MKDIR,
  /** Give a file a second name; the file is the new name. */
  LINK,
  /** Give a file another name; the file is the new name. */
  RENAME,
  /** Remove a file. */
  UNLINK,
  /** List a directory. */
  LIST,
  /** Mark a file as a guest's. */
  MARK,
  /** Look at an SSD whether it works. */
  PROBE,
  /** HDFS's replica map switches over to the copy that a move made; the file is the copy. */
  SWITCH;

  /** Sees each operation before it is made. */
  interface Observer {
    /**
     * May wait; what it throws is thrown as if the operation had failed.
     *
     * @throws IOException as the operation would
     */
    void before(FileOperation operation, File file) throws IOException;
  }

  private static volatile @Nullable Observer observer;

  /** From now on this one sees every operation; null: nobody. For tests. */
  static void observe(@Nullable Observer next) {
    observer = next;
  }

  /**
   * To be called right before the operation.
   *
   * @throws IOException what a test has put in the operation's place
   */
  public void before(File file) throws IOException {
    Observer watching = observer;
    if (watching != null) {
      watching.before(this, file);
    }
  }
}
