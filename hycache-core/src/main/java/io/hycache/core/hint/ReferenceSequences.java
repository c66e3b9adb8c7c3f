package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.hint.HintReceipt.Limit;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
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
 * <p>Memory: 8 bytes for each step, about 150 for each distinct block besides its key, some hundred
 * for each workflow and user. The bounds, of each user and of all, count all steps held, used up or
 * not, so memory is bounded too; the steps of a workflow are freed with its last one, or its TTL.
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
    final HintReceipt receipt;
    final User user;
    final long submittedMillis;

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

    Workflow(HintReceipt receipt, User user, long submittedMillis) {
      int steps = receipt.accepted();
      this.receipt = receipt;
      this.user = user;
      this.submittedMillis = submittedMillis;
      this.steps = new int[steps];
      this.nextOfSameBlock = new int[steps];
      this.left = steps;
    }

    boolean isUsedUp(int step) {
      Share share = shares.get(steps[step]);
      return share.firstStep == NONE || step < share.firstStep;
    }

    long expiresAtMillis() {
      return saturatedSum(submittedMillis, receipt.ttlMillis());
    }

    /** The next block wanted from the cursor on, which moves behind it; null at the end. */
    @Nullable BlockKey next(Predicate<BlockKey> wanted) {
      while (cursor < steps.length) {
        int step = cursor++;
        BlockKey key = shares.get(steps[step]).block.key;
        if (!isUsedUp(step) && wanted.test(key)) {
          return key;
        }
      }
      return null;
    }
  }

  /** What one user has here: known as long as there is a workflow. */
  private static final class User {
    final String name;

    /** In order of turns: the first has the next one. */
    final Set<Workflow> turns = new LinkedHashSet<>();

    int heldSteps;

    User(String name) {
      this.name = name;
    }
  }

  private final int maxSteps;
  private HintLimits limits;
  private final Listener listener;
  private final Map<BlockKey, Block> blocks = new HashMap<>();

  /** In order of submission. */
  private final Map<WorkflowId, Workflow> workflows = new LinkedHashMap<>();

  /** In order of turns: the first has the next one. */
  private final Map<String, User> users = new LinkedHashMap<>();

  private int heldSteps;
  private long remaining;

  /**
   * Creates it without any workflow.
   *
   * @param maxSteps bound on the steps held, over all workflows, &gt;= 0
   * @param ofOneUser bounds on what each user holds
   * @param listener told of each change of a block's remaining count
   */
  public ReferenceSequences(int maxSteps, HintLimits ofOneUser, Listener listener) {
    if (maxSteps < 0) {
      throw new IllegalArgumentException("maxSteps=" + maxSteps + "; allowed: >= 0");
    }
    this.maxSteps = maxSteps;
    this.limits = ofOneUser;
    this.listener = listener;
  }

  @Override
  public void limit(HintLimits ofOneUser) {
    limits = ofOneUser;
  }

  @Override
  public HintReceipt submit(HintBatch batch, String user, boolean exempt, long nowMillis) {
    WorkflowId id = new WorkflowId(user, batch.workflow());
    List<Block> changed = new ArrayList<>();
    Workflow before = workflows.get(id);
    if (before != null) {
      remove(before, changed);
    }
    HintReceipt receipt = bounded(id, batch, exempt);
    if (receipt.accepted() > 0) {
      add(batch, receipt, nowMillis, changed);
    }
    settle(changed);
    return receipt;
  }

  /** What may be taken of a batch now. O(1). */
  private HintReceipt bounded(WorkflowId id, HintBatch batch, boolean exempt) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    int offered = batch.steps().size();
    int accepted = offered;
    long ttlMillis = batch.ttlMillis();
    if (!exempt) {
      User user = users.get(id.user());
      int workflowsOfUser = user == null ? 0 : user.turns.size();
      int stepsOfUser = user == null ? 0 : user.heldSteps;
      int room = workflowsOfUser < limits.maxWorkflows() ? Integer.MAX_VALUE : 0;
      accepted = atMost(room, accepted, Limit.USER_WORKFLOWS, met);
      accepted = atMost(limits.maxBlocks() - stepsOfUser, accepted, Limit.USER_BLOCKS, met);
    }
    accepted = atMost(maxSteps - heldSteps, accepted, Limit.NODE_BLOCKS, met);
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
    Workflow workflow = workflows.get(id);
    if (workflow == null) {
      return OptionalInt.empty();
    }
    List<Block> changed = new ArrayList<>();
    remove(workflow, changed);
    settle(changed);
    return OptionalInt.of(workflow.left);
  }

  @Override
  public int expire(long nowMillis) {
    List<Block> changed = new ArrayList<>();
    int left = 0;
    for (Workflow workflow : List.copyOf(workflows.values())) {
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
  public List<String> users(BlockKey key) {
    Block block = blocks.get(key);
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
  public @Nullable Upcoming next(Predicate<BlockKey> wanted) {
    for (int tried = users.size(); tried > 0; tried--) {
      User user = users.values().iterator().next();
      users.remove(user.name);
      users.put(user.name, user);
      BlockKey key = nextOf(user, wanted);
      if (key != null) {
        return new Upcoming(key, user.name);
      }
    }
    return null;
  }

  private static @Nullable BlockKey nextOf(User user, Predicate<BlockKey> wanted) {
    for (int tried = user.turns.size(); tried > 0; tried--) {
      Workflow workflow = user.turns.iterator().next();
      user.turns.remove(workflow);
      user.turns.add(workflow);
      BlockKey key = workflow.next(wanted);
      if (key != null) {
        return key;
      }
    }
    return null;
  }

  @Override
  public void rewind() {
    for (Workflow workflow : workflows.values()) {
      while (workflow.start < workflow.steps.length && workflow.isUsedUp(workflow.start)) {
        workflow.start++;
      }
      workflow.cursor = workflow.start;
    }
  }

  @Override
  public List<WorkflowStatus> workflows(long nowMillis) {
    List<WorkflowStatus> out = new ArrayList<>(workflows.size());
    for (Workflow workflow : workflows.values()) {
      out.add(
          new WorkflowStatus(
              workflow.receipt,
              workflow.left,
              Math.max(0, nowMillis - workflow.submittedMillis),
              Math.max(0, workflow.expiresAtMillis() - nowMillis)));
    }
    return out;
  }

  private void add(HintBatch batch, HintReceipt receipt, long nowMillis, List<Block> changed) {
    int accepted = receipt.accepted();
    User user = users.computeIfAbsent(receipt.workflow().user(), User::new);
    Workflow workflow = new Workflow(receipt, user, nowMillis);
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
    user.heldSteps += accepted;
    user.turns.add(workflow);
    workflows.put(receipt.workflow(), workflow);
  }

  private void remove(Workflow workflow, List<Block> changed) {
    for (Share share : workflow.shares) {
      if (share.left > 0) {
        unlink(share);
        share.block.remaining -= share.left;
        changed.add(share.block);
      }
    }
    remaining -= workflow.left;
    forget(workflow);
  }

  /** Frees what it takes, of its user's bound and of all users'. */
  private void forget(Workflow workflow) {
    User user = workflow.user;
    workflows.remove(workflow.receipt.workflow());
    heldSteps -= workflow.steps.length;
    user.heldSteps -= workflow.steps.length;
    user.turns.remove(workflow);
    if (user.turns.isEmpty()) {
      users.remove(user.name);
    }
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
      forget(workflow);
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
