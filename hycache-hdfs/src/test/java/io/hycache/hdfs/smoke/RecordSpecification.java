// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import java.util.ArrayList;
import java.util.List;

/**
 * One record of the directory, one operation after the other. Versions are what the directory
 * chose, so a change names the version that it came to.
 */
public final class RecordSpecification {
  private long version;
  private final List<Integer> entries = new ArrayList<>();

  /** A compare-and-swap that was done: whether it may be, from the version that it expected. */
  public boolean cas(long expected, long next, int value) {
    if (version != expected) {
      return false;
    }
    version = next;
    entries.clear();
    entries.add(value);
    return true;
  }

  /** A compare-and-swap that met another version: which one; -1 if it met the one it expected. */
  public long conflict(long expected) {
    return version == expected ? -1 : version;
  }

  /** An append: the entries that the record has after it. */
  public int append(long next, int value) {
    version = next;
    entries.add(value);
    return entries.size();
  }

  /** All of it. */
  public String get() {
    return version + " " + entries;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordSpecification
        && version == ((RecordSpecification) other).version
        && entries.equals(((RecordSpecification) other).entries);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(version) + entries.hashCode();
  }
}
