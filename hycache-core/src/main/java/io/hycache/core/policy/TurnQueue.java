package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import org.jspecify.annotations.Nullable;

/**
 * Residents in order of use.
 *
 * <p>Idea: turns in an array, one behind the other. Who takes a new turn leaves the old one empty,
 * so a use changes nothing of any other resident, and those that go first stand side by side. When
 * the array is full, the empty turns are squeezed out, or it doubles if there are not many.
 *
 * <p>Complexity: each step O(1) amortized. Memory: 4 to 16 bytes for each resident, besides its
 * turn.
 */
final class TurnQueue {
  private static final int LEAST = 64;

  /** The length is a power of two; a turn stands at its number modulo that. */
  private @Nullable Resident[] turns = new Resident[LEAST];

  private long head;
  private long tail;
  private int size;

  /** Up to this turn {@link #soonFirst} has told all. */
  private long told;

  private final @Nullable Resident[] soon = new Resident[Replay.AHEAD];

  void addLast(Resident resident) {
    if (tail - head == turns.length) {
      squeeze(2 * size > turns.length ? 2 * turns.length : turns.length);
    }
    resident.turn = tail;
    turns[slot(tail++)] = resident;
    size++;
  }

  void remove(Resident resident) {
    turns[slot(resident.turn)] = null;
    size--;
  }

  @Nullable Resident first() {
    while (head < tail && turns[slot(head)] == null) {
      head++;
    }
    return head == tail ? null : turns[slot(head)];
  }

  /** The one behind it, null behind the last. */
  @Nullable Resident after(Resident resident) {
    for (long turn = resident.turn + 1; turn < tail; turn++) {
      Resident next = turns[slot(turn)];
      if (next != null) {
        return next;
      }
    }
    return null;
  }

  /** The first ones that were not told before, for {@link Warmable#nextToGo}. */
  int soonFirst(BlockKey[] into, int count) {
    int found = 0;
    told = Math.max(told, head);
    for (long end = Math.min(tail, head + 2L * count); told < end && found < count; told++) {
      // Which are empty can't be foreseen, so that a branch would cost more than a store too many.
      Resident next = turns[slot(told)];
      soon[found] = next;
      found += next == null ? 0 : 1;
    }
    for (int i = 0; i < found; i++) {
      Resident next = soon[i];
      if (next != null) {
        into[i] = next.block;
      }
    }
    return found;
  }

  private int slot(long turn) {
    return (int) turn & (turns.length - 1);
  }

  private void squeeze(int length) {
    @Nullable Resident[] squeezed = new Resident[length];
    int count = 0;
    for (long turn = head; turn < tail; turn++) {
      Resident resident = turns[slot(turn)];
      if (resident != null) {
        resident.turn = count;
        squeezed[count++] = resident;
      }
    }
    turns = squeezed;
    head = 0;
    told = 0;
    tail = count;
  }
}
