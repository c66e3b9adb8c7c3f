// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.conf.DataDirMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassThroughTest {
  @TempDir Path dir;

  private List<String> warnings(Path parent) {
    try (LogLines log = new LogLines(PassThrough.class.getName());
        CacheDir cacheDir =
            new CacheDir(
                parent.toFile(), "uuid", List.of(), Set.of(), true, DataDirMode.OWNER_ONLY)) {
      PassThrough.removeFiles(cacheDir);
      return log.lines().stream()
          .filter(line -> line.startsWith("WARN "))
          .collect(Collectors.toList());
    }
  }

  /** Its copies stay when it is mounted later. */
  @Test
  void ssdIsNotMounted_isLogged() {
    Path parent = dir.resolve("not-mounted");
    assertEquals(
        List.of(
            "WARN could not remove clean copies of before, which now stay. Fix: mount the SSD if"
                + " it is not mounted, and remove them by hand: directory="
                + parent.resolve("uuid")),
        warnings(parent));
    assertTrue(Files.notExists(parent));
  }

  @Test
  void directoryWithoutCopies_isNotMade() throws Exception {
    assertEquals(List.of(), warnings(Files.createDirectory(dir.resolve("new"))));
    assertTrue(Files.notExists(dir.resolve("new/uuid")));
  }
}
