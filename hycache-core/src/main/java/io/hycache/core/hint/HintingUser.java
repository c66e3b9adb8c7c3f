// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The active workflows of one user; exists as long as there is one. Single-threaded. */
final class HintingUser {
  final String name;

  /** In order of turns: the first has the next one. */
  final Set<ActiveWorkflow> turns = new LinkedHashSet<>();

  /** References of the user's workflows, used up or not. */
  int heldReferences;

  HintingUser(String name) {
    this.name = name;
  }

  /**
   * The next wanted block of the workflow whose turn it is; null if none has one within the limit.
   */
  @Nullable BlockKey next(Predicate<BlockKey> wanted, StepLimit limit) {
    for (int tried = turns.size(); tried > 0 && !limit.isReached(); tried--) {
      ActiveWorkflow workflow = turns.iterator().next();
      turns.remove(workflow);
      turns.add(workflow);
      BlockKey key = workflow.next(wanted, limit);
      if (key != null) {
        return key;
      }
    }
    return null;
  }
}
