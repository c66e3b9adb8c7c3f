// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * A call to a node that accepts connections and never answers holds its thread until the timeout. So
 * the calls to one node hold at most a quarter of the threads. Its further calls wait in a queue of
 * the node, and a thread that ends a call makes the next one of the same node.
 */
/**
 * Daemon threads that make calls to nodes. The calls that wait are bounded, for all nodes and for
 * each; further calls fail immediately. Thread-safe.
 */
final class CallThreads {
  private static final int MAX_QUEUED_CALLS = 10_000;

  /** Calls of one node that wait, at most. */
  static final int MAX_QUEUED_CALLS_OF_NODE = MAX_QUEUED_CALLS / 4;

  private static final int THREAD_IDLE_SECONDS = 30;

  private final ThreadPoolExecutor pool;
  private final int threadsOfNode;

  /** Nodes with calls in progress, by address. Guarded by this. */
  private final Map<String, Node> nodes = new HashMap<>();

  /** Calls in the queues of nodes. Guarded by this. */
  private int queued;

  /** Guarded by this. */
  private boolean closed;

  private static final class Call {
    final CompletableFuture<?> answer;
    final Runnable action;

    Call(CompletableFuture<?> answer, Runnable action) {
      this.answer = answer;
      this.action = action;
    }
  }

  private static final class Node {
    final Queue<Call> calls = new ArrayDeque<>();

    /** Its calls that have a thread or wait for one. */
    int threads;
  }

  CallThreads(String name, int threads) {
    this.threadsOfNode = Math.max(1, threads / 4);
    AtomicInteger number = new AtomicInteger();
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED_CALLS),
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Makes a call when there is a thread for it.
   *
   * @param address of the node
   * @param answer fails if the call can't be made after all, or throws
   * @param action makes the call and completes the answer
   * @throws RejectedExecutionException if too many calls wait
   */
  void execute(String address, CompletableFuture<?> answer, Runnable action) {
    Call call = new Call(answer, action);
    synchronized (this) {
      Node node = nodes.computeIfAbsent(address, a -> new Node());
      if (node.threads >= threadsOfNode) {
        if (closed || queued >= MAX_QUEUED_CALLS || node.calls.size() >= MAX_QUEUED_CALLS_OF_NODE) {
          throw new RejectedExecutionException("too many calls wait: address=" + address);
        }
        node.calls.add(call);
        queued++;
        return;
      }
      node.threads++;
    }
    try {
      pool.execute(() -> makeCalls(address, call));
    } catch (RejectedExecutionException | Error e) {
      failed(address, e);
      throw e;
    }
  }

  private void makeCalls(String address, Call first) {
    for (Call call = first; call != null; call = next(address)) {
      try {
        call.action.run();
      } catch (RuntimeException | Error e) {
        call.answer.completeExceptionally(e);
      }
    }
  }

  /** Returns the next call of a node; if there is none, the thread is no longer the node's. */
  private synchronized @Nullable Call next(String address) {
    Node node = nodes.get(address);
    Call next = node == null ? null : node.calls.poll();
    if (next != null) {
      queued--;
    } else if (node != null && --node.threads == 0) {
      nodes.remove(address);
    }
    return next;
  }

  /** There is no thread for a call of a node; if it has no other thread, its queue fails, too. */
  private void failed(String address, Throwable why) {
    List<Call> lost = new ArrayList<>();
    synchronized (this) {
      Node node = nodes.get(address);
      if (node != null && --node.threads == 0) {
        nodes.remove(address);
        lost.addAll(node.calls);
        queued -= lost.size();
      }
    }
    lost.forEach(call -> call.answer.completeExceptionally(why));
  }

  /** Interrupts the calls in progress, and fails those that wait for others of their nodes. */
  void close() {
    List<Call> lost = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (Node node : nodes.values()) {
        lost.addAll(node.calls);
        node.calls.clear();
      }
      queued = 0;
    }
    pool.shutdownNow();
    lost.forEach(
        call -> call.answer.completeExceptionally(new RejectedExecutionException("closed")));
  }
}
