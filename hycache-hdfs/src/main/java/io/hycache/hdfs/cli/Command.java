// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.ManifestException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** One command of the command line. */
interface Command {

  String name();

  /** Its arguments, one line. */
  String usage();

  /** One line for the list of commands. */
  String summary();

  /** All there is to know, several lines. */
  String details();

  /**
   * Does it.
   *
   * @return an {@link ExitCode}
   */
  int run(Configuration conf, List<String> args, Console console)
      throws UsageException, ManifestException, IOException, InterruptedException;
}
