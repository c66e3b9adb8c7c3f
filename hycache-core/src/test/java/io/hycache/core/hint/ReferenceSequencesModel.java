// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.hint.HintReceipt.Limit;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link References} as plain lists that are searched for each answer. */
final class ReferenceSequencesModel implements References {
  private static final class Reference {
    final BlockKey block;
    boolean used;

    Reference(BlockKey block) {
      this.block = block;
    }
  }

  private static final class Workflow {
    final WorkflowId id;
    final long submitted;
    final HintReceipt receipt;
    final List<Reference> references = new ArrayList<>();
    int cursor;

    /** References used up at the last two marks. */
    int usedAtMark;

    int usedAtMarkBefore;
    boolean marked;

    Workflow(WorkflowId id, long submitted, HintReceipt receipt) {
      this.id = id;
      this.submitted = submitted;
      this.receipt = receipt;
    }

    int left() {
      return (int) references.stream().filter(s -> !s.used).count();
    }

    int used() {
      return references.size() - left();
    }
  }

  private final int maxReferences;
  private HintLimits limits;
  private final Map<BlockKey, Long> readBytes = new HashMap<>();

  /** In order of submission. */
  private final List<Workflow> workflows = new ArrayList<>();

  /** In order of turns: the first has the next one. */
  private final List<Workflow> turns = new ArrayList<>();

  private final List<String> userTurns = new ArrayList<>();
  private boolean resumed;

  ReferenceSequencesModel(int maxReferences, HintLimits limits) {
    this.maxReferences = maxReferences;
    this.limits = limits;
  }

  @Override
  public void limit(HintLimits ofOneUser) {
    limits = ofOneUser;
  }

  private int references(Predicate<Workflow> of) {
    return workflows.stream().filter(of).mapToInt(w -> w.references.size()).sum();
  }

  @Override
  public HintReceipt submit(Hints batch, String user, boolean exempt, long nowMillis) {
    WorkflowId id = new WorkflowId(user, batch.workflow());
    removeIf(w -> w.id.equals(id));
    Set<Limit> met = new HashSet<>();
    List<Reference> taken = new ArrayList<>();
    long own = workflows.stream().filter(w -> w.id.user().equals(user)).count();
    int ownReferences = references(w -> w.id.user().equals(user));
    int allReferences = references(w -> true);
    for (int i = 0; i < batch.references().size(); i++) {
      if (!exempt && own >= limits.maxWorkflows()) {
        met.add(Limit.USER_WORKFLOWS);
      } else if (!exempt && ownReferences + i >= limits.maxBlocks()) {
        met.add(Limit.USER_BLOCKS);
      } else if (allReferences + i >= maxReferences) {
        met.add(Limit.NODE_BLOCKS);
      } else {
        taken.add(new Reference(batch.references().get(i).block()));
      }
    }
    long ttl = batch.ttlMillis();
    if (!exempt && !taken.isEmpty() && ttl > limits.maxTtl().toMillis()) {
      ttl = limits.maxTtl().toMillis();
      met.add(Limit.USER_TTL);
    }
    HintReceipt receipt =
        new HintReceipt(id, taken.size(), batch.references().size() - taken.size(), ttl, met);
    if (!taken.isEmpty()) {
      Workflow added = new Workflow(id, nowMillis, receipt);
      added.references.addAll(taken);
      workflows.add(added);
      turns.add(added);
      if (!userTurns.contains(user)) {
        userTurns.add(user);
      }
    }
    forgetReadBytes();
    return receipt;
  }

  private int removeIf(Predicate<Workflow> gone) {
    int left = workflows.stream().filter(gone).mapToInt(Workflow::left).sum();
    workflows.removeIf(gone);
    turns.removeIf(gone);
    userTurns.removeIf(user -> workflows.stream().noneMatch(w -> w.id.user().equals(user)));
    return left;
  }

  @Override
  public OptionalInt withdraw(WorkflowId workflow) {
    boolean known = workflows.stream().anyMatch(w -> w.id.equals(workflow));
    int left = removeIf(w -> w.id.equals(workflow));
    forgetReadBytes();
    return known ? OptionalInt.of(left) : OptionalInt.empty();
  }

  @Override
  public int expire(long nowMillis) {
    int left = removeIf(w -> w.submitted + w.receipt.ttlMillis() <= nowMillis);
    forgetReadBytes();
    return left;
  }

  @Override
  public boolean onRead(BlockKey block, long lengthBytes, long bytes) {
    if (remaining(block) == 0) {
      return false;
    }
    long read = readBytes.merge(block, bytes, Long::sum);
    if (read * 10 < lengthBytes * 9) {
      return false;
    }
    readBytes.remove(block);
    useUp(block);
    return true;
  }

  @Override
  public boolean onReadElsewhere(BlockKey block) {
    boolean any = remaining(block) > 0;
    if (any) {
      useUp(block);
    }
    return any;
  }

  private void useUp(BlockKey block) {
    Reference used =
        workflows.stream()
            .flatMap(w -> w.references.stream())
            .filter(s -> !s.used && s.block.equals(block))
            .findFirst()
            .orElseThrow();
    used.used = true;
    resumed |=
        workflows.stream()
            .anyMatch(
                w -> w.marked && w.references.contains(used) && w.usedAtMark == w.usedAtMarkBefore);
    int unused = removeIf(w -> w.left() == 0);
    forgetReadBytes();
  }

  @Override
  public long remaining(BlockKey block) {
    return workflows.stream()
        .flatMap(w -> w.references.stream())
        .filter(s -> !s.used && s.block.equals(block))
        .count();
  }

  @Override
  public List<String> users(BlockKey block) {
    return workflows.stream()
        .filter(w -> w.references.stream().anyMatch(s -> !s.used && s.block.equals(block)))
        .map(w -> w.id.user())
        .distinct()
        .collect(Collectors.toList());
  }

  @Override
  public boolean isUnderWay(BlockKey block) {
    return workflows.stream()
        .anyMatch(
            w ->
                w.left() < w.references.size()
                    && w.references.stream().anyMatch(s -> !s.used && s.block.equals(block)));
  }

  @Override
  public Set<String> users() {
    return workflows.stream().map(w -> w.id.user()).collect(Collectors.toSet());
  }

  @Override
  public long referencesAhead(BlockKey block) {
    return nearest(block, w -> true);
  }

  @Override
  public long referencesAheadInProgress(BlockKey block) {
    return nearest(block, w -> w.used() > w.usedAtMark);
  }

  @Override
  public void markProgress() {
    resumed = false;
    for (Workflow w : workflows) {
      w.marked = true;
      w.usedAtMarkBefore = w.usedAtMark;
      w.usedAtMark = w.used();
    }
  }

  @Override
  public boolean anyResumed() {
    return resumed;
  }

  private long nearest(BlockKey block, Predicate<Workflow> of) {
    long nearest = Long.MAX_VALUE;
    for (Workflow w : workflows) {
      if (!of.test(w)) {
        continue;
      }
      int used = w.used();
      for (int reference = 0; reference < w.references.size(); reference++) {
        if (!w.references.get(reference).used && w.references.get(reference).block.equals(block)) {
          nearest = Math.min(nearest, Math.max(0, reference - used));
          break;
        }
      }
    }
    return nearest;
  }

  @Override
  public void reportAll(Listener listener) {
    workflows.stream()
        .flatMap(w -> w.references.stream())
        .filter(s -> !s.used)
        .map(s -> s.block)
        .distinct()
        .forEach(block -> listener.onReferences(block, remaining(block)));
  }

  @Override
  public long remaining() {
    return workflows.stream().mapToLong(Workflow::left).sum();
  }

  @Override
  public @Nullable Upcoming next(Predicate<BlockKey> wanted, StepLimit limit) {
    for (String user : List.copyOf(userTurns)) {
      userTurns.remove(user);
      userTurns.add(user);
      for (Workflow w : List.copyOf(turns)) {
        if (!w.id.user().equals(user)) {
          continue;
        }
        turns.remove(w);
        turns.add(w);
        while (w.cursor < w.references.size() && limit.take()) {
          Reference reference = w.references.get(w.cursor++);
          if (!reference.used && wanted.test(reference.block)) {
            return new Upcoming(reference.block, user);
          }
        }
      }
    }
    return null;
  }

  @Override
  public void rewind() {
    workflows.forEach(w -> w.cursor = 0);
  }

  @Override
  public List<WorkflowStatus> workflows(long nowMillis) {
    return workflows.stream()
        .map(
            w ->
                new WorkflowStatus(
                    w.receipt,
                    w.left(),
                    nowMillis - w.submitted,
                    Math.max(0, w.submitted + w.receipt.ttlMillis() - nowMillis)))
        .collect(Collectors.toList());
  }

  private void forgetReadBytes() {
    readBytes.keySet().removeIf(block -> remaining(block) == 0);
  }
}
