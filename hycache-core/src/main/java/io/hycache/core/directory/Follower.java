// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/*
 * One call is under way at a time, and the next takes all changes that were queued meanwhile: so the
 * changes keep their order, and calls get larger under load. A call that fails is not repeated: the
 * batches that wait for it go on with one copy less, the next call says that changes were missed,
 * and no call is made for some time.
 */
/** The queue of changes from a primary to one other replica. Thread-safe; no method waits. */
final class Follower {
  /** Changes that wait, at most; the replica must pull what is beyond it. */
  static final int MAX_WAITING = 200_000;

  private static final int MAX_CALL_BYTES = 1 << 20;
  private static final int MAX_CALL_CHANGES = 4096;

  /** Bytes of whole records in one call; the replica must pull what is beyond it. */
  private static final int MAX_WHOLE_BYTES = 8 << 20;

  /** Pause after a call that failed. */
  private static final long FAILURE_PAUSE_MILLIS = 1000;

  private final Member member;
  private final String self;
  private final Peers peers;
  private final Function<String, List<Change>> whole;
  private final LongSupplier clock;

  /** Changes, and actions to run when all changes before them are acknowledged or given up. */
  private final Queue<Object> waiting = new ArrayDeque<>();

  private boolean busy;

  /** Changes that were not sent, since the replica was last notified of it. */
  private int missed;

  private long pausedUntilMillis;

  /**
   * @param self id of this node
   * @param whole supplies the whole record of a key
   */
  Follower(
      Member member,
      String self,
      Peers peers,
      Function<String, List<Change>> whole,
      LongSupplier clockMillis) {
    this.member = member;
    this.self = self;
    this.peers = peers;
    this.whole = whole;
    this.clock = clockMillis;
  }

  /** Whether the replica is still a member, at the same address. */
  boolean isOf(Ring ring) {
    Member now = ring.member(member.id());
    return now != null && now.address().equals(member.address());
  }

  /** Changes and actions that wait. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Queues a change; if it can't, the replica will have to pull. */
  synchronized void add(Change change) {
    if (clock.getAsLong() < pausedUntilMillis || waiting.size() >= MAX_WAITING) {
      missed++;
    } else {
      waiting.add(change);
    }
  }

  /** Runs an action when all changes queued so far are acknowledged, or given up. */
  void afterwards(Runnable action) {
    synchronized (this) {
      waiting.add(action);
    }
    pump();
  }

  private void pump() {
    List<Change> changes = new ArrayList<>();
    List<Runnable> then = new ArrayList<>();
    int late;
    synchronized (this) {
      if (busy || waiting.isEmpty()) {
        return;
      }
      int bytes = 0;
      while (!waiting.isEmpty() && bytes < MAX_CALL_BYTES && changes.size() < MAX_CALL_CHANGES) {
        Object next = waiting.remove();
        if (next instanceof Change) {
          changes.add((Change) next);
          bytes += ((Change) next).bytes();
        } else {
          then.add((Runnable) next);
        }
      }
      busy = true;
      late = missed;
    }
    if (changes.isEmpty()) {
      ended(then);
    } else {
      send(late, changes, then, true);
    }
  }

  private void send(int late, List<Change> changes, List<Runnable> then, boolean again) {
    CompletableFuture<?> unused =
        SafeCall.of(() -> peers.replicate(member, self, late > 0, changes))
            .whenComplete(
                (wanted, failure) -> {
                  List<Change> wholes = List.of();
                  boolean failed = failure != null;
                  if (!failed && again && !wanted.isEmpty()) {
                    try {
                      wholes = wholes(wanted, changes);
                    } catch (RuntimeException | Error e) {
                      failed = true;
                    }
                  }
                  if (failed) {
                    failed();
                    ended(then);
                    return;
                  }
                  notifiedOf(late);
                  if (wanted.isEmpty()) {
                    ended(then);
                  } else if (again) {
                    send(0, wholes, then, false);
                  } else {
                    miss();
                    ended(then);
                  }
                });
  }

  /**
   * The whole of some records, as many as fit into one call; the replica must pull the others. They
   * are followed by the changes that could not be applied, for their tokens.
   */
  private List<Change> wholes(List<String> wanted, List<Change> changes) {
    Set<String> keys = new LinkedHashSet<>(wanted);
    List<Change> out = new ArrayList<>();
    int bytes = 0;
    for (String key : keys) {
      List<Change> parts = whole.apply(key);
      bytes += parts.stream().mapToInt(Change::bytes).sum();
      if (bytes > MAX_WHOLE_BYTES) {
        miss();
        return out;
      }
      out.addAll(parts);
    }
    changes.stream().filter(change -> keys.contains(change.key())).forEach(out::add);
    return out;
  }

  /** A change is not sent: the replica will have to pull. */
  synchronized void miss() {
    missed++;
  }

  private synchronized void notifiedOf(int times) {
    missed -= times;
  }

  private synchronized void failed() {
    missed++;
    pausedUntilMillis = clock.getAsLong() + FAILURE_PAUSE_MILLIS;
    waiting.removeIf(waits -> waits instanceof Change);
  }

  private void ended(List<Runnable> then) {
    synchronized (this) {
      busy = false;
    }
    then.forEach(SafeCall::run);
    pump();
  }

  /**
   * Notifies the replica that it missed changes, unless it was notified.
   *
   * @return whether it missed any, even if it can't be notified now
   */
  boolean nudge() {
    int late;
    synchronized (this) {
      late = missed;
      if (late == 0 || busy || clock.getAsLong() < pausedUntilMillis) {
        return late > 0;
      }
      busy = true;
    }
    send(late, List.of(), List.of(), false);
    return true;
  }
}
