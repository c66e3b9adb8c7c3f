// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.LaterReads;
import io.hycache.hdfs.client.JobOutput;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits for the outputs of jobs, and has the reads of each submitted when the jobs have written all
 * its files. What is there at the beginning is of an earlier run. The NameNode is asked for each
 * path every {@link #POLL_MILLIS}, after failures less often. Thread-safe.
 */
final class OutputWatch {
  private static final long POLL_MILLIS = TimeUnit.SECONDS.toMillis(2);
  private static final long MAX_POLL_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** The time of this machine. */
  static final Time SYSTEM =
      new Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void pause(long millis) throws InterruptedException {
          Thread.sleep(millis);
        }
      };

  /** Time that goes by, of no certain beginning. */
  interface Time {
    long nanos();

    void pause(long millis) throws InterruptedException;
  }

  /** Looks at the outputs of jobs. */
  interface Outputs {
    /** Looks at what is at a path before a job writes there. */
    JobOutput at(String path) throws IOException;
  }

  /** Submits reads whose files are there. */
  interface Submitter {
    void submit(LaterReads reads) throws IOException;
  }

  private final Duration patience;
  private final Time time;
  private final Submitter submitter;
  private final Consumer<String> warnings;
  private final Map<LaterReads, List<JobOutput>> waiting = new LinkedHashMap<>();
  private final Thread thread = new Thread(this::run, "hycache-outputs");
  private long pauseMillis = POLL_MILLIS;
  private boolean warned;

  /**
   * Looks at all outputs once. Reads of which one can't be looked at are left out with a warning.
   *
   * @param later what to wait for, in the order in which the jobs write
   * @param patience after which it ends by itself
   */
  OutputWatch(
      List<LaterReads> later,
      Duration patience,
      Time time,
      Outputs outputs,
      Submitter submitter,
      Consumer<String> warnings) {
    this.patience = patience;
    this.time = time;
    this.submitter = submitter;
    this.warnings = warnings;
    thread.setDaemon(true);
    for (LaterReads reads : later) {
      try {
        List<JobOutput> of = new ArrayList<>();
        for (String path : reads.paths()) {
          of.add(outputs.at(path));
        }
        waiting.put(reads, of);
      } catch (IOException | RuntimeException e) {
        warn(reads, " is not hinted", e);
      }
    }
  }

  private void warn(LaterReads reads, String what, Exception why) {
    warnings.accept("workflow " + reads.manifest().workflow() + what + ": " + ErrorText.of(why));
  }

  void start() {
    thread.start();
  }

  /** Ends it without waiting for a submission under way. Idempotent. */
  void stop() {
    thread.interrupt();
  }

  /** What the thread does. */
  void run() {
    long start = time.nanos();
    try {
      while (!waiting.isEmpty()) {
        time.pause(pauseMillis);
        if (Duration.ofNanos(time.nanos() - start).compareTo(patience) >= 0) {
          waiting.clear();
        }
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Submits what is there now. What fails is tried again in the next round. */
  void look() {
    boolean failed = false;
    for (Iterator<Map.Entry<LaterReads, List<JobOutput>>> all = waiting.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<LaterReads, List<JobOutput>> next = all.next();
      LaterReads reads = next.getKey();
      try {
        if (isWritten(next.getValue())) {
          submitter.submit(reads);
          all.remove();
        }
      } catch (IOException | RuntimeException e) {
        failed = true;
        if (!warned && !Thread.currentThread().isInterrupted()) {
          warned = true;
          warn(reads, ": could not submit hints of what a job wrote, trying again", e);
        }
      }
    }
    pauseMillis = failed ? Math.min(2 * pauseMillis, MAX_POLL_MILLIS) : POLL_MILLIS;
  }

  private static boolean isWritten(List<JobOutput> outputs) throws IOException {
    for (JobOutput output : outputs) {
      if (!output.isWritten()) {
        return false;
      }
    }
    return true;
  }
}
