package io.hycache.core.hint;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What became of a submission of hints: what was taken, and what kept the rest out. Immutable. */
public final class HintReceipt {
  /** What bounded a submission. */
  public enum Limit {
    USER_WORKFLOWS("the user has as many workflows as hycache.hints.user.max-workflows allows"),
    USER_BLOCKS("the user has as many hinted reads as hycache.hints.user.max-blocks allows"),
    NODE_BLOCKS("the DataNode has as many hinted reads as hycache.hints.max-blocks allows"),
    USER_TTL("the hints live as long as hycache.hints.user.max-ttl allows, which is shorter");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    /** One sentence for people. */
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
   * @param accepted steps that were taken: the first ones
   * @param refused steps that were not
   * @param ttlMillis how long they live, &gt; 0
   * @param limits that were met; copied
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

  /** Steps that were taken: the first ones of the sequence. */
  public int accepted() {
    return accepted;
  }

  /** Steps that were not taken; 0 if none was refused. */
  public int refused() {
    return refused;
  }

  /** How long the hints live from the submission on, in milliseconds. */
  public long ttlMillis() {
    return ttlMillis;
  }

  /** What refused steps or shortened their life, in the order of declaration; empty if nothing. */
  public Set<Limit> limits() {
    return limits;
  }

  /** All was taken as it was asked for. */
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
