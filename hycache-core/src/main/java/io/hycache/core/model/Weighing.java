// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** The two figures that a policy compared before a decision. Immutable. */
public final class Weighing {
  private final double gain;
  private final double cost;
  private final String unit;

  /**
   * @param gain of fetching the candidate
   * @param cost of evicting the victims
   * @param unit of both figures, for display; short
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
