package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;

/**
 * A policy that can be told which blocks it will be asked about soon, and that can tell at no cost
 * what may go. See {@link Replay#warm}.
 */
interface Warmable {
  /** As {@link BlockMap#warm}. */
  int warm(BlockKey[] blocks, int count);

  /**
   * Residents that are likely to go soon; who was told before may be left out.
   *
   * @param into takes them
   * @param count how many, &lt;= its length
   * @return how many there are
   */
  int nextToGo(BlockKey[] into, int count);
}
