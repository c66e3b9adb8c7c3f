// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.config;

import java.util.Locale;

/** How the fast tier is split between reads and writes: {@code hycache.partition}. Immutable. */
public final class PartitionRule {
  /** No fixed split: writes take up to {@code hycache.write.share}, reads the rest. */
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
   * Parses {@code shared}, {@code auto}, or two shares READS:WRITES such as {@code 0.6:0.3}; the
   * rest stays free.
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
        // Reported below together with the expected forms.
      }
    }
    throw new IllegalArgumentException(
        key
            + ": expected shared, auto, or READS:WRITES, two shares with a sum of at most 1, such"
            + " as 0.6:0.3, found '"
            + text
            + "'");
  }

  /** True if the split follows the observed reads and writes. */
  public boolean isAuto() {
    return kind == Kind.AUTO;
  }

  public boolean isShared() {
    return kind == Kind.SHARED;
  }

  /** Share for reads in a fixed split, 0 to 1; otherwise 1. */
  public double readShare() {
    return readShare;
  }

  /** Share for writes in a fixed split, 0 to 1; otherwise 1. */
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

  /** The form that {@link #parse} accepts. */
  @Override
  public String toString() {
    return kind == Kind.SHARES
        ? readShare + ":" + writeShare
        : kind.name().toLowerCase(Locale.ROOT);
  }
}
