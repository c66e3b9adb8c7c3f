package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;

/**
 * Accesses to come, in order, as far as they are known. Positions count from 0, and a position is
 * also the time of its access. Immutable but for {@link #position}; each call O(1).
 */
public interface KnownSequence {
  /** Number of accesses, past ones included. */
  long length();

  /** The access at hand; {@link #length} when all are past. */
  long position();

  BlockKey block(long position);

  /** Length of the block, &gt;= 0. */
  long sizeBytes(long position);

  /** What the access asks for, 0 to {@link #sizeBytes}. */
  long requestBytes(long position);

  boolean isWrite(long position);
}
