// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Files and directories that must not change: their complete stat(2) except the access time. */
final class Canaries {
  private final Path[] roots;
  private final Map<String, String> before;

  /**
   * Records the current state.
   *
   * @param roots recorded with everything below them
   */
  Canaries(Path... roots) throws IOException {
    this.roots = roots;
    this.before = look();
  }

  private Map<String, String> look() throws IOException {
    Map<String, String> now = new TreeMap<>();
    for (Path root : roots) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path path : (Iterable<Path>) all::iterator) {
          FileMark mark = FileMark.of(path);
          now.put(
              path.toString(),
              mark
                  + " uid="
                  + mark.uid
                  + " gid="
                  + mark.gid
                  + " mtime="
                  + mark.mtimeMicros
                  + " ctime="
                  + mark.ctimeMicros);
        }
      }
    }
    return now;
  }

  /** Asserts that none of them has changed. */
  void check(String what) throws IOException {
    assertEquals(before, look(), what);
  }
}
