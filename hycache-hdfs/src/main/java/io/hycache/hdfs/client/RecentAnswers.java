// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.model.BlockKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The directory's answers of the last seconds, at most 100,000. Thread-safe; amortised O(1).
 *
 * <p>Every task of a job begins with a question, and its time to load classes is the job's: so this
 * is no cache of a library, which has a hundred of them.
 */
final class RecentAnswers {
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MAX_BLOCKS = 100_000;

  /** DataNodes with a block on SSD. Immutable. */
  private static final class Answer {
    final Set<String> holders;
    final long sinceNanos;

    Answer(Set<String> holders, long sinceNanos) {
      this.holders = holders;
      this.sinceNanos = sinceNanos;
    }
  }

  private final LongSupplier nanoTime;

  /** The oldest first. Guarded by this. */
  private final Map<BlockKey, Answer> answers = new LinkedHashMap<>();

  RecentAnswers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void put(BlockKey block, Set<String> holders) {
    long now = nanoTime.getAsLong();
    answers.remove(block); // it would keep its place
    answers.put(block, new Answer(holders, now));
    Iterator<Answer> oldest = answers.values().iterator(); // the last is not old
    while (isOld(oldest.next(), now) || answers.size() > MAX_BLOCKS) {
      oldest.remove();
    }
  }

  private static boolean isOld(Answer answer, long nowNanos) {
    return nowNanos - answer.sinceNanos >= MAX_AGE_NANOS;
  }

  /** Returns the number of answers that are kept. */
  synchronized int size() {
    return answers.size();
  }

  /** Returns a recent answer; null if there is none. */
  synchronized @Nullable Set<String> get(BlockKey block) {
    Answer answer = answers.get(block);
    if (answer != null && isOld(answer, nanoTime.getAsLong())) {
      answers.remove(block);
      return null;
    }
    return answer == null ? null : answer.holders;
  }

  /** Returns those of the blocks of which there is a recent answer. */
  Map<BlockKey, Set<String>> of(Collection<BlockKey> blocks) {
    Map<BlockKey, Set<String>> found = new HashMap<>();
    for (BlockKey block : blocks) {
      Set<String> holders = get(block);
      if (holders != null) {
        found.put(block, holders);
      }
    }
    return found;
  }
}
