package io.hycache.core.hint;

import io.hycache.core.hint.BlockReferences.Share;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference sequence of one submitted workflow and its cursor. Single-threaded. */
final class ActiveWorkflow {
  final HintReceipt receipt;
  final HintingUser user;
  final long submittedMillis;

  /** The distinct blocks, in order of their first step. */
  final List<Share> shares = new ArrayList<>();

  /** For each step the index of its share. */
  final int[] steps;

  /** For each step the next step of the same block, or {@link BlockReferences#NO_STEP}. */
  private final int[] nextOfSameBlock;

  /** Steps that are not used up. */
  int left;

  /** All steps before it are used up. */
  private int start;

  private int cursor;

  ActiveWorkflow(HintReceipt receipt, HintingUser user, long submittedMillis) {
    int steps = receipt.accepted();
    this.receipt = receipt;
    this.user = user;
    this.submittedMillis = submittedMillis;
    this.steps = new int[steps];
    this.nextOfSameBlock = new int[steps];
    this.left = steps;
  }

  /** Sets a step; steps are set in order, each once. */
  void set(int step, int index) {
    Share share = shares.get(index);
    steps[step] = index;
    nextOfSameBlock[step] = BlockReferences.NO_STEP;
    if (share.firstStep == BlockReferences.NO_STEP) {
      share.firstStep = step;
    } else {
      nextOfSameBlock[share.lastStep] = step;
    }
    share.lastStep = step;
    share.left++;
    share.block.remaining++;
  }

  /** Uses up the first step that is left to a share of this workflow. */
  void useUp(Share share) {
    share.firstStep = nextOfSameBlock[share.firstStep];
    share.left--;
    left--;
  }

  private boolean isUsedUp(int step) {
    Share share = shares.get(steps[step]);
    return share.firstStep == BlockReferences.NO_STEP || step < share.firstStep;
  }

  /** Wall-clock time at which the TTL runs out, in milliseconds. */
  long expiresAtMillis() {
    return BlockReferences.saturatedSum(submittedMillis, receipt.ttlMillis());
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

  /** Moves the cursor back to the first step that is not used up. */
  void rewind() {
    while (start < steps.length && isUsedUp(start)) {
      start++;
    }
    cursor = start;
  }
}
