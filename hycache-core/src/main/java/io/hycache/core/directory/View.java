// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** The members of the directory as the NameNode reported them at some time. Immutable. */
public final class View {
  /** No members, and no report. */
  public static final View NONE = new View(0, List.of());

  private final long reportedMillis;
  private final List<Member> members;

  /**
   * @param reportedMillis time of the report, in milliseconds since 1970 by the receiver's clock
   */
  public View(long reportedMillis, Collection<Member> members) {
    this.reportedMillis = reportedMillis;
    this.members = List.copyOf(new TreeSet<>(members));
  }

  /** Time of the report, in milliseconds since 1970 by the receiver's clock. */
  public long reportedMillis() {
    return reportedMillis;
  }

  /** In the order of their ids. */
  public List<Member> members() {
    return members;
  }

  /** Whether these are the same members, at the same addresses. */
  public boolean sameMembers(View other) {
    return members.equals(other.members) && members.toString().equals(other.members.toString());
  }

  @Override
  public String toString() {
    return "View reported=" + reportedMillis + " members=" + members;
  }
}
