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
 * path every {@link #POLL_MILLIS}, after its failures less often. Thread-safe.
 */
final class OutputWatch {
  private static final long POLL_MILLIS = TimeUnit.SECONDS.toMillis(2);

  /** Looks that are left out after many failures, at most: a minute. */
  private static final int MAX_REST = 29;

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
  private final Map<LaterReads, Waiting> waiting = new LinkedHashMap<>();
  private final Thread thread = new Thread(this::run, "hycache-outputs");
  private boolean warned;

  private static final class Waiting {
    final List<JobOutput> outputs;

    /** Looks to leave out after the last failure, and those of them that are left. */
    int rest;

    int left;

    Waiting(List<JobOutput> outputs) {
      this.outputs = outputs;
    }

    void failed() {
      rest = Math.min(2 * rest + 1, MAX_REST);
      left = rest;
    }
  }

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
        waiting.put(reads, new Waiting(of));
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
        time.pause(POLL_MILLIS);
        if (Duration.ofNanos(time.nanos() - start).compareTo(patience) >= 0) {
          waiting.clear();
        }
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Submits what is there now. What fails is tried again after a while. */
  void look() {
    for (Iterator<Map.Entry<LaterReads, Waiting>> all = waiting.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<LaterReads, Waiting> next = all.next();
      LaterReads reads = next.getKey();
      Waiting of = next.getValue();
      if (of.left > 0) {
        of.left--;
        continue;
      }
      try {
        if (isWritten(of.outputs)) {
          submitter.submit(reads);
          all.remove();
        }
      } catch (IOException | RuntimeException e) {
        of.failed();
        if (!warned && !Thread.currentThread().isInterrupted()) {
          warned = true;
          warn(reads, ": could not submit hints of what a job wrote, trying again", e);
        }
      }
    }
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
