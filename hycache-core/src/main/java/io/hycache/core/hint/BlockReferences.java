// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import org.jspecify.annotations.Nullable;

/** The references to one block, over all workflows. All operations O(1); single-threaded. */
final class BlockReferences extends FullRead {
  static final int NO_REFERENCE = -1;

  /** One block's references in one workflow. */
  static final class Share {
    final BlockReferences block;
    final ActiveWorkflow workflow;

    /** The first reference that is not used up; {@link #NO_REFERENCE} if there is none. */
    int firstReference = NO_REFERENCE;

    int lastReference = NO_REFERENCE;
    int left;

    /** The same block's share in the next workflow that references it, by order of submission. */
    @Nullable Share next;

    private @Nullable Share previous;

    Share(BlockReferences block, ActiveWorkflow workflow) {
      this.block = block;
      this.workflow = workflow;
    }
  }

  final BlockKey key;

  /** References left, over all workflows. */
  long remaining;

  /** The value of {@link #remaining} that the listener was last notified of. */
  long reported;

  /** The first of the shares that have references left, in order of submission. */
  @Nullable Share shares;

  private @Nullable Share last;

  BlockReferences(BlockKey key) {
    this.key = key;
  }

  /** Adds a share behind all others. */
  void link(Share share) {
    Share before = last;
    share.previous = before;
    last = share;
    if (before == null) {
      shares = share;
    } else {
      before.next = share;
    }
  }

  /** Removes a share that was added. */
  void unlink(Share share) {
    Share before = share.previous;
    Share after = share.next;
    share.previous = null;
    share.next = null;
    if (before == null) {
      shares = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
  }

  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return a > 0 && b > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }
}
