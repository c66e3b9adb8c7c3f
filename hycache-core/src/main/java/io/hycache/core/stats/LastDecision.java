// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.Weighing;
import org.jspecify.annotations.Nullable;

/** The latest decision about a block: the rule, its input and its outcome. Immutable. */
public final class LastDecision {
  /** Value of {@code hycache.policy} at that time. */
  public final String policy;

  /** Age of the decision in milliseconds. */
  public final long agoMillis;

  /** Cause of the decision: a read that missed, a hint, or another block that needed room. */
  public final String trigger;

  /** Name of a {@link io.hycache.core.model.Reason}. */
  public final String outcome;

  /** Size of the block considered for promotion. */
  public final long wantedBytes;

  /** Free space on SSD at that time. */
  public final long freeBytes;

  /** Blocks that were evicted for it, or would have been. */
  public final int victims;

  /** Known references to the block after its promotion. */
  public final long references;

  /** Gain and cost; null if the rule does not compare them. */
  public final @Nullable Weighing weighing;

  public LastDecision(
      String policy,
      long agoMillis,
      String trigger,
      String outcome,
      long wantedBytes,
      long freeBytes,
      int victims,
      long references,
      @Nullable Weighing weighing) {
    this.policy = policy;
    this.agoMillis = agoMillis;
    this.trigger = trigger;
    this.outcome = outcome;
    this.wantedBytes = wantedBytes;
    this.freeBytes = freeBytes;
    this.victims = victims;
    this.references = references;
    this.weighing = weighing;
  }
}
