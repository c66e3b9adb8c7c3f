// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * A call costs far more than an operation in it. So while a call to a node is under way, the
 * operations of other callers for that node wait, and go together in the next one, in the order in
 * which they came. A caller that is alone waits for nothing: its operations are sent at once. The
 * longer calls take, the more operations share the next one.
 *
 * What waits is bounded: by operations and bytes in one call, by callers and bytes that wait, and in
 * time: a call is waited for until the first has waited for MAX_WAIT_MILLIS, then another is made
 * beside it, until there are MAX_CALLS. So a call that hangs does not hold up the others until it is
 * given up.
 *
 * Only operations of one publisher and epoch share a call, because these are the call's. The token
 * is the operation's own. If a call fails, it failed for all who shared it; the client sends their
 * operations again, each until its own deadline.
 */
/**
 * Peers whose operations for one node share calls. Everything else is passed on as it is.
 * Thread-safe if the peers are; no method waits.
 */
public final class SharedCalls extends ForwardingPeers {
  /** Calls under way to one node, of one publisher and epoch, at most. */
  static final int MAX_CALLS = 8;

  /** How long operations wait for a call under way before another is made for them. */
  static final long MAX_WAIT_MILLIS = 100;

  /** Callers that wait for one node, at most; more fail. */
  static final int MAX_WAITING = 10_000;

  /** Bytes of the operations that wait for one node, at most; more fail. */
  static final long MAX_WAITING_BYTES = 64L << 20;

  private final DirectoryClient.Timer timer;
  private final LongSupplier clock;
  private final Map<Target, Lane> lanes = new ConcurrentHashMap<>();

  /**
   * @param peers makes the calls
   * @param clockMillis for the time that operations wait
   */
  public SharedCalls(Peers peers, DirectoryClient.Timer timer, LongSupplier clockMillis) {
    super(peers);
    this.timer = timer;
    this.clock = clockMillis;
  }

  @Override
  public CompletableFuture<List<Outcome>> run(
      Member node, String publisher, long epoch, List<Operation> operations) {
    if (!mayShare(operations)) {
      return super.run(node, publisher, epoch, operations);
    }
    Target target = new Target(node, publisher, epoch);
    Part part = new Part(operations, clock.getAsLong());
    while (!lanes.computeIfAbsent(target, Lane::new).add(part)) {
      // The lane ended between look-up and lock.
    }
    return part.done;
  }

  /** A call with an invalid operation may be refused as a whole, so it is not shared. */
  private static boolean mayShare(List<Operation> operations) {
    for (Operation operation : operations) {
      if (!operation.fault().isEmpty() || operation.after().length() > Operation.MAX_KEY_CHARS) {
        return false;
      }
    }
    return !operations.isEmpty() && operations.size() <= DirectoryNode.MAX_CALL_OPERATIONS;
  }

  /** Nodes to which calls are under way, for tests. */
  int lanes() {
    return lanes.size();
  }

  /** Whom calls go to, and in whose name. Immutable. */
  private static final class Target {
    final Member node;
    final String publisher;
    final long epoch;

    Target(Member node, String publisher, long epoch) {
      this.node = node;
      this.publisher = publisher;
      this.epoch = epoch;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Target)) {
        return false;
      }
      Target that = (Target) other;
      return epoch == that.epoch
          && node.equals(that.node)
          && node.address().equals(that.node.address())
          && publisher.equals(that.publisher);
    }

    @Override
    public int hashCode() {
      return Objects.hash(node, publisher, epoch);
    }
  }

  /** The operations of one caller. */
  private static final class Part {
    final List<Operation> operations;
    final int bytes;
    final long sinceMillis;
    final CompletableFuture<List<Outcome>> done = new CompletableFuture<>();

    Part(List<Operation> operations, long sinceMillis) {
      this.operations = operations;
      this.sinceMillis = sinceMillis;
      int sum = 0;
      for (Operation operation : operations) {
        sum += operation.bytes();
      }
      this.bytes = sum;
    }
  }

  /** The operations that go to the node together. */
  private static final class Call {
    final List<Part> parts;

    Call(List<Part> parts) {
      this.parts = parts;
    }

    List<Operation> operations() {
      if (parts.size() == 1) {
        return parts.get(0).operations;
      }
      List<Operation> all = new ArrayList<>();
      parts.forEach(part -> all.addAll(part.operations));
      return all;
    }

    /** Gives each caller the outcomes of its operations; an empty list if their number is wrong. */
    void end(int count, @Nullable List<Outcome> answers, @Nullable Throwable failure) {
      int at = 0;
      for (Part part : parts) {
        int to = at + part.operations.size();
        if (failure != null || answers == null) {
          part.done.completeExceptionally(
              failure == null ? new IllegalStateException("no answer") : failure);
        } else if (answers.size() != count) {
          part.done.complete(List.of());
        } else {
          part.done.complete(answers.subList(at, to));
        }
        at = to;
      }
    }
  }

  /** What waits for one target. */
  private final class Lane {
    private final Target target;
    private final Queue<Part> waiting = new ArrayDeque<>();
    private long waitingBytes;

    /** Calls under way. */
    private int calls;

    /** The one that operations wait for; null if they wait for none. */
    private @Nullable Call awaited;

    /** Whether the timer is set. */
    private boolean watched;

    /** No call is under way and nothing waits: the lane is no longer in the table. */
    private boolean ended;

    Lane(Target target) {
      this.target = target;
    }

    /** Sends what a caller has, or lets it wait; returns false if the lane has ended. */
    boolean add(Part part) {
      synchronized (this) {
        if (ended) {
          return false;
        }
        if (waiting.size() >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES) {
          String text = "too many operations wait for " + target.node;
          part.done.completeExceptionally(new RejectedExecutionException(text));
          return true;
        }
        waiting.add(part);
        waitingBytes += part.bytes;
      }
      pump();
      return true;
    }

    /** Makes the next call, if it is time for it. */
    private void pump() {
      Call next = null;
      long watchMillis = 0;
      synchronized (this) {
        if (waiting.isEmpty()) {
          if (calls == 0 && !ended) {
            ended = true;
            lanes.remove(target, this);
          }
          return;
        }
        if (awaited == null && calls < MAX_CALLS) {
          next = new Call(take());
          awaited = next;
          calls++;
        }
        Part first = waiting.peek();
        if (!watched && awaited != null && first != null) {
          watched = true;
          long end = first.sinceMillis + MAX_WAIT_MILLIS;
          watchMillis = Math.min(MAX_WAIT_MILLIS, Math.max(1, end - clock.getAsLong()));
        }
      }
      if (next != null) {
        send(next);
      }
      if (watchMillis > 0) {
        long millis = watchMillis;
        SafeCall.run(() -> timer.after(millis, this::late));
      }
    }

    /** As many as fit into one call, the first in any case. Under the lock. */
    private List<Part> take() {
      List<Part> parts = new ArrayList<>(Math.min(waiting.size(), 64));
      int count = 0;
      int bytes = 0;
      for (Part part = waiting.peek(); part != null; part = waiting.peek()) {
        count += part.operations.size();
        bytes += part.bytes;
        boolean fits =
            count <= DirectoryNode.MAX_CALL_OPERATIONS && bytes <= DirectoryClient.MAX_CALL_BYTES;
        if (!parts.isEmpty() && !fits) {
          break;
        }
        parts.add(waiting.remove());
        waitingBytes -= part.bytes;
      }
      return parts;
    }

    private void send(Call call) {
      List<Operation> operations = call.operations();
      CompletableFuture<?> unused =
          SafeCall.of(
                  () ->
                      SharedCalls.super.run(
                          target.node, target.publisher, target.epoch, operations))
              .whenComplete(
                  (answers, failure) -> {
                    // First the answers, so that who asks again at once is in the next call.
                    call.end(operations.size(), answers, failure);
                    synchronized (this) {
                      calls--;
                      awaited = awaited == call ? null : awaited;
                    }
                    pump();
                  });
    }

    /** The timer: if what waits has waited long enough, it waits no longer. */
    private void late() {
      synchronized (this) {
        watched = false;
        Part first = waiting.peek();
        if (first != null && clock.getAsLong() - first.sinceMillis >= MAX_WAIT_MILLIS) {
          awaited = null;
        }
      }
      pump();
    }
  }
}
