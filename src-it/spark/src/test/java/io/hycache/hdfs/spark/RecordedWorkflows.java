// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.hycache.hdfs.client.FileWorkflows.FileRead;
import io.hycache.hdfs.client.FileWorkflows.Outcome;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records what is submitted and withdrawn, in the order in which it comes. */
final class RecordedWorkflows implements QueryHints.Workflows {
  private static final long PATIENCE_SECONDS = 60;

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private long query;

  /** What the next submission throws after it was recorded. */
  volatile @Nullable Error error;

  /** What a submission waits for after it was recorded. */
  volatile CountDownLatch blockedBy = new CountDownLatch(0);

  @Override
  public Outcome submit(String name, List<FileRead> reads, BooleanSupplier isNeeded) {
    events.add(name + " reads " + text(reads));
    Error thrown = error;
    error = null;
    if (thrown != null) {
      throw thrown;
    }
    try {
      blockedBy.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Outcome.TAKEN;
  }

  @Override
  public void withdraw(String name) {
    events.add(name + " withdrawn");
  }

  /** The last two names of each path without what Spark adds, a star behind those read in part. */
  private static String text(List<FileRead> reads) {
    return reads.stream()
        .map(
            read ->
                read.path().getParent().getName()
                    + "/"
                    + read.path().getName().replaceFirst("part-0*(\\d+)-.*", "$1")
                    + (read.random() ? "*" : ""))
        .collect(Collectors.joining(" "));
  }

  /** The next event, without the name of the application. Waits for it. */
  String next() throws InterruptedException {
    String event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertNotNull(event, "nothing is submitted or withdrawn");
    query = Long.parseLong(event.replaceFirst(".*_query_(\\d+) .*", "$1"));
    return event.replaceFirst(".*_query_\\d+ ", "");
  }

  /** The number of the query of the event that was taken last. */
  long query() {
    return query;
  }

  void clear() {
    error = null;
    blockedBy.countDown();
    events.clear();
  }

  /** Whether all events have been taken. */
  boolean isEmpty() {
    return events.isEmpty();
  }
}
