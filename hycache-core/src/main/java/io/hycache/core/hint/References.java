package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference sequences of all running workflows on this DataNode. Single-threaded. */
public interface References {

  /** Listens to changed counts. */
  interface Listener {
    /** {@code remaining} &gt;= 0 references are left to {@code block}. */
    void onReferences(BlockKey block, long remaining);
  }

  /**
   * Adds a workflow's sequence; replaces the one of the same name.
   *
   * @return number of steps accepted; less than offered when the bound on steps was reached
   */
  int submit(HintBatch batch, long nowMillis);

  /** Forgets a workflow. Returns the number of steps that were left. */
  int withdraw(String workflow);

  /** Forgets workflows whose TTL has run out. Returns the number of steps that were left. */
  int expire(long nowMillis);

  /**
   * Bytes of a block were read. A reference is used up when nine tenths of the block's length have
   * been read since the last one: a task that peeks into the next block for its last record is not
   * a full access, and one that skips its own first record still is.
   *
   * @return true if a reference was used up
   */
  boolean onRead(BlockKey block, long lengthBytes, long bytes);

  /** References left to a block over all workflows, &gt;= 0. */
  long remaining(BlockKey block);

  /**
   * How many steps of a workflow are left before the next one that is this block, if all are used
   * up in their order; of several workflows the nearest. 0 for the next step itself.
   *
   * @return {@code Long.MAX_VALUE} if the block has no reference left
   */
  long stepsAhead(BlockKey block);

  /** Tells a listener of all blocks that have references left. O(hinted blocks). */
  void tellAll(Listener listener);

  /** References left over all blocks. */
  long remaining();

  /**
   * The next step of the sequences, from each workflow's cursor, whose block still has a reference
   * and passes the filter; the cursor moves behind it. Workflows take turns. Null when all cursors
   * are at the end.
   */
  @Nullable BlockKey next(Predicate<BlockKey> wanted);

  /** Puts all cursors back to the first step that is not used up. */
  void rewind();

  /** Names of the active workflows. */
  List<String> workflows();
}
