// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls to NameNodes, each on a thread of its own: a NameNode whose host is switched off fails a
 * call only after a quarter of an hour, and must not delay what others are sent.
 *
 * <p>One call to a NameNode is in progress at most, so there are no more threads than NameNodes. A
 * call is never interrupted, because it shares its connection with the DataNode's own. A thread
 * ends after some seconds without a call. Thread-safe.
 *
 * @param <N> what stands for a NameNode; compared by {@code equals}
 */
public final class NameNodeCalls<N> {
  private static final int KEEP_ALIVE_SECONDS = 10;

  /** A remote call. */
  public interface Call {
    /**
     * Waits for the NameNode.
     *
     * @throws IOException if the NameNode did not accept the call
     */
    void run() throws IOException;
  }

  private final long mostNanos;
  private final Map<N, InProgress> inProgress = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Daemons.named("HyCacheNameNodeCall"));

  /**
   * @param mostMillis how long a NameNode's answer to one call is waited for
   */
  public NameNodeCalls(long mostMillis) {
    this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
  }

  /**
   * Begins a call whose result does not matter. Never waits.
   *
   * @return false if an earlier call to this NameNode is in progress; then nothing is called
   */
  public boolean begin(N nameNode, Call call) {
    return begin(nameNode, new InProgress(call)) == null;
  }

  /**
   * Makes a call, after an earlier one to this NameNode has ended.
   *
   * @throws IOException if it failed or did not end in time, when it may still succeed; or if an
   *     earlier one did not end in time, when nothing is called
   */
  public void make(N nameNode, Call call) throws IOException {
    InProgress earlier;
    InProgress mine;
    do {
      mine = new InProgress(call);
      earlier = begin(nameNode, mine);
      if (earlier != null && !earlier.endsInTime()) {
        throw new IOException("an earlier call was not answered in time: nameNode=" + nameNode);
      }
    } while (earlier != null);
    if (!mine.endsInTime()) {
      throw new IOException("no answer in time: nameNode=" + nameNode);
    }
    mine.throwFailure();
  }

  /** Begins a call, unless one to the same NameNode is in progress, which is returned. */
  private @Nullable InProgress begin(N nameNode, InProgress call) {
    InProgress earlier = inProgress.putIfAbsent(nameNode, call);
    if (earlier != null) {
      return earlier;
    }
    boolean begun = false;
    try {
      threads.execute(
          () -> {
            try {
              call.run();
            } finally {
              ended(nameNode, call);
            }
          });
      begun = true;
    } finally {
      if (!begun) { // no thread could be started
        ended(nameNode, call);
      }
    }
    return null;
  }

  private void ended(N nameNode, InProgress call) {
    inProgress.remove(nameNode);
    call.ended.countDown();
  }

  private final class InProgress {
    private final Call call;
    private final long sinceNanos = System.nanoTime();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Throwable failure;

    InProgress(Call call) {
      this.call = call;
    }

    void run() {
      try {
        call.run();
      } catch (Throwable e) { // thrown again where the result matters
        failure = e;
      }
    }

    /** Waits for the end of the call, until it has taken as long as a call may. */
    boolean endsInTime() throws InterruptedIOException {
      try {
        long left = sinceNanos + mostNanos - System.nanoTime();
        return ended.await(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted in a call to a NameNode");
      }
    }

    /** To be called after the end. */
    void throwFailure() throws IOException {
      if (failure instanceof IOException) {
        throw (IOException) failure;
      }
      if (failure != null) {
        throw new IOException("call to a NameNode failed", failure);
      }
    }
  }
}
