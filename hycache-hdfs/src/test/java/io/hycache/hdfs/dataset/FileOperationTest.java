// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOperationTest {
  @TempDir Path dir;

  @Test
  void sync_ofFilesAndDirectories() throws Exception {
    FileOperation.sync(dir.toFile());
    FileOperation.sync(Files.createFile(dir.resolve("f")).toFile());
  }

  /** Also without assertions, on which Hadoop's own way to sync a directory relies. */
  @Test
  void sync_ofADirectory_thatFails_throws() {
    File directory = dir.toFile();
    Thread.currentThread().interrupt();
    try {
      assertThrows(ClosedByInterruptException.class, () -> FileOperation.sync(directory));
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertThrows(IOException.class, () -> FileOperation.sync(new File(directory, "none")));
  }
}
