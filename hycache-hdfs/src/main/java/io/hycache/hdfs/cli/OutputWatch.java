// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.LaterReads;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits for the outputs of jobs, and has the reads of each submitted when all its files are there.
 * The NameNode is asked for each path every {@link #POLL_MILLIS}. Thread-safe.
 */
final class OutputWatch {
  private static final long POLL_MILLIS = TimeUnit.SECONDS.toMillis(2);

  /** Asks whether a job has written its output. */
  interface Outputs {
    boolean isWritten(String path) throws IOException;
  }

  /** Submits reads whose files are there. */
  interface Submitter {
    void submit(LaterReads reads) throws IOException;
  }

  private final Outputs outputs;
  private final Submitter submitter;
  private final Consumer<String> warnings;
  private final List<LaterReads> waiting;
  private final Thread thread = new Thread(this::watch, "hycache-outputs");
  private boolean warned;

  /**
   * @param later what to wait for, in the order in which the jobs write
   */
  OutputWatch(
      List<LaterReads> later, Outputs outputs, Submitter submitter, Consumer<String> warnings) {
    this.waiting = new ArrayList<>(later);
    this.outputs = outputs;
    this.submitter = submitter;
    this.warnings = warnings;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Ends it without waiting for a submission under way. Idempotent. */
  void stop() {
    thread.interrupt();
  }

  private void watch() {
    try {
      while (!waiting.isEmpty()) {
        Thread.sleep(POLL_MILLIS);
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Submits what is there now. What fails is tried again in the next round. */
  void look() {
    for (Iterator<LaterReads> all = waiting.iterator(); all.hasNext(); ) {
      LaterReads reads = all.next();
      try {
        if (isWritten(reads)) {
          submitter.submit(reads);
          all.remove();
        }
      } catch (IOException | RuntimeException e) {
        if (!warned && !Thread.currentThread().isInterrupted()) {
          warned = true;
          warnings.accept("workflow " + reads.manifest().workflow() + " waits: " + ErrorText.of(e));
        }
      }
    }
  }

  private boolean isWritten(LaterReads reads) throws IOException {
    for (String path : reads.paths()) {
      if (!outputs.isWritten(path)) {
        return false;
      }
    }
    return true;
  }
}
