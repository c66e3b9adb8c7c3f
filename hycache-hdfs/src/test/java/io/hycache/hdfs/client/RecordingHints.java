// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Hints of runs that are written down instead of submitted. Thread-safe. */
public final class RecordingHints {
  private final List<String> calls = new ArrayList<>();

  /** Thrown by each call from now on. */
  public volatile @Nullable Error failure;

  public final RunHints hints =
      new RunHints(
          (user, path) ->
              new RunHints.Submissions() {
                @Override
                public void submit(String workflow, List<String> paths, BooleanSupplier isOpen) {
                  add(user.getUserName() + " submit " + workflow + " " + paths);
                }

                @Override
                public void withdraw(String workflow) {
                  add(user.getUserName() + " withdraw " + workflow);
                }
              });

  private synchronized void add(String call) {
    Error thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    calls.add(call);
  }

  /** Returns the calls since the last time. */
  public synchronized List<String> takeCalls() {
    List<String> out = List.copyOf(calls);
    calls.clear();
    return out;
  }
}
