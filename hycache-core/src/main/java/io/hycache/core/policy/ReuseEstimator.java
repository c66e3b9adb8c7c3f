package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Concludes from earlier reads when a block will be read next, and how surely.
 *
 * <p>Idea: a block that was read before within the window comes back after about the mean of its
 * gaps, with a certainty of (reads - 1) / reads; the mean leans to the last gaps from the eighth
 * on. Of a block that was never read, the class that it belongs to ({@code onClass}: a job, a
 * directory) may know: how many of the class's first reads were followed by another, and after how
 * long. A class is believed from 32 first reads on. So a scan is not believed, and a job whose
 * files are always read again is, at the first touch.
 *
 * <p>Complexity: O(1). Memory: about 180 bytes for each block in the window, about 100 for each
 * class and 60 for each block with a class. The window is a number of blocks: those read last.
 */
final class ReuseEstimator {
  private static final int SMOOTHING = 8;
  private static final int BELIEVED_FROM = 32;
  private static final int LEAST_CERTAINTY_PERCENT = 5;

  /** A conclusion. */
  static final class Guess {
    final long afterNanos;
    final double certainty;

    Guess(long afterNanos, double certainty) {
      this.afterNanos = Math.max(1, afterNanos);
      this.certainty = certainty;
    }
  }

  private static final class Reads {
    long lastNanos;
    double gapNanos;
    int count = 1;

    Reads(long lastNanos) {
      this.lastNanos = lastNanos;
    }
  }

  private static final class Group {
    double firstReads;
    double reuses;
    double gapNanos;
  }

  private final LinkedHashMap<BlockKey, Reads> window = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<BlockKey, Group> groupOf = new HashMap<>();
  private final Map<String, Group> groups = new HashMap<>();

  void belongs(BlockKey block, String name) {
    groupOf.put(block, groups.computeIfAbsent(name, n -> new Group()));
  }

  /**
   * Takes in a read.
   *
   * @param windowBlocks how many blocks may be remembered
   * @return what follows from it, null if nothing does
   */
  @Nullable Guess read(BlockKey block, long nowNanos, int windowBlocks) {
    Group group = groupOf.get(block);
    Reads reads = window.get(block);
    if (reads == null) {
      window.put(block, new Reads(nowNanos));
      trim(windowBlocks);
      return group == null ? null : firstRead(group);
    }
    long gap = Math.max(1, nowNanos - reads.lastNanos);
    if (group != null && reads.count == 1) {
      group.reuses++;
      group.gapNanos += (gap - group.gapNanos) / Math.min(group.reuses, SMOOTHING * SMOOTHING);
    }
    reads.gapNanos += (gap - reads.gapNanos) / Math.min(reads.count, SMOOTHING);
    reads.count++;
    reads.lastNanos = nowNanos;
    return new Guess((long) reads.gapNanos, (reads.count - 1.0) / reads.count);
  }

  private static @Nullable Guess firstRead(Group group) {
    group.firstReads++;
    double certainty = group.reuses / group.firstReads;
    if (group.firstReads < BELIEVED_FROM || certainty * 100 < LEAST_CERTAINTY_PERCENT) {
      return null;
    }
    return new Guess((long) group.gapNanos, Math.min(1, certainty));
  }

  private void trim(int windowBlocks) {
    Iterator<BlockKey> oldest = window.keySet().iterator();
    while (window.size() > windowBlocks && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
  }
}
