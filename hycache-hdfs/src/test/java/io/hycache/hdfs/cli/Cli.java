// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;

/** One call of the command line, with what it printed. */
final class Cli {
  final int exitCode;
  final String out;
  final String err;

  private Cli(int exitCode, String out, String err) {
    this.exitCode = exitCode;
    this.out = out;
    this.err = err;
  }

  static Cli run(Configuration conf, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code;
    try {
      code =
          HyCache.execute(
              new Configuration(conf),
              args,
              new PrintStream(out, true, StandardCharsets.UTF_8),
              new PrintStream(err, true, StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    Cli cli =
        new Cli(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    if (Boolean.getBoolean("hycache.test.show")) {
      System.out.println("$ hycache " + String.join(" ", args) + "\n" + cli);
    }
    return cli;
  }

  @Override
  public String toString() {
    return out + "--- stderr\n" + err + "--- exit code " + exitCode + "\n";
  }
}
