package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One tree with its planner, movers and sweeper. Thread-safe. */
public final class LocalDirTier implements Closeable {
  private LocalDirTier() {}

  /**
   * Takes a tree over: locks it against other daemons and settles what a crash left.
   *
   * @throws IOException if a root is missing or not usable, or another daemon serves the tree; says
   *     what, where, and how to mend it
   */
  public static LocalDirTier open(LocalDirConfig config) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Starts planner, movers and sweeper. Once. */
  public void start() {
    throw new UnsupportedOperationException();
  }

  /** The settings in force. */
  public LocalDirConfig config() {
    throw new UnsupportedOperationException();
  }

  /** The tree for callers in this process. */
  public TieredTree tree() {
    throw new UnsupportedOperationException();
  }

  /** The figures as they are now. */
  public LocalDirStatus status() {
    throw new UnsupportedOperationException();
  }

  /**
   * Files that would move down now, in order; moves nothing. For a dry run before {@link #start}.
   */
  public List<Path> wouldMoveDown() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Makes an inventory and sweeps as soon as possible instead of when it is due. */
  public void sweepSoon() {
    throw new UnsupportedOperationException();
  }

  /** Ends all threads, writes the status, unlocks. Files stay where they are. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
