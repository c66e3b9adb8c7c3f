// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import java.util.Objects;

/** A block that is not on the fast tier and might be fetched. Immutable. */
public final class Candidate {
  /** Why the candidate is considered. */
  public enum Trigger {
    /** A read was just served from the slow tier. */
    READ_MISS,
    /** It is the next non-resident block of a hinted reference sequence. */
    HINT
  }

  private final CacheKey key;
  private final long sizeBytes;
  private final Trigger trigger;
  private final long referencesAfterFetch;

  /**
   * @param sizeBytes &gt;= 0
   * @param referencesAfterFetch hinted references to the block after the one it is fetched for,
   *     &gt;= 0; 0 if none is hinted
   */
  public Candidate(CacheKey key, long sizeBytes, Trigger trigger, long referencesAfterFetch) {
    this.key = Objects.requireNonNull(key);
    this.sizeBytes = sizeBytes;
    this.trigger = Objects.requireNonNull(trigger);
    this.referencesAfterFetch = referencesAfterFetch;
  }

  public CacheKey key() {
    return key;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  public Trigger trigger() {
    return trigger;
  }

  public long referencesAfterFetch() {
    return referencesAfterFetch;
  }

  @Override
  public String toString() {
    return key
        + " sizeBytes="
        + sizeBytes
        + " trigger="
        + trigger
        + " referencesAfterFetch="
        + referencesAfterFetch;
  }
}
