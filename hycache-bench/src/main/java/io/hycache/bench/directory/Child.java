// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link NodeProcess}, seen from the one that started it. Its log is a file. */
final class Child implements AutoCloseable {
  private static final long START_TIMEOUT_SECONDS = 60;
  private static final long STOP_TIMEOUT_SECONDS = 5;
  private static final int LOG_LINES = 8;

  private final String name;
  private final Process process;
  private final Path log;
  private final Lines lines;

  /**
   * Starts one.
   *
   * @param command all of it
   * @param dir gets its log
   */
  Child(String name, List<String> command, Path dir) throws IOException {
    this.name = name;
    this.log = dir.resolve(name + ".log");
    this.process =
        new ProcessBuilder(command).redirectError(log.toFile()).directory(dir.toFile()).start();
    this.lines = new Lines(process.getInputStream(), process.getOutputStream(), () -> {});
  }

  /** Waits until it is up. Returns its address. */
  String address() throws IOException {
    return answer(START_TIMEOUT_SECONDS).path("address").asText();
  }

  /** Asks it something; {@link #answer} gets what it says. */
  void ask(JsonNode request) throws IOException {
    try {
      lines.send(request);
    } catch (IOException e) {
      throw failed("is gone", e);
    }
  }

  /** Waits for the answer. */
  JsonNode answer(long seconds) throws IOException {
    JsonNode answer;
    try {
      answer = lines.receive(seconds);
    } catch (EOFException e) {
      throw failed("ended", e);
    }
    if (answer == null) {
      throw failed("did not answer within " + seconds + " s", new IOException("no answer"));
    }
    if (answer.has("error") && !answer.has("operationsPerSecond")) {
      throw failed(answer.path("error").asText(), new IOException("refused"));
    }
    return answer;
  }

  private IOException failed(String what, IOException cause) {
    String end = "";
    try {
      List<String> all = Files.readAllLines(log);
      end = String.join("\n  ", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    return new IOException("process " + name + ": " + what + "\n  " + end, cause);
  }

  /** Ends it, which it does when its input ends. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
