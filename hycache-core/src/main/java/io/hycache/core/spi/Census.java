package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asked by the engine about blocks whose events it could not take. Thread-safe, answered from
 * memory.
 */
public interface Census {
  /** For a host that has no answer: nothing is looked at again. */
  Census NONE =
      new Census() {
        @Override
        public @Nullable Sighting look(BlockKey block) {
          throw new IllegalStateException("this host can't be asked again: block=" + block);
        }

        @Override
        public List<BlockKey> blocks() {
          return List.of();
        }
      };

  /** What is here of a block now; null if no finalized replica is. */
  @Nullable Sighting look(BlockKey block);

  /** All blocks with a finalized replica. O(n). */
  List<BlockKey> blocks();
}
