package io.hycache.core.directory;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that throw, an {@code Error} too (an executor that gets no thread), become calls that
 * failed: who waits for one is always answered.
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

  /** Runs something of which nothing else may depend; returns false if it threw. */
  static boolean run(Runnable action) {
    try {
      action.run();
      return true;
    } catch (RuntimeException | Error e) {
      LOG.warn("The directory stumbled and goes on", e);
      return false;
    }
  }
}
