package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import java.util.function.Consumer;

/**
 * The other DataNodes, as far as SSDs go. Thread-safe; nothing waits. What it says may be old: it
 * costs speed, never data.
 */
public interface Neighbours {

  /** A block came to a fast device of this DataNode, changed its state there, or left. */
  void tell(BlockKey block, Residency residency, long sizeBytes);

  /**
   * Asks whether another DataNode has the data of a block on a fast device.
   *
   * @param answer told once, on any thread, in a bounded time; false also if nobody can be asked
   */
  void ask(BlockKey block, Consumer<Boolean> answer);
}
