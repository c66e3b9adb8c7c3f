package io.hycache.core.model;

import java.util.Objects;

/** Names one HDFS block: block pool and block id. Immutable. */
public final class BlockKey {
  private final String pool;
  private final long id;

  public BlockKey(String pool, long id) {
    this.pool = Objects.requireNonNull(pool);
    this.id = id;
  }

  /** The block pool id, for example {@code BP-1-127.0.0.1-1}. */
  public String pool() {
    return pool;
  }

  /** The block id, unique within its pool. */
  public long id() {
    return id;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof BlockKey)) {
      return false;
    }
    BlockKey that = (BlockKey) other;
    return id == that.id && pool.equals(that.pool);
  }

  @Override
  public int hashCode() {
    return idHash() ^ pool.hashCode();
  }

  /** A hash code of the id alone. */
  public int idHash() {
    return idHash(id);
  }

  /** The {@link #idHash()} of a block with this id. */
  public static int idHash(long id) {
    return Long.hashCode(id * 0x9E3779B97F4A7C15L);
  }

  @Override
  public String toString() {
    return pool + ":blk_" + id;
  }
}
