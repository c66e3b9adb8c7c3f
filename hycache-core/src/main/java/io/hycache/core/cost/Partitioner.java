package io.hycache.core.cost;

import io.hycache.core.model.BlockKey;

/**
 * Splits the fast tier anew each period by what was read and written: OP-FCL's partition resizer.
 *
 * <p>Idea: ghost lists of reads and writes give hit curves; at the end of a period the split of
 * least {@link HybridCost} is searched, and the borders move towards it by a segment a period at
 * most, so that a short burst does not throw out what a long time has gathered.
 *
 * <p>Long scans are left out ({@link SequentialDetector}): no size of the tier would hold them, and
 * their many reads would take space from writes for nothing.
 *
 * <p>HDFS never writes a block twice. What write space spares a DataNode is the HDD's work for
 * blocks that are read or deleted while they are still there: those count as hits of writes.
 *
 * <p>O(log n) an access, O(segments^2) a period; memory that of two {@link GhostCurve}s. Owned by
 * one thread.
 *
 * <p>Source: Oh, Choi, Lee, Noh (FAST'12), section 4 and Algorithm 1.
 */
public final class Partitioner {
  /** Steps of the search in a DataNode and in its simulation: a border moves by one a period. */
  public static final int SEGMENTS = 32;

  private static final int MOST_BLOCKS = 16_384;
  private static final double LEAST_ACCESSES = 100;
  private static final int LEAST_SCANNED_BLOCKS = 64;

  /** Ids go to other DataNodes' blocks and other writers' in between. */
  private static final int MOST_SKIPPED_IDS = 32;

  private final FlashModel flash;
  private final DiskTime disk;
  private final int segments;
  private final GhostCurve reads;
  private final GhostCurve writes;

  /** By block ids: what was written one behind the other is read so by a scan. */
  private final SequentialDetector scans =
      new SequentialDetector(LEAST_SCANNED_BLOCKS, MOST_SKIPPED_IDS);

  private Partition current;
  private Partition goal;

  /**
   * @param capacityBytes of the fast tier, &gt; 0
   * @param start what the tier is split into now
   * @param segments steps of the search, &gt; 1
   */
  public Partitioner(
      FlashModel flash, DiskTime disk, long capacityBytes, Partition start, int segments) {
    this.flash = flash;
    this.disk = disk;
    this.segments = segments;
    long segmentBytes = Math.max(1, capacityBytes / segments);
    this.reads = new GhostCurve(segmentBytes, segments, MOST_BLOCKS);
    this.writes = new GhostCurve(segmentBytes, segments, MOST_BLOCKS);
    this.current = start;
    this.goal = start;
  }

  /** A read; that of a scan earns the write space its due and has no say about the read space. */
  public void read(BlockKey block, long bytes) {
    if (!scans.request(block.id(), 1)) {
      reads.access(block, bytes);
    }
    writes.earned(block);
  }

  public void deleted(BlockKey block) {
    reads.forget(block);
    writes.earned(block);
    writes.forget(block);
  }

  public void written(BlockKey block, long bytes) {
    writes.access(block, bytes);
  }

  /** The end of a period. Returns the split for the next one. */
  public Partition next() {
    double all = reads.accesses() + writes.accesses();
    if (all >= LEAST_ACCESSES) {
      goal =
          new HybridCost(
                  flash, disk, reads.curve(), writes.curve(), reads.accesses() / all, segments)
              .best();
    }
    current = current.towards(goal);
    reads.age();
    writes.age();
    return current;
  }

  /** The split in force. */
  public Partition current() {
    return current;
  }

  /** Where the borders are moving to. */
  public Partition goal() {
    return goal;
  }
}
