// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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

  /** The distinct blocks, in order of their first reference. */
  final List<Share> shares = new ArrayList<>();

  /** For each reference the index of its share. */
  final int[] references;

  /**
   * For each reference the next reference of the same block, or {@link
   * BlockReferences#NO_REFERENCE}.
   */
  private final int[] nextOfSameBlock;

  /** References that are not used up. */
  int left;

  /** The value of {@link #left} at the last mark. */
  private int leftAtMark;

  /** No reference was used up between the last two marks. */
  private boolean stood;

  /** All references before it are used up. */
  private int start;

  private int cursor;

  ActiveWorkflow(HintReceipt receipt, HintingUser user, long submittedMillis) {
    int references = receipt.accepted();
    this.receipt = receipt;
    this.user = user;
    this.submittedMillis = submittedMillis;
    this.references = new int[references];
    this.nextOfSameBlock = new int[references];
    this.left = references;
    this.leftAtMark = references;
  }

  /** Sets a reference; references are set in order, each once. */
  void set(int reference, int index) {
    Share share = shares.get(index);
    references[reference] = index;
    nextOfSameBlock[reference] = BlockReferences.NO_REFERENCE;
    if (share.firstReference == BlockReferences.NO_REFERENCE) {
      share.firstReference = reference;
    } else {
      nextOfSameBlock[share.lastReference] = reference;
    }
    share.lastReference = reference;
    share.left++;
    share.block.remaining++;
  }

  /** Uses up the first reference that is left to a share of this workflow. */
  void useUp(Share share) {
    share.firstReference = nextOfSameBlock[share.firstReference];
    share.left--;
    left--;
  }

  /** Begins a new time in which references are used up or not. */
  void mark() {
    stood = !progressed();
    leftAtMark = left;
  }

  /** True if a reference was used up since the last mark. */
  boolean progressed() {
    return left < leftAtMark;
  }

  /** True if no reference was used up in the time before the last mark. */
  boolean stood() {
    return stood;
  }

  private boolean isUsedUp(int reference) {
    Share share = shares.get(references[reference]);
    return share.firstReference == BlockReferences.NO_REFERENCE || reference < share.firstReference;
  }

  /** Wall-clock time at which the TTL runs out, in milliseconds. */
  long expiresAtMillis() {
    return BlockReferences.saturatedSum(submittedMillis, receipt.ttlMillis());
  }

  /**
   * The next block wanted from the cursor on, which moves behind it; null at the end or the limit.
   */
  @Nullable BlockKey next(Predicate<BlockKey> wanted, StepLimit limit) {
    while (cursor < references.length && limit.take()) {
      int reference = cursor++;
      BlockKey key = shares.get(references[reference]).block.key;
      if (!isUsedUp(reference) && wanted.test(key)) {
        return key;
      }
    }
    return null;
  }

  /** Moves the cursor back to the first reference that is not used up. */
  void rewind() {
    while (start < references.length && isUsedUp(start)) {
      start++;
    }
    cursor = start;
  }
}
