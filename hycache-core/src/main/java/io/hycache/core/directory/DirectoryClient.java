// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Operations go directly to the owners of their keys, those of one owner in one call: in the steady
 * state one round trip. If a node answers that it is not the owner or is busy, or does not answer,
 * the operation is sent again after a pause, which doubles, until the deadline; a read that any
 * replica may answer goes to the next replica at once. A write carries a token that it keeps when it
 * is sent again, so that it happens once.
 *
 * A call may take longer than the caller waits. So the timer ends what is not answered at the
 * deadline. A read that any replica may answer has an equal part of the time that is left for each
 * replica that it has not yet asked, but goes to the next one after NEXT_REPLICA_MILLIS: its caller
 * may wait for less than the deadline. Each time an operation is sent is a turn of it; who takes the
 * turn, the answer or the timer, goes on with the operation, and the other finds it taken. Of a read
 * that has gone to the next replica the first answer counts, whoever gives it, also in the pause
 * before it is sent again.
 */
/** A client of the directory. Starts no thread; no method waits; thread-safe. */
public final class DirectoryClient {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 500;

  /** Far above the time of a look-up, and below what clients of HDFS wait for one by default. */
  private static final long NEXT_REPLICA_MILLIS = 100;

  /** In place of the turn of an operation: it waits to be sent, for the first time or again. */
  private static final int UNSENT = 0;

  /** In place of the turn of an operation that has its outcome. */
  private static final int ENDED = -1;

  /** A call with more bytes of operations is split. */
  static final int MAX_CALL_BYTES = 1 << 20;

  /** Runs something later. */
  @FunctionalInterface
  public interface Timer {
    void after(long millis, Runnable action);
  }

  private final Supplier<Ring> ring;
  private final Runnable stale;
  private final Peers peers;
  private final Timer timer;
  private final LongSupplier millis;
  private final LongSupplier tokens;

  /**
   * @param ring supplies the current placement
   * @param stale called when the placement seems to be out of date; must not wait
   * @param clockMillis for deadlines
   * @param tokens supplies numbers that no other client uses, not 0; random ones suffice
   */
  public DirectoryClient(
      Supplier<Ring> ring,
      Runnable stale,
      Peers peers,
      Timer timer,
      LongSupplier clockMillis,
      LongSupplier tokens) {
    this.ring = ring;
    this.stale = stale;
    this.peers = peers;
    this.timer = timer;
    this.millis = clockMillis;
    this.tokens = tokens;
  }

  /** Runs operations; their puts are not soft state. */
  public CompletableFuture<List<Outcome>> run(List<Operation> operations, long timeoutMillis) {
    return run("", 0, operations, timeoutMillis);
  }

  /**
   * Runs operations: those of one key in order, unless one must be sent again. Never completes
   * exceptionally, and completes when the time is over: without an answer in time the outcome is
   * {@link Status#UNKNOWN}, and a later answer is ignored.
   *
   * @param publisher member whose soft state the puts are; empty if they are not
   * @return one outcome for each operation, in order
   */
  public CompletableFuture<List<Outcome>> run(
      String publisher, long epoch, List<Operation> operations, long timeoutMillis) {
    Batch batch = new Batch(publisher, epoch, operations, millis.getAsLong() + timeoutMillis);
    batch.start();
    return batch.done;
  }

  /**
   * What a timer holds of a batch, so that a batch that has ended is not in memory until its
   * deadline.
   */
  private static final class Late {
    private volatile @Nullable Batch batch;

    Runnable action(Consumer<Batch> action) {
      return () -> {
        Batch left = batch;
        if (left != null) {
          action.accept(left);
        }
      };
    }
  }

  private final class Batch {
    final String publisher;
    final long epoch;
    final long deadlineMillis;
    final Operation[] operations;
    final @Nullable Outcome[] outcomes;

    /** Outcomes of operations that were sent without an answer: they may have been done. */
    final AtomicReferenceArray<Outcome> unknown;

    /** The turn in which an operation waits for its answer; {@link #UNSENT}; {@link #ENDED}. */
    final AtomicIntegerArray awaited;

    final AtomicInteger turns = new AtomicInteger();
    final Late late = new Late();
    final AtomicInteger left;
    final CompletableFuture<List<Outcome>> done = new CompletableFuture<>();

    Batch(String publisher, long epoch, List<Operation> operations, long deadlineMillis) {
      this.publisher = publisher;
      this.epoch = epoch;
      this.deadlineMillis = deadlineMillis;
      this.operations = new Operation[operations.size()];
      for (int i = 0; i < this.operations.length; i++) {
        Operation operation = operations.get(i);
        boolean named = operation.token() != 0 || !operation.kind().writes();
        this.operations[i] = named ? operation : operation.withToken(tokens.getAsLong());
      }
      this.outcomes = new @Nullable Outcome[this.operations.length];
      this.unknown = new AtomicReferenceArray<>(this.operations.length);
      this.awaited = new AtomicIntegerArray(this.operations.length);
      this.left = new AtomicInteger(this.operations.length);
    }

    void start() {
      late.batch = this;
      List<Integer> keyed = new ArrayList<>();
      List<Integer> everywhere = new ArrayList<>();
      for (int i = 0; i < operations.length; i++) {
        boolean all = operations[i].kind() == Operation.Kind.LIST;
        (all && Ring.tag(operations[i].key()) == null ? everywhere : keyed).add(i);
      }
      if (operations.length == 0) {
        late.batch = null;
        done.complete(List.of());
      }
      everywhere.forEach(this::askAll);
      if (!keyed.isEmpty()) {
        ask(keyed, 0);
      }
    }

    void end(int index, Outcome outcome) {
      outcomes[index] = outcome;
      if (left.decrementAndGet() == 0) {
        late.batch = null;
        List<Outcome> all = new ArrayList<>(outcomes.length);
        for (Outcome one : outcomes) {
          all.add(one == null ? Outcome.failed(Status.UNKNOWN, "no answer") : one);
        }
        done.complete(all);
      }
    }

    // ---- operations of one key ------------------------------------------------------------------

    void ask(List<Integer> which, int attempt) {
      Ring now = ring.get();
      if (now.replicas() == 0) {
        retry(which, attempt, Outcome.failed(Status.UNKNOWN, "no members are known"));
        return;
      }
      int turn = turns.incrementAndGet();
      Map<Member, List<Integer>> byOwner = new LinkedHashMap<>();
      for (int index : which) {
        if (!awaited.compareAndSet(index, UNSENT, turn)) {
          continue; // A replica that was asked before has answered since.
        }
        Operation operation = operations[index];
        int role = operation.anyReplica() ? attempt % now.replicas() : 0;
        Member owner = now.owner(Ring.shardOf(operation.key()), role);
        byOwner.computeIfAbsent(owner, m -> new ArrayList<>()).add(index);
      }
      byOwner.forEach((owner, indices) -> split(owner, indices, attempt, turn));
      long leftMillis = deadlineMillis - millis.getAsLong();
      int toAsk = now.replicas() - attempt % now.replicas();
      long partMillis = toAsk == 1 ? leftMillis : Math.min(NEXT_REPLICA_MILLIS, leftMillis / toAsk);
      watch(Operation::anyReplica, partMillis, attempt, turn);
      watch(operation -> !operation.anyReplica(), leftMillis, attempt, turn);
    }

    /** Takes what waits for an answer in a turn from the answer if it is not there in time. */
    private void watch(Predicate<Operation> what, long afterMillis, int attempt, int turn) {
      boolean waits = false;
      for (int i = 0; i < operations.length && !waits; i++) {
        waits = awaited.get(i) == turn && what.test(operations[i]);
      }
      if (waits) {
        later(afterMillis, batch -> batch.giveUp(what, attempt, turn));
      }
    }

    /** Does something later, unless the batch has ended; without a timer, answers still end it. */
    private void later(long afterMillis, Consumer<Batch> action) {
      Runnable task = late.action(action);
      SafeCall.run(() -> timer.after(Math.max(1, afterMillis), task));
    }

    private void giveUp(Predicate<Operation> what, int attempt, int turn) {
      List<Integer> indices = new ArrayList<>();
      for (int i = 0; i < operations.length; i++) {
        if (what.test(operations[i])) {
          indices.add(i);
        }
      }
      failed(indices, attempt, turn, "no answer in time");
    }

    private void split(Member owner, List<Integer> indices, int attempt, int turn) {
      int from = 0;
      int bytes = 0;
      for (int at = 0; at < indices.size(); at++) {
        Operation operation = operations[indices.get(at)];
        bytes += operation.bytes();
        boolean full =
            at - from + 1 >= DirectoryNode.MAX_CALL_OPERATIONS || bytes >= MAX_CALL_BYTES;
        if (full || at == indices.size() - 1) {
          call(owner, indices.subList(from, at + 1), attempt, turn);
          from = at + 1;
          bytes = 0;
        }
      }
    }

    private void call(Member owner, List<Integer> indices, int attempt, int turn) {
      List<Operation> part = new ArrayList<>(indices.size());
      for (int index : indices) {
        part.add(operations[index]);
      }
      CompletableFuture<?> unused =
          SafeCall.of(() -> peers.run(owner, publisher, epoch, part))
              .whenComplete(
                  (answers, failure) -> {
                    if (failure != null || answers.size() != part.size()) {
                      String why = failure == null ? "a wrong answer" : String.valueOf(failure);
                      failed(indices, attempt, turn, owner + ": " + why);
                    } else {
                      took(indices, answers, attempt, turn);
                    }
                  });
    }

    /** Sends again those of the operations that still wait for an answer in this turn. */
    private void failed(List<Integer> indices, int attempt, int turn, String why) {
      Outcome none = Outcome.failed(Status.UNKNOWN, why);
      List<Integer> again = new ArrayList<>(indices.size());
      for (int index : indices) {
        if (awaited.compareAndSet(index, turn, UNSENT)) {
          unknown.set(index, none);
          again.add(index);
        }
      }
      if (!again.isEmpty()) {
        stale.run();
        retry(again, attempt, none);
      }
    }

    private void took(List<Integer> indices, List<Outcome> answers, int attempt, int turn) {
      List<Integer> again = new ArrayList<>();
      Outcome last = null;
      for (int i = 0; i < answers.size(); i++) {
        Outcome answer = answers.get(i);
        if (answer.status() == Status.NOT_OWNER || answer.status() == Status.BUSY) {
          if (awaited.compareAndSet(indices.get(i), turn, UNSENT)) {
            again.add(indices.get(i));
            last = answer;
          }
        } else if (take(indices.get(i), turn, answer)) {
          end(indices.get(i), answer);
        }
      }
      if (last != null) {
        if (last.status() == Status.NOT_OWNER) {
          stale.run();
        }
        retry(again, attempt, last);
      }
    }

    /** Returns false if an operation waits for no such answer any more. */
    private boolean take(int index, int turn, Outcome answer) {
      if (operations[index].anyReplica() && answer.isOk()) {
        return awaited.getAndSet(index, ENDED) != ENDED;
      }
      return awaited.compareAndSet(index, turn, ENDED);
    }

    /** Sends operations again until the deadline; to another replica at once, if any may answer. */
    private void retry(List<Integer> which, int attempt, Outcome otherwise) {
      long pause = Math.min(MAX_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 10));
      int replicas = Math.max(1, ring.get().replicas());
      List<Integer> now = new ArrayList<>();
      List<Integer> later = new ArrayList<>();
      for (int index : which) {
        boolean other = operations[index].anyReplica() && (attempt + 1) % replicas != 0;
        if (other) {
          now.add(index);
        } else if (millis.getAsLong() + pause < deadlineMillis) {
          later.add(index);
        } else if (awaited.compareAndSet(index, UNSENT, ENDED)) {
          Outcome earlier = unknown.get(index);
          end(index, earlier == null ? otherwise : earlier);
        }
      }
      if (!now.isEmpty()) {
        ask(now, attempt + 1);
      }
      if (!later.isEmpty()) {
        timer.after(pause, () -> ask(later, attempt + 1));
      }
    }

    // ---- lists over all members -----------------------------------------------------------------

    private void askAll(int index) {
      Ring now = ring.get();
      List<Member> members = now.members();
      if (members.isEmpty()) {
        end(index, Outcome.failed(Status.UNKNOWN, "no members are known"));
        return;
      }
      MergedList list = new MergedList(members.size(), now.replicas());
      for (Member member : members) {
        CompletableFuture<?> unused =
            SafeCall.of(() -> peers.run(member, publisher, epoch, List.of(operations[index])))
                .whenComplete(
                    (answers, failure) -> {
                      boolean one = failure == null && answers.size() == 1;
                      endList(index, list.add(one ? answers.get(0) : null));
                    });
      }
      if (!list.hasEnded()) {
        long leftMillis = deadlineMillis - millis.getAsLong();
        later(leftMillis, batch -> batch.endList(index, list.giveUp()));
      }
    }

    private void endList(int index, @Nullable Outcome outcome) {
      if (outcome != null) {
        end(index, outcome);
      }
    }
  }
}
