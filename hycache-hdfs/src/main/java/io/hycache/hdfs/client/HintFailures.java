// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Counts hints that failed, and logs the first of them. Thread-safe. */
final class HintFailures {
  private final Logger log;
  private final AtomicLong count = new AtomicLong();

  HintFailures(Logger log) {
    this.log = log;
  }

  /**
   * Counts a failure.
   *
   * @param what a verb
   */
  void failed(String what, String workflow, Throwable why) {
    if (count.getAndIncrement() > 0) {
      log.debug("could not {} hints: workflow={}", what, workflow, why);
    } else {
      log.warn(
          "Could not {} the hints of workflow {}; the job itself goes on, further failures are"
              + " logged at DEBUG: {}",
          what,
          workflow,
          why.toString());
    }
  }

  long count() {
    return count.get();
  }
}
