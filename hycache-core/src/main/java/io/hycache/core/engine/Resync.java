// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.Sighting;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the block table after events were dropped: asks the host about the doubtful blocks, or
 * about all, a bounded number in each round. A block is looked at after all events that were queued
 * before it became doubtful, so a look is never older than the table. Owned by the planner's
 * thread.
 */
final class Resync {
  /** Blocks that are looked at in one round, at most. */
  private static final int MAX_LOOKS_PER_ROUND = 2_000;

  /** Receives the results. */
  interface Sink {
    /**
     * The host holds the block in this state.
     *
     * @return false if it must be looked at again, because it is moving or its device does not
     *     answer
     */
    boolean seen(Sighting sighting);

    /** The host holds no finalized replica of the block. */
    void missing(BlockKey block);
  }

  private final EventQueue events;
  private final BlockTable table;
  private final Sink sink;
  private final ArrayDeque<BlockKey> pending = new ArrayDeque<>();

  /**
   * Blocks that must be looked at again; they are, as far as a round has looks left: a device that
   * does not answer may hold many of them, and for long.
   */
  private final Set<BlockKey> again = new LinkedHashSet<>();

  private volatile Census census = Census.NONE;

  Resync(EventQueue events, BlockTable table, Sink sink) {
    this.events = events;
    this.table = table;
    this.sink = sink;
  }

  /** Sets the host to ask. Any thread. */
  void ask(Census host) {
    census = host;
  }

  /** True if a block is still to be looked at. */
  boolean isPending() {
    return !pending.isEmpty() || !again.isEmpty() || events.isDoubtful();
  }

  /** Looks at some doubtful blocks. Returns how many were settled. */
  int maintain() {
    Census host = census;
    if (events.takeAllDoubtful() && host != Census.NONE) {
      pending.clear();
      again.clear();
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
    if (pending.size() < MAX_LOOKS_PER_ROUND && events.doubtful() > 0) {
      pending.addAll(events.takeDoubtful(MAX_LOOKS_PER_ROUND));
    }
    if (host == Census.NONE) {
      pending.clear();
      again.clear();
    }
    int settled = 0;
    int left = MAX_LOOKS_PER_ROUND;
    int earlier = again.size();
    for (; left > 0 && !pending.isEmpty(); left--) {
      settled += look(host, pending.remove()) ? 1 : 0;
    }
    for (; left > 0 && earlier > 0 && !again.isEmpty(); left--, earlier--) {
      BlockKey block = again.iterator().next();
      again.remove(block);
      settled += look(host, block) ? 1 : 0;
    }
    return settled;
  }

  private boolean look(Census host, BlockKey block) {
    @Nullable Sighting seen = host.look(block);
    if (seen == null) {
      sink.missing(block);
    } else if (!sink.seen(seen)) {
      again.add(block);
      return false;
    }
    return true;
  }
}
