package io.hycache.core.config;

import java.util.Locale;

/** How the fast tier is split between reads and writes: {@code hycache.partition}. Immutable. */
public final class PartitionRule {
  /** Nothing is set aside: writes take what {@code hycache.write.share} allows, reads the rest. */
  public static final PartitionRule SHARED = new PartitionRule(Kind.SHARED, 1, 1);

  private enum Kind {
    SHARED,
    AUTO,
    SHARES
  }

  private final Kind kind;
  private final double readShare;
  private final double writeShare;

  private PartitionRule(Kind kind, double readShare, double writeShare) {
    this.kind = kind;
    this.readShare = readShare;
    this.writeShare = writeShare;
  }

  /**
   * Reads {@code shared}, {@code auto}, or two shares such as {@code 0.6:0.3}: for reads, for
   * writes; what is left stays free.
   *
   * @param key named in the error
   * @throws IllegalArgumentException if the text is none of these
   */
  public static PartitionRule parse(String key, String text) {
    String rule = text.trim().toLowerCase(Locale.ROOT);
    if (rule.equals("shared")) {
      return SHARED;
    }
    if (rule.equals("auto")) {
      return new PartitionRule(Kind.AUTO, 1, 1);
    }
    int colon = rule.indexOf(':');
    if (colon > 0) {
      try {
        double read = Double.parseDouble(rule.substring(0, colon));
        double write = Double.parseDouble(rule.substring(colon + 1));
        if (read >= 0 && write >= 0 && read + write <= 1) {
          return new PartitionRule(Kind.SHARES, read, write);
        }
      } catch (NumberFormatException e) {
        // Told below, with what is allowed.
      }
    }
    throw new IllegalArgumentException(
        key
            + ": found '"
            + text
            + "', allowed are shared, auto, or READS:WRITES, shares that are together at most 1,"
            + " such as 0.6:0.3");
  }

  /** The borders follow what is read and written. */
  public boolean isAuto() {
    return kind == Kind.AUTO;
  }

  public boolean isShared() {
    return kind == Kind.SHARED;
  }

  /** Of a fixed split, 0 to 1; otherwise 1. */
  public double readShare() {
    return readShare;
  }

  /** Of a fixed split, 0 to 1; otherwise 1. */
  public double writeShare() {
    return writeShare;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionRule && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return kind == Kind.SHARES
        ? readShare + ":" + writeShare
        : kind.name().toLowerCase(Locale.ROOT);
  }
}
