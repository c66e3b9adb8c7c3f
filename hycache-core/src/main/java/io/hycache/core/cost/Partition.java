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

  /** Share of the tier that holds data, u: 0 to 1. */
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

  /** What an access costs with it. */
  public double seconds() {
    return seconds;
  }

  /**
   * The next step from here towards a goal: read space, write space and reserve each change by at
   * most a segment, and what one gives another takes.
   */
  public Partition towards(Partition goal) {
    if (goal.segments != segments) {
      throw new IllegalArgumentException(
          "segments=" + goal.segments + "; expected as many as here, " + segments);
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

  /** Of fixed shares, to the nearest segment. */
  public static Partition of(double readShare, double writeShare, int segments) {
    int read = (int) Math.round(readShare * segments);
    int write = (int) Math.round(writeShare * segments);
    if (read < 0 || write < 0 || read + write > segments) {
      throw new IllegalArgumentException(
          "readShare=" + readShare + " writeShare=" + writeShare + "; allowed: together 0 to 1");
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
