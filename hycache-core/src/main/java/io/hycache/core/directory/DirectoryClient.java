// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Operations go directly to the owners of their keys, those of one owner in one call: in the steady
 * state one round trip. If a node answers that it is not the owner or is busy, or does not answer,
 * the operation is sent again after a pause, which doubles, until the deadline; a read that any
 * replica may answer goes to the next replica at once. A write carries a token that it keeps when it
 * is sent again, so that it happens once.
 */
/** A client of the directory. Starts no thread; no method waits; thread-safe. */
public final class DirectoryClient {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 500;

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
   * exceptionally: without an answer in time the outcome is {@link Status#UNKNOWN}.
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

  private final class Batch {
    final String publisher;
    final long epoch;
    final long deadlineMillis;
    final Operation[] operations;
    final @Nullable Outcome[] outcomes;

    /** Outcomes of operations that were sent without an answer: they may have been done. */
    final AtomicReferenceArray<Outcome> unknown;

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
      this.left = new AtomicInteger(this.operations.length);
    }

    void start() {
      List<Integer> keyed = new ArrayList<>();
      List<Integer> everywhere = new ArrayList<>();
      for (int i = 0; i < operations.length; i++) {
        boolean all = operations[i].kind() == Operation.Kind.LIST;
        (all && Ring.tag(operations[i].key()) == null ? everywhere : keyed).add(i);
      }
      if (operations.length == 0) {
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
      Map<Member, List<Integer>> byOwner = new LinkedHashMap<>();
      for (int index : which) {
        Operation operation = operations[index];
        int role = operation.anyReplica() ? attempt % now.replicas() : 0;
        Member owner = now.owner(Ring.shardOf(operation.key()), role);
        byOwner.computeIfAbsent(owner, m -> new ArrayList<>()).add(index);
      }
      byOwner.forEach((owner, indices) -> split(owner, indices, attempt));
    }

    private void split(Member owner, List<Integer> indices, int attempt) {
      int from = 0;
      int bytes = 0;
      for (int at = 0; at < indices.size(); at++) {
        Operation operation = operations[indices.get(at)];
        bytes += operation.bytes();
        boolean full =
            at - from + 1 >= DirectoryNode.MAX_CALL_OPERATIONS || bytes >= MAX_CALL_BYTES;
        if (full || at == indices.size() - 1) {
          call(owner, indices.subList(from, at + 1), attempt);
          from = at + 1;
          bytes = 0;
        }
      }
    }

    private void call(Member owner, List<Integer> indices, int attempt) {
      List<Operation> part = new ArrayList<>(indices.size());
      for (int index : indices) {
        part.add(operations[index]);
      }
      CompletableFuture<?> unused =
          SafeCall.of(() -> peers.run(owner, publisher, epoch, part))
              .whenComplete(
                  (answers, failure) -> {
                    if (failure != null || answers.size() != part.size()) {
                      stale.run();
                      String why = failure == null ? "a wrong answer" : String.valueOf(failure);
                      Outcome none = Outcome.failed(Status.UNKNOWN, owner + ": " + why);
                      indices.forEach(index -> unknown.set(index, none));
                      retry(indices, attempt, none);
                    } else {
                      took(indices, answers, attempt);
                    }
                  });
    }

    private void took(List<Integer> indices, List<Outcome> answers, int attempt) {
      List<Integer> again = new ArrayList<>();
      Outcome last = null;
      for (int i = 0; i < answers.size(); i++) {
        Outcome answer = answers.get(i);
        if (answer.status() == Status.NOT_OWNER || answer.status() == Status.BUSY) {
          again.add(indices.get(i));
          last = answer;
        } else {
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
        } else {
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
      AtomicInteger silent = new AtomicInteger();
      TreeMap<String, Row> rows = new TreeMap<>();
      AtomicInteger waiting = new AtomicInteger(members.size());
      String[] end = new String[1];
      if (members.isEmpty()) {
        end(index, Outcome.failed(Status.UNKNOWN, "no members are known"));
      }
      for (Member member : members) {
        CompletableFuture<?> unused =
            SafeCall.of(() -> peers.run(member, publisher, epoch, List.of(operations[index])))
                .whenComplete(
                    (answers, failure) -> {
                      if (failure == null && answers.size() == 1 && answers.get(0).isOk()) {
                        synchronized (rows) {
                          merge(rows, answers.get(0), end);
                        }
                      } else {
                        silent.incrementAndGet();
                      }
                      if (waiting.decrementAndGet() == 0) {
                        if (silent.get() >= now.replicas()) {
                          String text = silent + " of " + members.size() + " nodes gave no answer";
                          end(index, Outcome.failed(Status.UNKNOWN, text));
                          return;
                        }
                        synchronized (rows) {
                          end(index, merged(rows, end[0]));
                        }
                      }
                    });
      }
    }

    /** Keeps the newest row of each key, and where the first answer that was cut off ends. */
    private void merge(Map<String, Row> rows, Outcome answer, @Nullable String[] end) {
      for (Row row : answer.rows()) {
        rows.merge(row.key(), row, (a, b) -> a.version() >= b.version() ? a : b);
      }
      if (answer.more()) {
        String last = answer.rows().get(answer.rows().size() - 1).key();
        end[0] = end[0] == null || last.compareTo(end[0]) < 0 ? last : end[0];
      }
    }

    private Outcome merged(NavigableMap<String, Row> rows, @Nullable String end) {
      List<Row> out = new ArrayList<>((end == null ? rows : rows.headMap(end, true)).values());
      return Outcome.listed(out, end != null);
    }
  }
}
