package io.hycache.core.cost;

/**
 * How many accesses find their object in a cache of a size, by segments of space. Rises with the
 * space. Immutable; a look-up O(1).
 */
public final class HitCurve {
  private final double[] ratios;

  /**
   * @param ratios hit ratio with 0, 1, 2, ... segments; each 0 to 1 and no less than the one before
   */
  public HitCurve(double... ratios) {
    double before = 0;
    for (double ratio : ratios) {
      if (!(ratio >= before && ratio <= 1)) {
        throw new IllegalArgumentException("hit ratio=" + ratio + "; allowed: " + before + " to 1");
      }
      before = ratio;
    }
    if (ratios.length == 0) {
      throw new IllegalArgumentException("a hit curve needs a value for 0 segments");
    }
    this.ratios = ratios.clone();
  }

  /** With so many segments, whole or in part; beyond the last one as with the last one. */
  public double at(double segments) {
    double within = Math.max(0, Math.min(segments, ratios.length - 1));
    int below = (int) within;
    if (below == ratios.length - 1) {
      return ratios[below];
    }
    return ratios[below] + (within - below) * (ratios[below + 1] - ratios[below]);
  }

  public int segments() {
    return ratios.length - 1;
  }
}
