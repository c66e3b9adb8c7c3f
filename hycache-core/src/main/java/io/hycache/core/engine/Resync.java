package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.Sighting;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Makes the table right again after events were dropped: looks at the doubtful blocks, or at all of
 * them, a bounded number a round. A block is looked at after all events that were queued before it
 * became doubtful, so what is seen is never older than what is known. Owned by the planner's
 * thread.
 */
final class Resync {
  private static final int MOST_A_ROUND = 2_000;

  /** What is done with what is seen. */
  interface Sink {
    /**
     * The block is here like this.
     *
     * @return false if it has to be looked at again, because it is moving
     */
    boolean seen(Sighting sighting);

    /** No finalized replica is here. */
    void missing(BlockKey block);
  }

  private final EventQueue events;
  private final BlockTable table;
  private final Sink sink;
  private final ArrayDeque<BlockKey> pending = new ArrayDeque<>();

  /** Blocks that are moving: they are looked at again in the next round. */
  private final ArrayDeque<BlockKey> moving = new ArrayDeque<>();

  private volatile Census census = Census.NONE;

  Resync(EventQueue events, BlockTable table, Sink sink) {
    this.events = events;
    this.table = table;
    this.sink = sink;
  }

  /** Who is asked from now on. Any thread. */
  void ask(Census host) {
    census = host;
  }

  boolean isPending() {
    return !pending.isEmpty() || !moving.isEmpty() || events.isDoubtful();
  }

  /** Looks at some of the doubtful blocks. Returns the number of those that were put right. */
  int maintain() {
    Census host = census;
    pending.addAll(moving);
    moving.clear();
    if (events.takeAllDoubtful() && host != Census.NONE) {
      pending.clear();
      for (BlockEntry entry : table.entries()) {
        pending.add(entry.key());
      }
      boolean complete = false;
      try {
        for (BlockKey block : host.blocks()) {
          if (table.get(block) == null) {
            pending.add(block);
          }
        }
        complete = true;
      } finally {
        if (!complete) {
          events.doubtAll();
        }
      }
    }
    if (pending.size() < MOST_A_ROUND && events.doubtful() > 0) {
      pending.addAll(events.takeDoubtful(MOST_A_ROUND));
    }
    if (host == Census.NONE) {
      pending.clear();
    }
    int looks = 0;
    for (; looks < MOST_A_ROUND && !pending.isEmpty(); looks++) {
      BlockKey block = pending.remove();
      @Nullable Sighting seen = host.look(block);
      if (seen == null) {
        sink.missing(block);
      } else if (!sink.seen(seen)) {
        moving.add(block);
      }
    }
    return looks - moving.size();
  }
}
