// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The files whose blocks a client has located and that no job has claimed yet, in the order in
 * which they were located. At most {@link #MAX_FILES}; further files are left out. Files located
 * longer than {@link #MAX_AGE_NANOS} ago belong to no job that is being planned now, and are
 * dropped. Thread-safe; O(1), but for what returns a list.
 */
final class JobPlan {
  static final int MAX_FILES = 100_000;
  static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final class Located {
    long sinceNanos;
    boolean opened;
  }

  private final LongSupplier nanoTime;

  /** By path, the first located first. Guarded by this. */
  private final Map<String, Located> files = new LinkedHashMap<>();

  /** When old files were removed last. */
  private long droppedNanos;

  /** A file was added since {@link #unopened} returned files last. */
  private boolean grown;

  JobPlan(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.droppedNanos = nanoTime.getAsLong();
  }

  /** Adds a file, unless there is no room; one that is there already keeps its place. */
  synchronized void located(String path) {
    long now = nanoTime.getAsLong();
    if (now - droppedNanos >= MAX_AGE_NANOS) {
      dropOld();
    }
    Located file = files.get(path);
    if (file == null && files.size() < MAX_FILES) {
      file = new Located();
      files.put(path, file);
      grown = true;
    }
    if (file != null) {
      file.sinceNanos = now;
    }
  }

  /**
   * Records that this process opens a file.
   *
   * @return true if the file was located before, and is opened for the first time since
   */
  synchronized boolean opened(String path) {
    Located file = files.get(path);
    if (file == null || file.opened) {
      return false;
    }
    file.opened = true;
    return true;
  }

  /** Returns all files, for the job that was planned, and removes them. */
  synchronized List<String> claim() {
    dropOld();
    List<String> out = List.copyOf(files.keySet());
    files.clear();
    return out;
  }

  /**
   * Returns the files that this process has not opened yet. Empty if no file was added since the
   * last time: they are among those that were returned then.
   */
  synchronized List<String> unopened() {
    if (!grown) {
      return List.of();
    }
    grown = false;
    dropOld();
    List<String> out = new ArrayList<>();
    files.forEach(
        (path, file) -> {
          if (!file.opened) {
            out.add(path);
          }
        });
    return out;
  }

  private void dropOld() {
    long now = nanoTime.getAsLong();
    droppedNanos = now;
    files.values().removeIf(file -> now - file.sinceNanos >= MAX_AGE_NANOS);
  }
}
