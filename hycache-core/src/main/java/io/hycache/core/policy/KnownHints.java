// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.model.LatestEntries;
import io.hycache.core.spi.CachePolicy;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The references left to blocks and their announced next uses, for policies that begin later, and
 * which blocks hints say something about. Not bounded here: hosts bound the hints that they accept.
 * O(1) per change; about 70 bytes per block with a reference or an announced use. Not thread-safe.
 */
final class KnownHints {
  private static final class Hint extends BlockMap.Value {
    long references;
    long nextUse = KnownBlock.NEVER;

    Hint(CacheKey key) {
      super(key);
    }
  }

  /** Blocks, at most, whose last announced read is remembered. */
  private static final int MAX_FULFILLED = 4_096;

  private final BlockMap<Hint> hints = new BlockMap<>();

  /** Blocks without references left whose last read was an announced one, the latest last. */
  private final Set<CacheKey> fulfilled =
      Collections.newSetFromMap(LatestEntries.map(MAX_FULFILLED));

  /** The block whose last reference is gone, if no block was read since. */
  private @Nullable CacheKey fulfilling;

  /** The block that was read last. */
  private @Nullable CacheKey lastRead;

  /** Blocks with references left. */
  private int referenced;

  boolean anyReferences() {
    return referenced > 0;
  }

  /** References left to a block. */
  long references(CacheKey key) {
    Hint hint = referenced == 0 ? null : hints.get(key);
    return hint == null ? 0 : hint.references;
  }

  void setReferences(CacheKey key, long remaining) {
    Hint hint = hint(key, remaining != 0);
    if (hint != null) {
      fulfilling(key, hint.references > 0 && remaining == 0);
      referenced += (remaining == 0 ? 0 : 1) - (hint.references == 0 ? 0 : 1);
      hint.references = remaining;
      forgetIfIdle(hint);
    }
  }

  private void fulfilling(CacheKey key, boolean isLast) {
    if (isLast) {
      fulfilling = key;
    } else if (Objects.equals(key, fulfilling)) {
      fulfilling = null;
    }
    if (isLast && Objects.equals(key, lastRead)) {
      fulfilled.add(key);
    } else {
      fulfilled.remove(key);
    }
  }

  /**
   * A block was read; if this was an announced read, its references change right before or after.
   * References that go without a read were withdrawn.
   */
  void read(CacheKey key) {
    if (Objects.equals(key, fulfilling)) {
      fulfilled.add(key);
    } else {
      fulfilled.remove(key);
    }
    fulfilling = null;
    lastRead = key;
  }

  /** An announced read took place elsewhere. */
  void usedWithoutAccess() {
    fulfilling = null;
  }

  /**
   * Whether hints say what comes of a block: further reads, or none after the last read, which was
   * announced.
   */
  boolean speakOf(CacheKey key) {
    return hints.get(key) != null || fulfilled.contains(key);
  }

  /**
   * @param atNanos {@link KnownBlock#NEVER} if none is expected
   */
  void setNextUse(CacheKey key, long atNanos) {
    Hint hint = hint(key, atNanos != KnownBlock.NEVER);
    if (hint != null) {
      hint.nextUse = atNanos;
      forgetIfIdle(hint);
    }
  }

  private @Nullable Hint hint(CacheKey key, boolean create) {
    Hint hint = hints.get(key);
    if (hint == null && create) {
      hint = new Hint(key);
      hints.add(hint);
    }
    return hint;
  }

  private void forgetIfIdle(Hint hint) {
    if (hint.references == 0 && hint.nextUse == KnownBlock.NEVER) {
      hints.remove(hint.key);
    }
  }

  /** Passes what is known of some blocks to a policy. O(n). */
  void passTo(CachePolicy policy, Predicate<CacheKey> which) {
    hints.forEach(
        hint -> {
          if (which.test(hint.key)) {
            policy.onReferences(hint.key, hint.references);
            policy.onNextUse(hint.key, hint.nextUse);
          }
        });
  }

  /** Withdraws what is known of some blocks from a policy. O(n). */
  void withdrawFrom(CachePolicy policy, Predicate<CacheKey> which) {
    hints.forEach(
        hint -> {
          if (which.test(hint.key)) {
            policy.onReferences(hint.key, 0);
            policy.onNextUse(hint.key, KnownBlock.NEVER);
          }
        });
  }
}
