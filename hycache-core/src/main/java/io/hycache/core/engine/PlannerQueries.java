// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs queries on the planner's thread and waits for their answers. Thread-safe. */
final class PlannerQueries {
  private static final long MAX_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(5);

  /** Longest wait for a planner that has made no progress for some time. */
  private static final long MAX_WAIT_WHEN_STALLED_MILLIS = 200;

  private final Planner planner;

  PlannerQueries(Planner planner) {
    this.planner = planner;
  }

  /**
   * Runs a query after all events that were reported before.
   *
   * @throws TimeoutException if there is no answer in time, or the planner has ended or is too
   *     busy; a query that has begun by then is completed
   * @throws IllegalStateException if the query failed, with its failure as the cause
   */
  <T> T ask(Callable<T> query) throws TimeoutException {
    if (planner.isOver()) {
      throw new TimeoutException("the planner has ended");
    }
    boolean stalled = planner.stalledSeconds() > 0;
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (!planner.offer(() -> answer(query, answer))) {
      throw new TimeoutException("too many events wait for the planner");
    }
    try {
      return answer.get(
          stalled ? MAX_WAIT_WHEN_STALLED_MILLIS : MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Nothing waits for the answer any more: a query that has not begun is skipped.
      answer.cancel(false);
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TimeoutException("interrupted while waiting for the planner");
    } catch (ExecutionException e) {
      throw new IllegalStateException("planner failed: " + e.getCause(), e.getCause());
    }
  }

  private static <T> void answer(Callable<T> query, CompletableFuture<T> answer) {
    if (answer.isDone()) {
      return;
    }
    try {
      answer.complete(query.call());
    } catch (Error e) {
      answer.completeExceptionally(e);
      throw e; // it may have interrupted a change of the planner's state
    } catch (Exception e) {
      answer.completeExceptionally(e);
    }
  }
}
