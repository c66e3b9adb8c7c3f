package io.hycache.core.model;

/** The two figures that a rule compared before it decided. Immutable. */
public final class Weighing {
  private final double gain;
  private final double cost;
  private final String unit;

  /**
   * @param gain of fetching the candidate
   * @param cost of giving up the victims
   * @param unit of both, for people; short
   */
  public Weighing(double gain, double cost, String unit) {
    this.gain = gain;
    this.cost = cost;
    this.unit = unit;
  }

  public double gain() {
    return gain;
  }

  public double cost() {
    return cost;
  }

  public String unit() {
    return unit;
  }
}
