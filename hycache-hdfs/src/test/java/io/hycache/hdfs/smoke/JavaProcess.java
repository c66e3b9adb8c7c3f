// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, whose output goes to a file. */
final class JavaProcess implements AutoCloseable {
  private static final long STOP_SECONDS = 120;

  final String name;
  private final Process process;
  private final Path log;

  private JavaProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param name for messages
   * @param log its standard output and error output
   */
  static JavaProcess start(String name, Path log, List<String> classPath, String... mainAndArgs)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.addAll(Arrays.asList(mainAndArgs));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new JavaProcess(name, process, log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  /** Waits until it ends by itself. Returns its exit code. */
  int await() throws InterruptedException {
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError(name + " did not end within " + STOP_SECONDS + " s");
    }
    return process.exitValue();
  }

  /** Stops it as an operator does: SIGTERM. */
  void stop() throws InterruptedException {
    process.destroy();
    await();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    await();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
