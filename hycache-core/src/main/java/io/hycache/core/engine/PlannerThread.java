// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.move.Supervisor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The life of the planner's thread: starts it, wakes it, replaces it if it died, measures how long
 * it has made no progress, and stops it. Thread-safe.
 */
final class PlannerThread implements AutoCloseable {
  private static final long MAX_JOIN_MILLIS = TimeUnit.SECONDS.toMillis(5);

  private final Supervisor supervisor;
  private final Supervisor.Part part;
  private final Supervisor.Work rounds;
  private final Watchdog watchdog;
  private volatile Thread thread;
  private volatile boolean running = true;

  /**
   * Time of the last sign of progress, or of the next one while the thread rests, by the real clock
   * even where tests move another one.
   */
  private volatile long beatNanos = System.nanoTime();

  /**
   * @param part counts the thread's failures
   * @param rounds does one round for each call
   */
  PlannerThread(Supervisor supervisor, Supervisor.Part part, Supervisor.Work rounds) {
    this.supervisor = supervisor;
    this.part = part;
    this.rounds = rounds;
    this.thread = newThread();
    this.watchdog =
        new Watchdog(
            () -> System.nanoTime() - beatNanos, this::revive, supervisor.part("watchdog"));
  }

  private Thread newThread() {
    return part.thread("HyCachePlanner", rounds);
  }

  void start() {
    beat();
    thread.start();
  }

  /** Logs a stall, and replaces the thread if it is dead. To be called about every second. */
  void watch() {
    if (running && thread.getState() != Thread.State.NEW) {
      boolean unused = watchdog.check();
    }
  }

  /** Replaces the thread if it is dead, which only the JVM itself can cause. */
  private synchronized void revive() {
    if (running && !supervisor.givenUp() && thread.getState() == Thread.State.TERMINATED) {
      thread = newThread();
      thread.start();
    }
  }

  /** Records that the thread made progress. */
  void beat() {
    beatNanos = System.nanoTime();
  }

  /** Records that the thread has nothing to do for some time, which is no stall. */
  void rests(long nanos) {
    beatNanos = System.nanoTime() + nanos;
  }

  /** Ends the pause between two rounds. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** False once {@link #close} was called. */
  boolean isRunning() {
    return running;
  }

  /** Seconds without progress; 0 if there was some lately or the thread has not been started. */
  long stalledSeconds() {
    return running && thread.getState() != Thread.State.NEW ? watchdog.stalledSeconds() : 0;
  }

  /** Ends the thread after the current round, and waits some seconds for it. Idempotent. */
  @Override
  public void close() {
    running = false;
    wake();
    try {
      thread.join(MAX_JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
