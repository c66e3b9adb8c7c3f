// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns calls that throw, an {@link Error} included (an executor that gets no thread), into calls
 * that failed, so that a caller that waits always gets an answer.
 */
final class SafeCall {
  private static final Logger LOG = LoggerFactory.getLogger(SafeCall.class);

  private SafeCall() {}

  static <T> CompletableFuture<T> of(Supplier<CompletableFuture<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Runs an action whose failure must not affect the caller; returns false if it threw. */
  static boolean run(Runnable action) {
    try {
      action.run();
      return true;
    } catch (RuntimeException | Error e) {
      LOG.warn("directory: an action failed, the others go on", e);
      return false;
    }
  }
}
