// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** Code and meaning, for help, the man page and, word for word, the guide. */
  static final Map<String, String> MEANINGS = meanings();

  private static Map<String, String> meanings() {
    Map<String, String> out = new LinkedHashMap<>();
    out.put("0", "done");
    out.put(
        "1",
        "failed: the cluster or one of its DataNodes could not be asked, or refused; or there is"
            + " nothing of that name; or doctor found an error");
    out.put("2", "wrong usage");
    out.put("3", "wrong manifest, or a path in it that is missing or may not be read");
    out.put("127", "run: its command cannot start; otherwise run returns its command's code");
    return Collections.unmodifiableMap(out);
  }

  private ExitCode() {}
}
