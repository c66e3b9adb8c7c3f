// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import org.jspecify.annotations.Nullable;

/** A resident block as a node of a circular list. An unlinked node points to itself. */
class Resident extends BlockMap.Value {
  private static final CacheKey NO_KEY = new CacheKey("", 0);

  long sizeBytes;
  Resident previous = this;
  Resident next = this;

  /** The bucket that it is in, for policies with several lists. */
  LfuPolicy.@Nullable Bucket bucket;

  /** The list that it is in; null if none. */
  @Nullable ResidentList list;

  /** For the policy's use: a use count or a position. */
  int uses;

  Resident(CacheKey key, long sizeBytes) {
    super(key);
    this.sizeBytes = sizeBytes;
  }

  /** Sentinel of an empty list: {@code next} is the first node, {@code previous} the last. */
  static Resident listEnds() {
    return new Resident(NO_KEY, 0);
  }

  void linkBefore(Resident other) {
    previous = other.previous;
    next = other;
    previous.next = this;
    other.previous = this;
  }

  /** Leaves the {@link #list} that it is in, if any. */
  void leaveList() {
    ResidentList left = list;
    if (left != null) {
      left.remove(this);
    }
  }

  void unlink() {
    previous.next = next;
    next.previous = previous;
    previous = this;
    next = this;
  }
}
