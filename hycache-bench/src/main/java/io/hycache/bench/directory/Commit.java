// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Of what a result is. */
final class Commit {
  private static final long TIMEOUT_SECONDS = 5;

  private Commit() {}

  /** The commit that is checked out where a directory is; null if git doesn't know. */
  static @Nullable String of(Path dir) {
    try {
      Process git =
          new ProcessBuilder("git", "rev-parse", "--short", "HEAD")
              .directory(dir.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? text : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
