// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.hint.BlockReferences.Share;
import io.hycache.core.hint.HintReceipt.Limit;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reference sequences of all active workflows, in memory, bounded.
 *
 * <p>Idea: a workflow's sequence is an array with one small number per reference, the index of a
 * distinct block. The references of one block are chained, and the block's share of the workflow
 * points to the first reference of the chain that is not used up; all references before it are. So
 * a read that uses up a reference advances one pointer, wherever in the sequence the block is, and
 * tasks may run out of order.
 *
 * <p>Rules: a read uses up one reference of one workflow: the one submitted first among those with
 * a reference left. Bytes read are counted from the last reference that was used up. One call uses
 * up at most one reference, and bytes beyond nine tenths of the length are not carried over. A
 * reference that is used up is not returned by {@link #next}. A workflow whose references are all
 * used up is removed. The listener is called after all state has changed, once for each block whose
 * count differs from the last one reported; it must not call methods that modify this object.
 *
 * <p>Complexity: submit and withdraw O(references); onRead and remaining O(1); next O(1) amortized
 * over the references that a cursor passes; rewind O(workflows) plus the references used up since
 * the last call; other questions about a block O(workflows that reference it).
 *
 * <p>Memory: 8 bytes per reference, about 150 per distinct block plus its key, some hundred per
 * workflow and user. The limits, per user and in total, count all references held, used up or not,
 * so memory is bounded too. The references of a workflow are freed when its last one is used up or
 * its TTL expires.
 *
 * <p>Source: the reference sequence R of Zhao, Qiao, Raicu (the sequel of HyCache), Algorithms 4
 * and 5.
 */
public final class ReferenceSequences implements References {
  private final int maxReferences;
  private HintLimits limits;
  private final Listener listener;
  private final Map<BlockKey, BlockReferences> blocks = new HashMap<>();

  /** In order of submission. */
  private final Map<WorkflowId, ActiveWorkflow> workflows = new LinkedHashMap<>();

  /** In order of turns: the first has the next one. */
  private final Map<String, HintingUser> users = new LinkedHashMap<>();

  private int heldReferences;
  private long remaining;

  /** A workflow that had stood before the last mark has used up a reference since. */
  private boolean resumed;

  /**
   * Creates an instance without workflows.
   *
   * @param maxReferences limit on the references held over all workflows, &gt;= 0
   * @param ofOneUser limits per user
   * @param listener notified of each change of a block's remaining count
   */
  public ReferenceSequences(int maxReferences, HintLimits ofOneUser, Listener listener) {
    if (maxReferences < 0) {
      throw new IllegalArgumentException(
          "maxReferences: expected 0 or more, found " + maxReferences);
    }
    this.maxReferences = maxReferences;
    this.limits = ofOneUser;
    this.listener = listener;
  }

  @Override
  public void limit(HintLimits ofOneUser) {
    limits = ofOneUser;
  }

  @Override
  public HintReceipt submit(Hints hints, String user, boolean exempt, long nowMillis) {
    WorkflowId id = new WorkflowId(user, hints.workflow());
    List<BlockReferences> changed = new ArrayList<>();
    ActiveWorkflow before = workflows.get(id);
    if (before != null) {
      remove(before, changed);
    }
    HintReceipt receipt = bounded(id, hints, exempt);
    if (receipt.accepted() > 0) {
      add(hints, receipt, nowMillis, changed);
    }
    settle(changed);
    return receipt;
  }

  /** Computes how many references can be accepted now. O(1). */
  private HintReceipt bounded(WorkflowId id, Hints hints, boolean exempt) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    int offered = hints.references().size();
    int accepted = offered;
    long ttlMillis = hints.ttlMillis();
    if (!exempt) {
      HintingUser user = users.get(id.user());
      int workflowsOfUser = user == null ? 0 : user.turns.size();
      int referencesOfUser = user == null ? 0 : user.heldReferences;
      int room = workflowsOfUser < limits.maxWorkflows() ? Integer.MAX_VALUE : 0;
      accepted = atMost(room, accepted, Limit.USER_WORKFLOWS, met);
      accepted = atMost(limits.maxBlocks() - referencesOfUser, accepted, Limit.USER_BLOCKS, met);
    }
    accepted = atMost(maxReferences - heldReferences, accepted, Limit.NODE_BLOCKS, met);
    if (!exempt && accepted > 0 && ttlMillis > limits.maxTtl().toMillis()) {
      ttlMillis = limits.maxTtl().toMillis();
      met.add(Limit.USER_TTL);
    }
    return new HintReceipt(id, accepted, offered - accepted, ttlMillis, met);
  }

  private static int atMost(int room, int wanted, Limit limit, Set<Limit> met) {
    if (wanted <= Math.max(0, room)) {
      return wanted;
    }
    met.add(limit);
    return Math.max(0, room);
  }

  @Override
  public OptionalInt withdraw(WorkflowId id) {
    ActiveWorkflow workflow = workflows.get(id);
    if (workflow == null) {
      return OptionalInt.empty();
    }
    List<BlockReferences> changed = new ArrayList<>();
    remove(workflow, changed);
    settle(changed);
    return OptionalInt.of(workflow.left);
  }

  @Override
  public int expire(long nowMillis) {
    List<BlockReferences> changed = new ArrayList<>();
    int left = 0;
    for (ActiveWorkflow workflow : List.copyOf(workflows.values())) {
      if (nowMillis >= workflow.expiresAtMillis()) {
        remove(workflow, changed);
        left += workflow.left;
      }
    }
    settle(changed);
    return left;
  }

  @Override
  public boolean onRead(BlockKey key, long lengthBytes, long bytes) {
    BlockReferences block = blocks.get(key);
    if (block == null || !block.isCompletedBy(lengthBytes, bytes)) {
      return false;
    }
    useUp(block);
    settle(List.of(block));
    return true;
  }

  @Override
  public boolean onReadElsewhere(BlockKey key) {
    BlockReferences block = blocks.get(key);
    if (block == null) {
      return false;
    }
    useUp(block);
    settle(List.of(block));
    return true;
  }

  @Override
  public long remaining(BlockKey key) {
    BlockReferences block = blocks.get(key);
    return block == null ? 0 : block.remaining;
  }

  @Override
  public List<String> users(BlockKey key) {
    BlockReferences block = blocks.get(key);
    if (block == null) {
      return List.of();
    }
    Set<String> names = new LinkedHashSet<>();
    for (Share share = block.shares; share != null; share = share.next) {
      names.add(share.workflow.user.name);
    }
    return List.copyOf(names);
  }

  @Override
  public long referencesAhead(BlockKey key) {
    return nearest(key, false);
  }

  @Override
  public long referencesAheadInProgress(BlockKey key) {
    return nearest(key, true);
  }

  private long nearest(BlockKey key, boolean inProgress) {
    BlockReferences block = blocks.get(key);
    long nearest = Long.MAX_VALUE;
    for (Share share = block == null ? null : block.shares; share != null; share = share.next) {
      ActiveWorkflow workflow = share.workflow;
      if (!inProgress || workflow.progressed()) {
        long used = workflow.references.length - (long) workflow.left;
        nearest = Math.min(nearest, Math.max(0, share.firstReference - used));
      }
    }
    return nearest;
  }

  @Override
  public void markProgress() {
    workflows.values().forEach(ActiveWorkflow::mark);
    resumed = false;
  }

  @Override
  public boolean anyResumed() {
    return resumed;
  }

  @Override
  public boolean isUnderWay(BlockKey key) {
    BlockReferences block = blocks.get(key);
    for (Share share = block == null ? null : block.shares; share != null; share = share.next) {
      if (share.workflow.left < share.workflow.references.length) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Set<String> users() {
    return Collections.unmodifiableSet(users.keySet());
  }

  @Override
  public void reportAll(Listener to) {
    for (BlockReferences block : blocks.values()) {
      to.onReferences(block.key, block.remaining);
    }
  }

  @Override
  public long remaining() {
    return remaining;
  }

  @Override
  public @Nullable Upcoming next(Predicate<BlockKey> wanted, StepLimit limit) {
    for (int tried = users.size(); tried > 0 && !limit.isReached(); tried--) {
      HintingUser user = users.values().iterator().next();
      users.remove(user.name);
      users.put(user.name, user);
      BlockKey key = user.next(wanted, limit);
      if (key != null) {
        return new Upcoming(key, user.name);
      }
    }
    return null;
  }

  @Override
  public void rewind() {
    for (ActiveWorkflow workflow : workflows.values()) {
      workflow.rewind();
    }
  }

  @Override
  public List<WorkflowStatus> workflows(long nowMillis) {
    List<WorkflowStatus> out = new ArrayList<>(workflows.size());
    for (ActiveWorkflow workflow : workflows.values()) {
      out.add(
          new WorkflowStatus(
              workflow.receipt,
              workflow.left,
              Math.max(0, nowMillis - workflow.submittedMillis),
              Math.max(0, workflow.expiresAtMillis() - nowMillis)));
    }
    return out;
  }

  private void add(
      Hints hints, HintReceipt receipt, long nowMillis, List<BlockReferences> changed) {
    int accepted = receipt.accepted();
    HintingUser user = users.computeIfAbsent(receipt.workflow().user(), HintingUser::new);
    ActiveWorkflow workflow = new ActiveWorkflow(receipt, user, nowMillis);
    Map<BlockKey, Integer> shareOf = new HashMap<>();
    for (int reference = 0; reference < accepted; reference++) {
      BlockKey key = hints.references().get(reference).block();
      Integer known = shareOf.get(key);
      int index = known == null ? workflow.shares.size() : known;
      if (known == null) {
        Share added = new Share(blocks.computeIfAbsent(key, BlockReferences::new), workflow);
        added.block.link(added);
        workflow.shares.add(added);
        shareOf.put(key, index);
        changed.add(added.block);
      }
      workflow.set(reference, index);
    }
    remaining += accepted;
    heldReferences += accepted;
    user.heldReferences += accepted;
    user.turns.add(workflow);
    workflows.put(receipt.workflow(), workflow);
  }

  private void remove(ActiveWorkflow workflow, List<BlockReferences> changed) {
    for (Share share : workflow.shares) {
      if (share.left > 0) {
        share.block.unlink(share);
        share.block.remaining -= share.left;
        changed.add(share.block);
      }
    }
    remaining -= workflow.left;
    forget(workflow);
  }

  /** Removes a workflow and frees its share of the limits. */
  private void forget(ActiveWorkflow workflow) {
    HintingUser user = workflow.user;
    workflows.remove(workflow.receipt.workflow());
    heldReferences -= workflow.references.length;
    user.heldReferences -= workflow.references.length;
    user.turns.remove(workflow);
    if (user.turns.isEmpty()) {
      users.remove(user.name);
    }
  }

  private void useUp(BlockReferences block) {
    Share share = block.shares;
    if (share == null) {
      throw new IllegalStateException("block without references: block=" + block.key);
    }
    ActiveWorkflow workflow = share.workflow;
    workflow.useUp(share);
    resumed |= workflow.stood();
    block.remaining--;
    remaining--;
    if (share.left == 0) {
      block.unlink(share);
    }
    if (workflow.left == 0) {
      forget(workflow);
    }
  }

  /** Removes blocks without references, then notifies the listener of changed counts. */
  private void settle(List<BlockReferences> changed) {
    for (BlockReferences block : changed) {
      if (block.shares == null) {
        blocks.remove(block.key);
      }
    }
    for (BlockReferences block : changed) {
      if (block.remaining != block.reported) {
        block.reported = block.remaining;
        listener.onReferences(block.key, block.remaining);
      }
    }
  }
}
