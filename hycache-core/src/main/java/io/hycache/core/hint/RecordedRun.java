// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a record of the past says of one run of a job or query: who ran it, when, and which files
 * and directories it read and wrote. Filled while the record is read. Not thread-safe.
 */
public final class RecordedRun {
  /** Paths of each kind; further ones are left out. */
  public static final int MAX_PATHS = 10_000;

  final String workflow;
  private String user;
  private String name;
  private long startMillis;
  private long endMillis;
  private final Set<String> reads = new LinkedHashSet<>();
  private final Set<String> writes = new LinkedHashSet<>();
  private long leftOut;

  /**
   * @param workflow what runs of one workflow have in common, such as the id of an application
   * @param user empty if it is not known
   * @param name of the job or query
   * @param startMillis since 1970
   */
  public RecordedRun(String workflow, String user, String name, long startMillis) {
    this.workflow = workflow;
    this.user = user;
    this.name = name;
    this.startMillis = startMillis;
    this.endMillis = startMillis;
  }

  /** Sets the user, which is known later than the run. */
  public void setUser(String user) {
    this.user = user;
  }

  /** Sets the name, which is known later than the run. */
  public void setName(String name) {
    this.name = name;
  }

  /** Takes a time at which the run was under way, milliseconds since 1970. */
  public void at(long millis) {
    startMillis = Math.min(startMillis, millis);
    endMillis = Math.max(endMillis, millis);
  }

  /** Adds a file, directory or glob that it read; {@link #literal} for what is no glob. */
  public void read(String path) {
    add(reads, path);
  }

  /** Adds a file or directory that it wrote. */
  public void wrote(String path) {
    add(writes, path);
  }

  private void add(Set<String> paths, String path) {
    if (paths.size() < MAX_PATHS) {
      paths.add(path);
    } else {
      leftOut += paths.contains(path) ? 0 : 1;
    }
  }

  /** Returns the glob that matches just the file or directory at a path. */
  public static String literal(String path) {
    return Manifest.literal(path);
  }

  /** Returns the user; empty if it is not known. */
  public String user() {
    return user;
  }

  String name() {
    return name;
  }

  long startMillis() {
    return startMillis;
  }

  long endMillis() {
    return endMillis;
  }

  /** Returns the paths that it read, in the order in which they were added. */
  public Set<String> reads() {
    return reads;
  }

  /** Returns the paths that it wrote. */
  public Set<String> writes() {
    return writes;
  }

  /** Returns the number of paths beyond {@link #MAX_PATHS}. */
  public long leftOut() {
    return leftOut;
  }
}
