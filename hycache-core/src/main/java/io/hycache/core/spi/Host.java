package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the engine asks of its DataNode. Thread-safe, answered from memory or one statfs. */
public interface Host {

  /** The fast devices as they are now; a failed one is left out. */
  List<FastDevice> devices();

  /**
   * Ids of fast devices that the settings name and that may not be used, until the operator has
   * mended what the host's log names; {@link #devices} leaves them out.
   */
  default List<String> refusedDevices() {
    return List.of();
  }

  /** The slow devices as they are now; one that failed or doesn't answer is left out. */
  List<SlowDevice> slowDevices();

  /** The finalized replica of a block, or null if there is none. */
  @Nullable Replica finalized(BlockKey block);

  /** True if the DataNode holds a replica of the block in any state. */
  boolean exists(BlockKey block);

  /** False for a block of which a clean copy would not be served: it is not worth one. */
  default boolean servesClean(BlockKey block) {
    return true;
  }

  /**
   * True if a clean copy of this part of the block can be served. What a move made may have been
   * dropped by the time its end is reported.
   */
  boolean hasClean(BlockKey block, Part part);
}
