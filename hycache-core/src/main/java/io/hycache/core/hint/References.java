package io.hycache.core.hint;

import io.hycache.core.config.HintLimits;
import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference sequences of all running workflows on this DataNode. Single-threaded. */
public interface References {

  /** Listens to changed counts. */
  interface Listener {
    /** {@code remaining} &gt;= 0 references are left to {@code block}. */
    void onReferences(BlockKey block, long remaining);
  }

  /** A step of a workflow that comes up. Immutable. */
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

    /** Whose workflow it is. */
    public String user() {
      return user;
    }
  }

  /**
   * Adds a user's workflow; replaces the one of the same user and name. What is beyond the user's
   * limits, or all users' bound, is refused, the last steps first.
   *
   * @param exempt whether the limits of one user don't hold for this one; the bound on all does
   * @return what was taken and what was not
   * @throws IllegalArgumentException if user and name of the workflow make no {@link WorkflowId}
   */
  HintReceipt submit(HintBatch batch, String user, boolean exempt, long nowMillis);

  /** Forgets a workflow. Returns the number of steps that were left; empty if there is none. */
  OptionalInt withdraw(WorkflowId workflow);

  /** Forgets workflows whose TTL has run out. Returns the number of steps that were left. */
  int expire(long nowMillis);

  /** From now on submissions are held to these; what was taken stays. */
  void limit(HintLimits ofOneUser);

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

  /** The users with a reference left to a block, in order of submission. O(its workflows). */
  List<String> users(BlockKey block);

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
   * and passes the filter; the cursor moves behind it. Users take turns, whatever number of
   * workflows each has, and so do the workflows of each. Null when all cursors are at the end.
   *
   * @param wanted must change nothing in here
   */
  @Nullable Upcoming next(Predicate<BlockKey> wanted);

  /** Puts all cursors back to the first step that is not used up. */
  void rewind();

  /** The active workflows, in order of submission. O(workflows). */
  List<WorkflowStatus> workflows(long nowMillis);
}
