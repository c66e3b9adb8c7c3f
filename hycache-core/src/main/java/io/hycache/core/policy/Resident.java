package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import org.jspecify.annotations.Nullable;

/** A resident block as a link of a circular list. An unlinked one points to itself. */
final class Resident extends BlockMap.Value {
  private static final BlockKey NO_BLOCK = new BlockKey("", 0);

  long sizeBytes;
  Resident previous = this;
  Resident next = this;

  /** The list it is in, where a policy keeps more than one. */
  LfuPolicy.@Nullable Bucket bucket;

  /** The plain list that it is in; null: in none. */
  @Nullable ResidentList list;

  /** A number of the policy's own: how it was used, or where it stands. */
  int uses;

  Resident(BlockKey block, long sizeBytes) {
    super(block);
    this.sizeBytes = sizeBytes;
  }

  /** The head of an empty list: {@code next} is its first link, {@code previous} its last. */
  static Resident listEnds() {
    return new Resident(NO_BLOCK, 0);
  }

  void linkBefore(Resident other) {
    previous = other.previous;
    next = other;
    previous.next = this;
    other.previous = this;
  }

  void unlink() {
    previous.next = next;
    next.previous = previous;
    previous = this;
    next = this;
  }
}
