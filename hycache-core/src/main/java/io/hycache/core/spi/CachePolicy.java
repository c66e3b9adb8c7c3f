package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;

/**
 * Decides what the fast tier keeps. The one interface to implement for a policy of your own: name
 * the class in {@code hycache.policy}; it needs a public constructor without arguments.
 *
 * <p>Contract:
 *
 * <ul>
 *   <li>All calls come from one thread (the DataNode's planner, or the simulator).
 *   <li>A policy does no I/O, reads no clock, starts no thread; the same calls give the same
 *       answers.
 *   <li>It decides only. A block becomes resident with {@link #onAdmitted} and leaves with {@link
 *       #onRemoved}, whoever caused it; a decision may be carried out late, in part, or never.
 *   <li>Blocks whose owner pinned them to SSD are never shown to a policy.
 * </ul>
 */
public interface CachePolicy {

  /**
   * A block was read, resident or not.
   *
   * @param sizeBytes length of the block, &gt;= 0
   * @param nowNanos monotonic time of the read
   */
  void onAccess(BlockKey block, long sizeBytes, long nowNanos);

  /**
   * A block is now on the fast tier (written there or fetched). Called again for a resident block
   * whose size changed.
   *
   * @param sizeBytes &gt;= 0
   */
  void onAdmitted(BlockKey block, long sizeBytes, long nowNanos);

  /** A block is no longer on the fast tier. Unknown blocks are ignored. */
  void onRemoved(BlockKey block);

  /**
   * The number of references that the running jobs' sequences still hold for a block changed, by
   * new hints, by a read, or because hints ended.
   *
   * @param remaining &gt;= 0; 0 means: no later reference is known
   */
  default void onReferences(BlockKey block, long remaining) {}

  /**
   * A block is about to be used again at a known time, or no longer is.
   *
   * @param atNanos expected time of its next use, on the clock of the other events; {@link
   *     Long#MAX_VALUE} if none is known
   */
  default void onNextUse(BlockKey block, long atNanos) {}

  /**
   * What the request asked for that the next {@link #onAccess} or {@link #decide} of the same block
   * is about. Without it a request is taken to be for the whole block.
   *
   * @param requestBytes &gt;= 0
   */
  default void onRequest(BlockKey block, long requestBytes) {}

  /**
   * A block belongs to a class of blocks that behave alike: those of a job, of a directory, or of a
   * kind. Told before the block's first access, again when it changes.
   *
   * @param name such as {@code checksums} or the path of a directory
   */
  default void onClass(BlockKey block, String name) {}

  /**
   * All that will be read from here on is known. Told at the start, and again when it changes; a
   * policy may look ahead in it, but not hold on to it after another was told.
   */
  default void onSequence(KnownSequence sequence) {}

  /**
   * Shall the candidate be fetched, and what must go for it?
   *
   * @param freeBytes room on the fast tier without any eviction, &gt;= 0
   * @param capacityBytes room for blocks in all, resident or free, &gt;= freeBytes
   * @return never null; victims are resident blocks whose sizes with {@code freeBytes} make room
   */
  Decision decide(Candidate candidate, long freeBytes, long capacityBytes);

  /**
   * Residents in the order in which they would be given up, first to go first. The iterator is read
   * only until the next call of another method; it need not support removal.
   */
  Iterable<BlockKey> evictionOrder();

  /** Number of resident blocks that the policy holds. */
  int residents();
}
