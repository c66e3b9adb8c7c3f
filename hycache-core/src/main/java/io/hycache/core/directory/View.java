// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** The members of the directory as the NameNode reported them at some time. Immutable. */
public final class View {
  /** A report of a later time than this after now was dated by a clock that is ahead. */
  static final long MAX_CLOCK_LEAD_MILLIS = 60_000;

  /** No members, and no report. */
  public static final View NONE = new View(0, List.of());

  private final long reportedMillis;
  private final List<Member> members;

  /**
   * @param reportedMillis time of the report, in milliseconds since 1970 by the receiver's clock
   */
  public View(long reportedMillis, Collection<Member> members) {
    this(List.copyOf(new TreeSet<>(members)), reportedMillis);
  }

  /**
   * @param sorted by id, each once; unmodifiable
   */
  private View(List<Member> sorted, long reportedMillis) {
    this.reportedMillis = reportedMillis;
    this.members = sorted;
  }

  /** The same members as of another report. */
  View reportedAt(long millis) {
    return millis == reportedMillis ? this : new View(members, millis);
  }

  /** Time of the report, in milliseconds since 1970 by the receiver's clock. */
  public long reportedMillis() {
    return reportedMillis;
  }

  /**
   * Whether the report is dated so far in the future that the clock which dated it was ahead: that
   * of another node, or the own one before it was set back.
   */
  public boolean isAhead(long nowMillis) {
    return isAhead(reportedMillis, nowMillis);
  }

  /** See {@link #isAhead(long)}. */
  static boolean isAhead(long reportedMillis, long nowMillis) {
    return reportedMillis > nowMillis + MAX_CLOCK_LEAD_MILLIS;
  }

  /** In the order of their ids. */
  public List<Member> members() {
    return members;
  }

  /** Whether these are the same members, at the same addresses. */
  @SuppressWarnings("ReferenceEquality") // the same list has the same members
  public boolean sameMembers(View other) {
    List<Member> others = other.members;
    if (members == others) {
      return true;
    }
    if (members.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!members.get(i).sameAs(others.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "View reported=" + reportedMillis + " members=" + members;
  }
}
