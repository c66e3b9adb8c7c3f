package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reference sequences of all running workflows, in memory, bounded.
 *
 * <p>Idea: a workflow's sequence is an array of small numbers, one for each step, that point to its
 * distinct blocks. The steps of one block are chained, and the block's share of the workflow
 * remembers the first step of the chain that is not used up; all before it are. So a read that uses
 * up a reference moves one number on, wherever in the sequence the block stands, and tasks may run
 * out of order.
 *
 * <p>Rules: a read uses up one reference of one workflow, the one submitted first among those that
 * still have one. Bytes read count from the last reference that was used up; what one call reports
 * beyond nine tenths of the length is not carried over, and one call uses up at most one. A step
 * that is used up is not returned by {@link #next}. A workflow whose steps are all used up is
 * forgotten. The listener is called when all state is changed, once for each block whose count
 * differs from what it was told last; it must not call back into this object's changing methods.
 *
 * <p>Complexity: submit and withdraw O(steps); onRead O(1), one step more for each workflow that
 * shares the block; remaining O(1); next O(1) amortised over the steps that a cursor passes; rewind
 * O(workflows) besides steps that were used up since the last one.
 *
 * <p>Memory: 8 bytes for each step, about 150 for each distinct block besides its key. The bound
 * counts all steps held, used up or not, so memory is bounded too.
 *
 * <p>Source: the reference sequence R of Zhao, Qiao, Raicu (the sequel of HyCache), Algorithms 4
 * and 5.
 */
public final class ReferenceSequences implements References {
  private static final int NONE = -1;

  /** What all workflows together know of a block. */
  private static final class Block {
    final BlockKey key;
    long remaining;

    /** The count that the listener was told last. */
    long told;

    /** Bytes read since the last reference was used up. */
    long readBytes;

    /** The first of the shares that have references left, in order of submission. */
    @Nullable Share shares;

    Block(BlockKey key) {
      this.key = key;
    }
  }

  /** One block's references in one workflow. */
  private static final class Share {
    final Block block;
    final Workflow workflow;

    /** The first step that is not used up, NONE if there is none. */
    int firstStep = NONE;

    int lastStep = NONE;
    int left;

    /** The same block's share in a workflow submitted later. */
    @Nullable Share next;

    Share(Block block, Workflow workflow) {
      this.block = block;
      this.workflow = workflow;
    }
  }

  private static final class Workflow {
    final String name;
    final long expiresAtMillis;

    /** The distinct blocks, in order of their first step. */
    final List<Share> shares = new ArrayList<>();

    /** For each step the index of its share. */
    final int[] steps;

    /** For each step the next step of the same block, or NONE. */
    final int[] nextOfSameBlock;

    int left;

    /** All steps before it are used up. */
    int start;

    int cursor;

    Workflow(String name, long expiresAtMillis, int steps) {
      this.name = name;
      this.expiresAtMillis = expiresAtMillis;
      this.steps = new int[steps];
      this.nextOfSameBlock = new int[steps];
      this.left = steps;
    }

    boolean isUsedUp(int step) {
      Share share = shares.get(steps[step]);
      return share.firstStep == NONE || step < share.firstStep;
    }
  }

  private final int maxSteps;
  private final Listener listener;
  private final Map<BlockKey, Block> blocks = new HashMap<>();

  /** In order of submission. */
  private final Map<String, Workflow> workflows = new LinkedHashMap<>();

  /** The same workflows; rebuilt when they change, so that turns are taken by index. */
  private List<Workflow> turns = List.of();

  private int turn;
  private int heldSteps;
  private long remaining;

  /**
   * Creates it without any workflow.
   *
   * @param maxSteps bound on the steps held, over all workflows, &gt;= 0
   * @param listener told of each change of a block's remaining count
   */
  public ReferenceSequences(int maxSteps, Listener listener) {
    if (maxSteps < 0) {
      throw new IllegalArgumentException("maxSteps=" + maxSteps + "; allowed: >= 0");
    }
    this.maxSteps = maxSteps;
    this.listener = listener;
  }

  @Override
  public int submit(HintBatch batch, long nowMillis) {
    List<Block> changed = new ArrayList<>();
    remove(batch.workflow(), changed);
    int accepted = Math.min(batch.steps().size(), maxSteps - heldSteps);
    if (accepted > 0) {
      add(batch, accepted, saturatedSum(nowMillis, batch.ttlMillis()), changed);
    }
    workflowsChanged();
    settle(changed);
    return accepted;
  }

  @Override
  public int withdraw(String workflow) {
    List<Block> changed = new ArrayList<>();
    int left = remove(workflow, changed);
    workflowsChanged();
    settle(changed);
    return left;
  }

  @Override
  public int expire(long nowMillis) {
    List<Block> changed = new ArrayList<>();
    int left = 0;
    for (Workflow workflow : turns) {
      if (nowMillis >= workflow.expiresAtMillis) {
        left += remove(workflow.name, changed);
      }
    }
    if (!changed.isEmpty()) {
      workflowsChanged();
      settle(changed);
    }
    return left;
  }

  @Override
  public boolean onRead(BlockKey key, long lengthBytes, long bytes) {
    Block block = blocks.get(key);
    if (block == null) {
      return false;
    }
    block.readBytes = saturatedSum(block.readBytes, Math.max(0, bytes));
    if (block.readBytes < nineTenths(lengthBytes)) {
      return false;
    }
    block.readBytes = 0;
    useUp(block);
    settle(List.of(block));
    return true;
  }

  @Override
  public long remaining(BlockKey key) {
    Block block = blocks.get(key);
    return block == null ? 0 : block.remaining;
  }

  @Override
  public long stepsAhead(BlockKey key) {
    Block block = blocks.get(key);
    long nearest = Long.MAX_VALUE;
    for (Share share = block == null ? null : block.shares; share != null; share = share.next) {
      Workflow workflow = share.workflow;
      long used = workflow.steps.length - (long) workflow.left;
      nearest = Math.min(nearest, Math.max(0, share.firstStep - used));
    }
    return nearest;
  }

  @Override
  public void tellAll(Listener to) {
    for (Block block : blocks.values()) {
      to.onReferences(block.key, block.remaining);
    }
  }

  @Override
  public long remaining() {
    return remaining;
  }

  @Override
  public @Nullable BlockKey next(Predicate<BlockKey> wanted) {
    for (int tried = 0; tried < turns.size(); tried++) {
      Workflow workflow = turns.get(turn);
      turn = (turn + 1) % turns.size();
      while (workflow.cursor < workflow.steps.length) {
        int step = workflow.cursor++;
        if (workflow.isUsedUp(step)) {
          continue;
        }
        BlockKey key = workflow.shares.get(workflow.steps[step]).block.key;
        if (wanted.test(key)) {
          return key;
        }
      }
    }
    return null;
  }

  @Override
  public void rewind() {
    for (Workflow workflow : turns) {
      while (workflow.start < workflow.steps.length && workflow.isUsedUp(workflow.start)) {
        workflow.start++;
      }
      workflow.cursor = workflow.start;
    }
  }

  @Override
  public List<String> workflows() {
    return List.copyOf(workflows.keySet());
  }

  private void add(HintBatch batch, int accepted, long expiresAtMillis, List<Block> changed) {
    Workflow workflow = new Workflow(batch.workflow(), expiresAtMillis, accepted);
    Map<BlockKey, Integer> shareOf = new HashMap<>();
    for (int step = 0; step < accepted; step++) {
      BlockKey key = batch.steps().get(step).block();
      Integer known = shareOf.get(key);
      int index = known == null ? workflow.shares.size() : known;
      if (known == null) {
        Share added = new Share(blocks.computeIfAbsent(key, Block::new), workflow);
        link(added);
        workflow.shares.add(added);
        shareOf.put(key, index);
        changed.add(added.block);
      }
      Share share = workflow.shares.get(index);
      workflow.steps[step] = index;
      workflow.nextOfSameBlock[step] = NONE;
      if (share.firstStep == NONE) {
        share.firstStep = step;
      } else {
        workflow.nextOfSameBlock[share.lastStep] = step;
      }
      share.lastStep = step;
      share.left++;
      share.block.remaining++;
    }
    remaining += accepted;
    heldSteps += accepted;
    workflows.put(workflow.name, workflow);
  }

  private int remove(String name, List<Block> changed) {
    Workflow workflow = workflows.remove(name);
    if (workflow == null) {
      return 0;
    }
    for (Share share : workflow.shares) {
      if (share.left > 0) {
        unlink(share);
        share.block.remaining -= share.left;
        changed.add(share.block);
      }
    }
    remaining -= workflow.left;
    heldSteps -= workflow.steps.length;
    return workflow.left;
  }

  private void useUp(Block block) {
    Share share = block.shares;
    if (share == null) {
      throw new IllegalStateException("block without references: block=" + block.key);
    }
    Workflow workflow = share.workflow;
    share.firstStep = workflow.nextOfSameBlock[share.firstStep];
    share.left--;
    workflow.left--;
    block.remaining--;
    remaining--;
    if (share.left == 0) {
      unlink(share);
    }
    if (workflow.left == 0) {
      workflows.remove(workflow.name);
      heldSteps -= workflow.steps.length;
      workflowsChanged();
    }
  }

  /** Forgets the blocks without references, then tells the listener what has changed. */
  private void settle(List<Block> changed) {
    for (Block block : changed) {
      if (block.shares == null) {
        blocks.remove(block.key);
      }
    }
    for (Block block : changed) {
      if (block.remaining != block.told) {
        block.told = block.remaining;
        listener.onReferences(block.key, block.remaining);
      }
    }
  }

  /** Keeps the turn with the workflow that had it, else with the one that follows. */
  private void workflowsChanged() {
    List<Workflow> before = turns;
    turns = List.copyOf(workflows.values());
    for (int i = 0; i < before.size(); i++) {
      int index = turns.indexOf(before.get((turn + i) % before.size()));
      if (index >= 0) {
        turn = index;
        return;
      }
    }
    turn = 0;
  }

  private static void link(Share share) {
    Share last = share.block.shares;
    if (last == null) {
      share.block.shares = share;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = share;
  }

  private static void unlink(Share share) {
    Share before = share.block.shares;
    if (before == share) {
      share.block.shares = share.next;
      return;
    }
    while (before != null && before.next != share) {
      before = before.next;
    }
    if (before != null) {
      before.next = share.next;
    }
  }

  private static long nineTenths(long lengthBytes) {
    return lengthBytes - lengthBytes / 10;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return a > 0 && b > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }
}
