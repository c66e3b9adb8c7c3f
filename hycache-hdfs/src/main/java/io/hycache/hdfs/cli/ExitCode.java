// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

/** What the process returns. {@code run} returns its command's own exit code instead. */
final class ExitCode {
  static final int OK = 0;

  /** The cluster, or a DataNode of it, could not be asked or refused. */
  static final int FAILED = 1;

  /** Wrong options or arguments. */
  static final int USAGE = 2;

  /** A manifest that is wrong, or that names a path that is missing or may not be read. */
  static final int MANIFEST = 3;

  /** {@code run} could not start its command; as shells do. */
  static final int NOT_STARTED = 127;

  private ExitCode() {}
}
