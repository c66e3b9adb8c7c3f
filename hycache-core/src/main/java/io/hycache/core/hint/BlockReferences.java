// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import org.jspecify.annotations.Nullable;

/** The references to one block, over all workflows. Single-threaded. */
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

  BlockReferences(BlockKey key) {
    this.key = key;
  }

  /** Adds a share behind all others. O(workflows that reference the block). */
  void link(Share share) {
    Share last = shares;
    if (last == null) {
      shares = share;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = share;
  }

  /** Removes a share. O(workflows that reference the block). */
  void unlink(Share share) {
    Share before = shares;
    if (before == share) {
      shares = share.next;
      return;
    }
    while (before != null && before.next != share) {
      before = before.next;
    }
    if (before != null) {
      before.next = share.next;
    }
  }

  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return a > 0 && b > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }
}
