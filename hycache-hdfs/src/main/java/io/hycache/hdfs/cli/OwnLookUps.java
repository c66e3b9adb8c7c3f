// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.AuditLine;
import io.hycache.core.hint.LaterReads;
import io.hycache.core.hint.Manifest;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes what this process has looked up from what was read, in an audit log without caller
 * contexts: both are opens. The first open of each file below a path that was looked up is taken
 * for the look-up. With contexts see {@link AuditLine#isLookUp}. Not thread-safe; O(paths looked up
 * lately) for each open.
 */
final class OwnLookUps {
  /** Look-ups are in the log within so long. */
  private static final long MAX_AGE_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private static final int MAX_FILES = 100_000;

  private final String user;
  private final Map<String, Long> endMillisByPath = new HashMap<>();
  private final Set<String> found = new HashSet<>();

  /**
   * @param user as the audit log shows this process's
   */
  OwnLookUps(String user) {
    this.user = user;
  }

  /**
   * Notes that files at or below these paths were looked up.
   *
   * @param paths as a manifest has them, none with a wildcard; the log has them without escapes
   */
  void add(Collection<String> paths, long timeMillis) {
    paths.forEach(
        path -> endMillisByPath.put(Manifest.unescaped(path), timeMillis + MAX_AGE_MILLIS));
  }

  /** Returns true if an operation is one of the look-ups; once for each file. */
  boolean remove(AuditLine operation) {
    if (endMillisByPath.isEmpty()
        || operation.job() != null
        || !operation.command().equals("open")
        || !user.equals(operation.user())) {
      return false;
    }
    long now = operation.timeMillis();
    endMillisByPath.values().removeIf(end -> now > end);
    if (endMillisByPath.isEmpty()) {
      found.clear();
      return false;
    }
    String file = operation.source();
    return endMillisByPath.keySet().stream().anyMatch(path -> LaterReads.isWithin(file, path))
        && found.size() < MAX_FILES
        && found.add(file);
  }
}
