// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/** A split of the fast tier into read space, write space and reserve, in segments. Immutable. */
public final class Partition {
  private final int data;
  private final int segments;
  private final int read;
  private final double seconds;

  Partition(int data, int segments, int read, double seconds) {
    this.data = data;
    this.segments = segments;
    this.read = read;
    this.seconds = seconds;
  }

  /** Share of the tier that holds data, u, 0 to 1. */
  public double dataShare() {
    return (double) data / segments;
  }

  /** Share of the tier for reads, u r. */
  public double readShare() {
    return (double) read / segments;
  }

  /** Share of the tier for writes, u (1 - r). */
  public double writeShare() {
    return (double) (data - read) / segments;
  }

  /** Share of the tier that stays free, 1 - u. */
  public double reserveShare() {
    return 1 - dataShare();
  }

  /** Cost of an access with this split, in seconds. */
  public double seconds() {
    return seconds;
  }

  /**
   * The next step towards a goal: read space, write space and reserve each change by at most one
   * segment, and the total stays the same.
   */
  public Partition towards(Partition goal) {
    if (goal.segments != segments) {
      throw new IllegalArgumentException(
          "segments: expected " + segments + ", found " + goal.segments);
    }
    int nextRead = read + Integer.signum(goal.read - read);
    int write = data - read;
    int goalWrite = goal.data - goal.read;
    int nextWrite = write + Integer.signum(goalWrite - write);
    if (nextRead + nextWrite > segments - 1) {
      nextRead = Math.min(nextRead, read);
      nextWrite = Math.min(nextWrite, write);
    }
    return new Partition(nextRead + nextWrite, segments, nextRead, goal.seconds);
  }

  /** A split of fixed shares, rounded to the nearest segment. */
  public static Partition of(double readShare, double writeShare, int segments) {
    int read = (int) Math.round(readShare * segments);
    int write = (int) Math.round(writeShare * segments);
    if (read < 0 || write < 0 || read + write > segments) {
      throw new IllegalArgumentException(
          "expected shares with a sum of 0 to 1, found readShare="
              + readShare
              + " writeShare="
              + writeShare);
    }
    return new Partition(read + write, segments, read, Double.NaN);
  }

  @Override
  public String toString() {
    return "read="
        + read
        + " write="
        + (data - read)
        + " free="
        + (segments - data)
        + " of "
        + segments;
  }
}
