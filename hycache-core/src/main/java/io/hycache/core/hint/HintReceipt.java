// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Result of a submission of hints: the number of accepted references, and the limits that caused
 * the rest to be refused. Immutable.
 */
public final class HintReceipt {
  /** A limit that a submission may reach. */
  public enum Limit {
    USER_WORKFLOWS("the user has reached the limit on workflows, hycache.hints.user.max-workflows"),
    USER_BLOCKS(
        "the user has reached the limit on expected block reads, hycache.hints.user.max-blocks"),
    NODE_BLOCKS(
        "the DataNode has reached its limit on expected block reads, hycache.hints.max-blocks"),
    USER_TTL("the lifetime was reduced to hycache.hints.user.max-ttl");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    /** One sentence for display. */
    public String text() {
      return text;
    }
  }

  private final WorkflowId workflow;
  private final int accepted;
  private final int refused;
  private final long ttlMillis;
  private final Set<Limit> limits;

  /**
   * @param accepted number of accepted references, the first of the sequence
   * @param refused number of refused references
   * @param ttlMillis granted lifetime, &gt; 0
   * @param limits that were reached; copied
   */
  public HintReceipt(
      WorkflowId workflow, int accepted, int refused, long ttlMillis, Set<Limit> limits) {
    this.workflow = workflow;
    this.accepted = accepted;
    this.refused = refused;
    this.ttlMillis = ttlMillis;
    EnumSet<Limit> copy = EnumSet.noneOf(Limit.class);
    copy.addAll(limits);
    this.limits = Collections.unmodifiableSet(copy);
  }

  public WorkflowId workflow() {
    return workflow;
  }

  /** Number of accepted references: the first of the sequence. */
  public int accepted() {
    return accepted;
  }

  /** Number of refused references, &gt;= 0. */
  public int refused() {
    return refused;
  }

  /** Lifetime of the hints from their submission, in milliseconds. */
  public long ttlMillis() {
    return ttlMillis;
  }

  /**
   * The limits that refused references or shortened the lifetime, in order of declaration; empty if
   * none did.
   */
  public Set<Limit> limits() {
    return limits;
  }

  /** True if everything was accepted as requested. */
  public boolean isWhole() {
    return limits.isEmpty();
  }

  @Override
  public String toString() {
    return "workflow="
        + workflow
        + " accepted="
        + accepted
        + " refused="
        + refused
        + " ttlMillis="
        + ttlMillis
        + " limits="
        + limits;
  }
}
