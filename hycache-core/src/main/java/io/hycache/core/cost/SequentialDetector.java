package io.hycache.core.cost;

/**
 * Tells long reads in one pass from others, by position: a read that begins where the last one
 * ended, or little behind, goes on with its run, and a long run is sequential. One for each stream;
 * positions and lengths in any one unit. O(1), 40 bytes. Owned by one thread.
 *
 * <p>Source: OP-FCL (FAST'12), section 4.1: sequential I/O bypasses the cache.
 */
public final class SequentialDetector {
  private final long threshold;
  private final long mostSkipped;
  private long end = -1;
  private long run;

  /**
   * @param threshold length of a run from which on it is sequential, &gt; 0
   * @param mostSkipped what a run may leave out between two requests, &gt;= 0
   */
  public SequentialDetector(long threshold, long mostSkipped) {
    this.threshold = threshold;
    this.mostSkipped = mostSkipped;
  }

  /**
   * Takes in a request.
   *
   * @param position where it begins, &gt;= 0
   * @return whether it belongs to a sequential run
   */
  public boolean request(long position, long length) {
    boolean goesOn = end >= 0 && position >= end && position - end <= mostSkipped;
    run = goesOn ? run + length : length;
    end = position + length;
    return run >= threshold;
  }
}
