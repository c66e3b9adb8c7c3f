// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import com.google.common.base.Throwables;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.hycache.core.directory.Member;
import io.hycache.core.model.BlockKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies other DataNodes of full reads here of blocks that are hinted to them. Best effort:
 * notices that cannot be sent are lost, and what they would have fulfilled fades with its TTL. The
 * notices that wait are bounded, in all, for each DataNode and in one call; a DataNode gets one
 * call at a time, and no more of them than flushes. Only members of the directory are called: no
 * message from a user names an address. Thread-safe.
 */
final class ReadNotices {
  private static final Logger LOG = LoggerFactory.getLogger(ReadNotices.class);

  /** Notices that wait for all DataNodes together. */
  static final int MAX_WAITING = 20_000;

  /**
   * Notices that wait for one DataNode, so that one that does not answer leaves room for others.
   */
  static final int MAX_WAITING_FOR_ONE = 5000;

  /** Notices in one call. */
  static final int MAX_CALL_READS = 2000;

  /** Sends the notices of one call. */
  @FunctionalInterface
  interface Sender {
    CompletableFuture<Boolean> send(Member to, List<BlockKey> reads);
  }

  private final String self;
  private final Function<String, @Nullable Member> members;
  private final Sender sender;
  private final Runnable flushSoon;

  /** By id of the DataNode; exists while notices wait or a call is under way. */
  @GuardedBy("this")
  private final Map<String, Target> targets = new HashMap<>();

  @GuardedBy("this")
  private int waiting;

  private static final class Target {
    final ArrayDeque<BlockKey> reads = new ArrayDeque<>();
    boolean called;
  }

  /**
   * @param self id of this DataNode, which is not notified
   * @param members the member of the directory with an id; null if there is none
   * @param flushSoon has {@link #flush} called; called whenever something waits for it
   */
  ReadNotices(
      String self, Function<String, @Nullable Member> members, Sender sender, Runnable flushSoon) {
    this.self = self;
    this.members = members;
    this.sender = sender;
    this.flushSoon = flushSoon;
  }

  /** Adds a read. Returns false if no notice of it was accepted. */
  boolean add(BlockKey read, List<String> hinted) {
    boolean accepted = false;
    for (String id : hinted) {
      if (!id.equals(self) && members.apply(id) != null) {
        accepted |= add(read, id);
      }
    }
    if (accepted) {
      flushSoon.run();
    }
    return accepted;
  }

  private synchronized boolean add(BlockKey read, String id) {
    if (waiting >= MAX_WAITING) {
      return false;
    }
    Target target = targets.computeIfAbsent(id, unused -> new Target());
    if (target.reads.size() >= MAX_WAITING_FOR_ONE) {
      return false;
    }
    target.reads.add(read);
    waiting++;
    return true;
  }

  /**
   * Calls each DataNode for which notices wait and no call is under way. Does not wait. A call that
   * cannot be made keeps none of the others from being made; the first failure is thrown at the
   * end.
   */
  void flush() {
    @Nullable Throwable first = null;
    for (String id : ids()) {
      try {
        call(id);
      } catch (RuntimeException | Error e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      Throwables.throwIfUnchecked(first);
    }
  }

  private synchronized List<String> ids() {
    return List.copyOf(targets.keySet());
  }

  /** Begins a call: returns its notices; empty if there is none to make. */
  private synchronized List<BlockKey> begin(String id) {
    Target target = targets.get(id);
    if (target == null || target.called) {
      return List.of();
    }
    // With its room made first, no notice is lost if there is no memory.
    List<BlockKey> reads = new ArrayList<>(Math.min(target.reads.size(), MAX_CALL_READS));
    while (!target.reads.isEmpty() && reads.size() < MAX_CALL_READS) {
      reads.add(target.reads.remove());
    }
    waiting -= reads.size();
    target.called = true;
    return reads;
  }

  private void call(String id) {
    List<BlockKey> reads = begin(id);
    if (reads.isEmpty()) {
      return;
    }
    try {
      Member to = members.apply(id);
      if (to == null) {
        ended(id);
        return;
      }
      var unused =
          sender
              .send(to, reads)
              .whenComplete(
                  (sent, failure) -> {
                    if (failure != null) {
                      LOG.debug("{} notices of reads are lost: {}", reads.size(), to, failure);
                    }
                    ended(id);
                  });
    } catch (RuntimeException | Error e) {
      ended(id);
      throw e;
    }
  }

  private synchronized void ended(String id) {
    Target target = targets.get(id);
    if (target != null) {
      target.called = false;
      if (target.reads.isEmpty()) {
        targets.remove(id);
      } else {
        flushSoon.run();
      }
    }
  }

  /** Has {@link #flush} called if something waits for it. */
  void flushIfWaiting() {
    if (waiting() > 0) {
      flushSoon.run();
    }
  }

  /** Notices that wait. */
  synchronized int waiting() {
    return waiting;
  }
}
