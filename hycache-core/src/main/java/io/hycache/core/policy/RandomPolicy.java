package io.hycache.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Gives up any block: what every other policy has to beat.
 *
 * <p>Idea: residents stand in an array; a victim is drawn by a generator with a fixed seed and the
 * last one takes its place.
 *
 * <p>Complexity: O(1) for each event and each victim.
 *
 * <p>Memory: about 90 bytes for each resident besides its key; none for other blocks.
 *
 * <p>Source: Belady, "A study of replacement algorithms for a virtual-storage computer" (IBM
 * Systems Journal 5(2), 1966).
 */
final class RandomPolicy extends SweepPolicy {
  private final List<Resident> all = new ArrayList<>();
  private final Random random;

  RandomPolicy(long seed) {
    random = new Random(seed);
  }

  @Override
  void insert(Resident resident) {
    resident.uses = all.size();
    all.add(resident);
  }

  @Override
  void touch(Resident resident) {}

  @Override
  void forget(Resident resident) {
    Resident last = all.remove(all.size() - 1);
    if (last != resident) {
      all.set(resident.uses, last);
      last.uses = resident.uses;
    }
  }

  @Override
  @Nullable Resident condemn() {
    if (all.isEmpty()) {
      return null;
    }
    Resident drawn = all.get(random.nextInt(all.size()));
    forget(drawn);
    return drawn;
  }

  /** As they stand: nobody knows what will be drawn. */
  @Override
  Iterable<Resident> order() {
    return all;
  }
}
