// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The blocks whose hints other DataNodes have, and which of them are to be notified of a read here.
 * In memory, bounded.
 *
 * <p>Idea: a hint goes to one replica of a block, the task may read another. The DataNodes with the
 * other replicas do not fetch the block; they watch it. A full read of it there fulfils the hint.
 *
 * <p>Rules: a read is full as in {@link References#onRead}. It counts for one workflow: the one
 * submitted first among those with an expected read left. A workflow's watches end with its TTL,
 * its withdrawal, its replacement, or the last expected read. Watches beyond a limit are left out:
 * their hints fade as if there were no such notice. Of a block that a submission names again, the
 * first entry counts. The limits are those of hints, with blocks in place of references, and
 * counted apart from them. A user's reads of one block are reported no more often than the user may
 * have references, each to the first {@value #MAX_REPORTS} DataNodes at most.
 *
 * <p>Complexity: submit and withdraw O(watches); onRead O(1) plus O(workflows that watch the
 * block); expire O(workflows) plus the watches that end.
 *
 * <p>Memory: about 200 bytes for each block and workflow, plus the block's key and the ids of at
 * most {@value #MAX_REPORTS} DataNodes. Blocks of one submission usually share these; at worst,
 * each has ids of its own, about 2 KB with ids of 64 characters. Single-threaded.
 */
public final class WatchedReads {
  /** DataNodes to which one read here is reported. */
  public static final int MAX_REPORTS = 10;

  private final int maxBlocks;
  private HintLimits limits;
  private final Map<BlockKey, WatchedBlock> blocks = new HashMap<>();

  /** In order of submission. */
  private final Map<WorkflowId, Workflow> workflows = new LinkedHashMap<>();

  private int watches;

  /** A block that at least one workflow watches. */
  private static final class WatchedBlock extends FullRead {
    final BlockKey key;

    /** In order of submission. */
    final List<Watch> watches = new ArrayList<>(1);

    WatchedBlock(BlockKey key) {
      this.key = key;
    }

    boolean isLastOf(Workflow workflow) {
      return !watches.isEmpty() && watches.get(watches.size() - 1).workflow == workflow;
    }
  }

  /** One block of one workflow. */
  private static final class Watch {
    final Workflow workflow;
    final WatchedBlock block;
    final List<String> hinted;

    /** Expected reads that did not take place here yet. */
    int left;

    Watch(Workflow workflow, WatchedBlock block, Hints.Watched what, int maxReads) {
      List<String> all = what.hinted();
      this.workflow = workflow;
      this.block = block;
      this.hinted = all.size() <= MAX_REPORTS ? all : List.copyOf(all.subList(0, MAX_REPORTS));
      this.left = Math.min(what.reads(), maxReads);
    }
  }

  private static final class Workflow {
    final WorkflowId id;
    final long endsMillis;
    final List<Watch> watches = new ArrayList<>();

    /** Watches with expected reads left. */
    int left;

    Workflow(WorkflowId id, long endsMillis) {
      this.id = id;
      this.endsMillis = endsMillis;
    }
  }

  /**
   * Creates an instance without workflows.
   *
   * @param maxBlocks limit on the blocks of all workflows, each block counted once for each of
   *     them, &gt;= 0
   */
  public WatchedReads(int maxBlocks, HintLimits ofOneUser) {
    this.maxBlocks = maxBlocks;
    this.limits = ofOneUser;
  }

  /** Sets the limits for later submissions. */
  public void limit(HintLimits ofOneUser) {
    limits = ofOneUser;
  }

  /** Watches what a submission asks for, in place of what an earlier one of the workflow did. */
  public void submit(Hints hints, String user, boolean exempt, long nowMillis) {
    WorkflowId id = new WorkflowId(user, hints.workflow());
    withdraw(id);
    expire(nowMillis);
    int most = Math.min(maxBlocks - watches, exempt ? Integer.MAX_VALUE : roomOf(user));
    if (hints.watched().isEmpty() || most <= 0) {
      return;
    }
    long ttlMillis =
        exempt ? hints.ttlMillis() : Math.min(hints.ttlMillis(), limits.maxTtl().toMillis());
    int maxReads = exempt ? Integer.MAX_VALUE : limits.maxBlocks();
    Workflow workflow = new Workflow(id, BlockReferences.saturatedSum(nowMillis, ttlMillis));
    for (Hints.Watched what : hints.watched()) {
      if (workflow.watches.size() >= most) {
        break;
      }
      WatchedBlock block = blocks.computeIfAbsent(what.block(), WatchedBlock::new);
      if (block.isLastOf(workflow)) {
        continue;
      }
      Watch watch = new Watch(workflow, block, what, maxReads);
      watch.block.watches.add(watch);
      workflow.watches.add(watch);
    }
    workflow.left = workflow.watches.size();
    watches += workflow.left;
    workflows.put(id, workflow);
  }

  private int roomOf(String user) {
    int count = 0;
    int held = 0;
    for (Map.Entry<WorkflowId, Workflow> one : workflows.entrySet()) {
      if (one.getKey().user().equals(user)) {
        count++;
        held += one.getValue().watches.size();
      }
    }
    return count < limits.maxWorkflows() ? limits.maxBlocks() - held : 0;
  }

  /** Ends a workflow's watches. */
  public void withdraw(WorkflowId id) {
    Workflow workflow = workflows.remove(id);
    if (workflow != null) {
      end(workflow);
    }
  }

  /** Ends the watches of workflows whose TTL has expired. */
  public void expire(long nowMillis) {
    workflows
        .values()
        .removeIf(
            workflow -> {
              boolean over = nowMillis >= workflow.endsMillis;
              if (over) {
                end(workflow);
              }
              return over;
            });
  }

  private void end(Workflow workflow) {
    watches -= workflow.watches.size();
    for (Watch watch : workflow.watches) {
      if (watch.left > 0) {
        unlink(watch);
      }
    }
  }

  private void unlink(Watch watch) {
    watch.block.watches.remove(watch);
    if (watch.block.watches.isEmpty()) {
      blocks.remove(watch.block.key);
    }
  }

  /**
   * Records bytes read of a block here.
   *
   * @return ids of the DataNodes whose hints a full read now fulfils; empty if there are none
   */
  public List<String> onRead(BlockKey key, long lengthBytes, long bytes) {
    WatchedBlock block = blocks.get(key);
    if (block == null || !block.isCompletedBy(lengthBytes, bytes)) {
      return List.of();
    }
    Watch first = block.watches.get(0);
    if (--first.left == 0) {
      unlink(first);
      if (--first.workflow.left == 0) {
        withdraw(first.workflow.id);
      }
    }
    return first.hinted;
  }

  /** Blocks of workflows with expected reads left, once for each of them. */
  public int size() {
    return watches;
  }
}
