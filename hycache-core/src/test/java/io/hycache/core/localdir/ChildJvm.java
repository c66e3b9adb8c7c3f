// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class of these tests in a process of its own. Stateless. */
final class ChildJvm {
  private ChildJvm() {}

  /**
   * Runs a class to its end, which must come within a minute. Returns the exit code.
   *
   * @param prefix command that starts the JVM, such as setpriv; may be empty
   * @param output receives what the process prints
   */
  static int run(List<String> prefix, File output, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> read(output));
    return process.exitValue();
  }

  /** What a process printed, for messages. */
  static String read(File output) {
    try {
      return Files.readString(output.toPath());
    } catch (IOException e) {
      return e.toString();
    }
  }
}
