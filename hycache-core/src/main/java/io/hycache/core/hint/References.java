// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference sequences of all active workflows on this DataNode. Single-threaded. */
public interface References {

  /** Receives changed reference counts. */
  interface Listener {
    /**
     * Called after the number of references left to a block changed.
     *
     * @param remaining references left to the block, &gt;= 0
     */
    void onReferences(BlockKey block, long remaining);
  }

  /** The next reference of a workflow to fetch for. Immutable. */
  final class Upcoming {
    private final BlockKey block;
    private final String user;

    Upcoming(BlockKey block, String user) {
      this.block = block;
      this.user = user;
    }

    public BlockKey block() {
      return block;
    }

    /** Owner of the workflow. */
    public String user() {
      return user;
    }
  }

  /**
   * Adds a workflow of a user, replacing the one of the same user and name. References beyond the
   * user's limits or the total limit are refused, the last ones first.
   *
   * @param exempt whether to skip the user's limits; the total limit always applies
   * @throws IllegalArgumentException if user and name are no valid {@link WorkflowId}
   */
  HintReceipt submit(Hints hints, String user, boolean exempt, long nowMillis);

  /**
   * Removes a workflow. Returns the number of references that were left; empty if there is no such
   * workflow.
   */
  OptionalInt withdraw(WorkflowId workflow);

  /** Removes workflows whose TTL has expired. Returns the number of references that were left. */
  int expire(long nowMillis);

  /** Sets the limits for later submissions; accepted references stay. */
  void limit(HintLimits ofOneUser);

  /**
   * Records bytes read of a block. A reference is used up once nine tenths of the block's length
   * have been read since the last one: a task that reads only the end of its last record from the
   * next block is not a full access, and one that skips the start of its first record still is.
   *
   * @return true if a reference was used up
   */
  boolean onRead(BlockKey block, long lengthBytes, long bytes);

  /**
   * Records that a block was read as a whole on another DataNode. Bytes read here still count
   * towards the next reference.
   *
   * @return true if a reference was used up
   */
  boolean onReadElsewhere(BlockKey block);

  /** References left to a block over all workflows, &gt;= 0. */
  long remaining(BlockKey block);

  /**
   * The users with a reference left to a block, in order of submission. O(workflows of the block).
   */
  List<String> users(BlockKey block);

  /**
   * Number of references before the next reference to the block, if references are used up in
   * order; the minimum over all workflows. 0 if it is the next reference.
   *
   * @return {@code Long.MAX_VALUE} if the block has no reference left
   */
  long referencesAhead(BlockKey block);

  /**
   * As {@link #referencesAhead}, over the workflows alone that used up a reference since the last
   * {@link #markProgress}.
   *
   * @return {@code Long.MAX_VALUE} if no such workflow has a reference to the block left
   */
  long referencesAheadInProgress(BlockKey block);

  /** Begins a new time in which workflows use up references or do not. O(workflows). */
  void markProgress();

  /**
   * True if a workflow has used up a reference since the last {@link #markProgress} and none in the
   * time before it. O(1).
   */
  boolean anyResumed();

  /**
   * True if a workflow that references the block has used up a reference: its job runs. O(workflows
   * of the block).
   */
  boolean isUnderWay(BlockKey block);

  /** The users with active workflows. A live view, O(1). */
  Set<String> users();

  /** Reports all blocks with references left to a listener. O(hinted blocks). */
  void reportAll(Listener listener);

  /** References left over all blocks. */
  long remaining();

  /**
   * The next reference, from a workflow's cursor on, whose block has a reference left and passes
   * the filter; the cursor advances past it. Users take turns, whatever their number of workflows,
   * and so do the workflows of each user. Null if all cursors are at the end, or at the limit: then
   * they keep their places, and the next call begins with another user.
   *
   * @param wanted must not modify this object
   * @param limit of the references that cursors pass
   */
  @Nullable Upcoming next(Predicate<BlockKey> wanted, StepLimit limit);

  /** Resets all cursors to the first reference that is not used up. */
  void rewind();

  /** The active workflows, in order of submission. O(workflows). */
  List<WorkflowStatus> workflows(long nowMillis);
}
