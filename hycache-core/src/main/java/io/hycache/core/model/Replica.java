package io.hycache.core.model;

import java.util.Objects;

/** One state of a finalized replica: block, generation stamp, length in bytes. Immutable. */
public final class Replica {
  private final BlockKey block;
  private final long generationStamp;
  private final long lengthBytes;

  public Replica(BlockKey block, long generationStamp, long lengthBytes) {
    this.block = Objects.requireNonNull(block);
    this.generationStamp = generationStamp;
    this.lengthBytes = lengthBytes;
  }

  public BlockKey block() {
    return block;
  }

  public long generationStamp() {
    return generationStamp;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Replica)) {
      return false;
    }
    Replica that = (Replica) other;
    return generationStamp == that.generationStamp
        && lengthBytes == that.lengthBytes
        && block.equals(that.block);
  }

  @Override
  public int hashCode() {
    return Objects.hash(block, generationStamp, lengthBytes);
  }

  @Override
  public String toString() {
    return block + "_" + generationStamp + " lengthBytes=" + lengthBytes;
  }
}
