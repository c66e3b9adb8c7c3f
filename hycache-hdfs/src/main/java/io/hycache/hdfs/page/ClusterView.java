// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import io.hycache.core.directory.Member;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of the other members of the directory, asked in the background while somebody looks.
 *
 * <p>A look returns what is known and never waits. The first one starts a thread that asks all
 * members, {@value #THREADS} at a time, again and again, and ends when nobody has looked for a
 * while. A member that does not answer is asked again after a pause, so that dead ones do not hold
 * up a round. Thread-safe; O(members) of memory while somebody looks, and after it.
 */
final class ClusterView {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);

  static final int THREADS = 8;
  static final long PAUSE_MILLIS = 10_000;

  /** The longest round; members that were not asked in it are asked first in the next one. */
  static final long ROUND_TIMEOUT_MILLIS = 30_000;

  /** After a failure. */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The thread ends when nobody has looked for so long. */
  static final long UNSEEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Asks a member for its status; ends in some seconds. */
  interface Question {
    NodeStatus ask(Member member) throws IOException;
  }

  /** What one member answered last. Immutable. */
  static final class Answer {
    final Member member;

    /** Null if it did not answer. */
    final @Nullable NodeStatus status;

    /** Why it did not answer; empty if it did. */
    final String failure;

    final long nanos;

    Answer(Member member, @Nullable NodeStatus status, String failure, long nanos) {
      this.member = member;
      this.status = status;
      this.failure = failure;
      this.nanos = nanos;
    }
  }

  private final Supplier<List<Member>> others;
  private final Question question;
  private final long pauseMillis;
  private final LongSupplier nanoTime;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  /** Has a permit if a member was seen without any answer: the next round begins at once. */
  private final Semaphore wake = new Semaphore(0);

  private @Nullable Thread thread;
  private long seenNanos;
  private boolean closed;

  /** A round failed: only the first failure is logged. Used by one thread at a time. */
  private volatile boolean failed;

  /**
   * @param others the members without this DataNode
   * @param pauseMillis between rounds, such as {@link #PAUSE_MILLIS}
   */
  ClusterView(
      Supplier<List<Member>> others, Question question, long pauseMillis, LongSupplier nanoTime) {
    this.others = others;
    this.question = question;
    this.pauseMillis = pauseMillis;
    this.nanoTime = nanoTime;
  }

  /** The last answer of each member, by address; an answer is missing if there was none yet. */
  List<Answer> look() {
    startIfNeeded();
    List<Answer> known = new ArrayList<>();
    for (Member member : others.get()) {
      Answer answer = answers.get(member.id());
      if (answer != null) {
        known.add(answer);
      } else if (wake.availablePermits() == 0) {
        wake.release();
      }
    }
    known.sort(Comparator.comparing(answer -> answer.member.address()));
    return known;
  }

  private synchronized void startIfNeeded() {
    seenNanos = nanoTime.getAsLong();
    if (!isRunning() && !closed) {
      Thread started = new Thread(this::rounds, "HyCachePage");
      started.setDaemon(true);
      started.start();
      thread = started;
    }
  }

  private synchronized boolean goesOn() {
    boolean unseen = nanoTime.getAsLong() - seenNanos > UNSEEN_NANOS;
    if (closed || unseen) {
      thread = null;
      answers.clear();
      return false;
    }
    return true;
  }

  private void rounds() {
    while (goesOn()) {
      try {
        tryRound();
        boolean unused = wake.tryAcquire(pauseMillis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // closed
      }
    }
  }

  /** A round that fails, for lack of memory or threads, is not the last one. */
  private void tryRound() throws InterruptedException {
    try {
      round();
    } catch (RuntimeException | Error e) {
      if (!failed) {
        failed = true;
        LOG.warn("Could not ask the other DataNodes for their status; trying again in silence", e);
      }
    }
  }

  /** Asks all members, those with the oldest answer first. Returns after a bounded time. */
  void round() throws InterruptedException {
    List<Member> members = others.get();
    Set<String> ids = members.stream().map(Member::id).collect(Collectors.toSet());
    answers.keySet().retainAll(ids);
    List<Member> due = new ArrayList<>(members);
    due.removeIf(member -> isResting(answers.get(member.id())));
    due.sort(Comparator.comparingLong(this::age).reversed());
    if (due.isEmpty()) {
      return;
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(Math.min(THREADS, due.size()), ClusterView::daemon);
    try {
      due.forEach(member -> pool.execute(() -> ask(member)));
      pool.shutdown();
      boolean unused = pool.awaitTermination(ROUND_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "HyCachePagePeer");
    thread.setDaemon(true);
    return thread;
  }

  private boolean isResting(@Nullable Answer answer) {
    return answer != null
        && answer.status == null
        && nanoTime.getAsLong() - answer.nanos < RETRY_NANOS;
  }

  private long age(Member member) {
    Answer answer = answers.get(member.id());
    return answer == null ? Long.MAX_VALUE : nanoTime.getAsLong() - answer.nanos;
  }

  private void ask(Member member) {
    NodeStatus status = null;
    String failure = "";
    try {
      status = question.ask(member).withoutDevices();
    } catch (IOException | RuntimeException | LinkageError e) {
      failure = String.valueOf(e.getMessage()).lines().findFirst().orElse("no answer");
    }
    answers.put(member.id(), new Answer(member, status, failure, nanoTime.getAsLong()));
  }

  /** Ends the thread. Idempotent. */
  synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Whether the thread runs. */
  synchronized boolean isRunning() {
    return thread != null && thread.isAlive();
  }
}
