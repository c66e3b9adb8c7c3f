package io.hycache.core.cost;

/**
 * Tells long reads in one pass from others, by position: a read that begins where the last one
 * ended goes on with its run, and a run of so many bytes is sequential. One for each stream; O(1),
 * 24 bytes.
 *
 * <p>Source: OP-FCL (FAST'12), section 4.1: sequential I/O bypasses the cache.
 */
public final class SequentialDetector {
  private final long thresholdBytes;
  private long end = -1;
  private long runBytes;

  /**
   * @param thresholdBytes length of a run from which on it is sequential, &gt; 0
   */
  public SequentialDetector(long thresholdBytes) {
    this.thresholdBytes = thresholdBytes;
  }

  /**
   * Takes in a request.
   *
   * @return whether it belongs to a sequential run
   */
  public boolean request(long offset, long bytes) {
    runBytes = offset == end ? runBytes + bytes : bytes;
    end = offset + bytes;
    return runBytes >= thresholdBytes;
  }
}
