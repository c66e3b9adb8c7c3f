// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.localdir.LocalDirTier;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Serves a tree in the foreground until a signal ends the process. */
final class LocalDirServing {
  private static final long PROGRESS_SECONDS = 10;
  private static final long CLOSE_SECONDS = 30;

  private LocalDirServing() {}

  static int run(LocalDirConfig config, Console console) throws IOException, InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    // A signal ends the JVM when the hooks have: this one waits for the tree to be closed.
    Thread hook =
        new Thread(
            () -> {
              stop.countDown();
              try {
                var unused = closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "hycache-localdir-stop");
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      Runtime.getRuntime().addShutdownHook(hook);
      tier.start();
      console.warn("serving " + config);
      tier.unusableHdds()
          .forEach(
              hdd ->
                  console.warn(
                      "not used, it was not usable at the start (the log has the cause): " + hdd));
      LocalDirText.warnOfExchange(console, tier.status());
      serve(tier, stop, console);
      return ExitCode.OK;
    } finally {
      closed.countDown();
    }
  }

  private static void serve(LocalDirTier tier, CountDownLatch stop, Console console)
      throws InterruptedException {
    String said = "";
    boolean stopped = false;
    while (!stopped) {
      stopped = stop.await(PROGRESS_SECONDS, TimeUnit.SECONDS);
      LocalDirStatus status = tier.status();
      // A look at the tree that failed is made again, and one that is late may end.
      String line =
          status.state().equals("running") ? LocalDirText.progress(status) : status.state();
      if (!line.equals(said)) {
        said = line;
        console.warn(line);
      }
    }
    console.warn("ended; files stay where they are");
  }
}
