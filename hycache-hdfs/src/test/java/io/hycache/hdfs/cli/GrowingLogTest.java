// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingLogTest {
  @TempDir Path dir;

  private Path file() {
    return dir.resolve("audit.log");
  }

  private void append(String text) throws IOException {
    Path unused =
        Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static List<String> read(GrowingLog log) throws IOException {
    List<String> out = new ArrayList<>();
    log.read(out::add);
    return out;
  }

  @Test
  void lines_comeOnce_whenTheyAreWhole() throws IOException {
    append("one\ntw");
    try (GrowingLog log = new GrowingLog(file())) {
      assertEquals(List.of("one"), read(log));
      assertEquals(List.of(), read(log));
      append("o\nthree\n");
      assertEquals(List.of("two", "three"), read(log));
    }
  }

  @Test
  void rotatedLog_isReadToItsEnd_thenTheNewOne() throws IOException {
    append("one\n");
    try (GrowingLog log = new GrowingLog(file())) {
      assertEquals(List.of("one"), read(log));
      append("two\n");
      Files.move(file(), dir.resolve("audit.log.1"));
      assertEquals(List.of("two"), read(log));
      append("three\n");
      assertEquals(List.of("three"), read(log));
      append("four\n");
      assertEquals(List.of("four"), read(log));
    }
  }

  @Test
  void lineWrittenBetweenTheLastReadAndTheRotation_isRead() throws IOException {
    append("one\n");
    try (GrowingLog log =
        new GrowingLog(file()) {
          @Override
          boolean isRotated() throws IOException {
            append("two\n");
            Files.move(file(), dir.resolve("audit.log.1"));
            append("three\n");
            return super.isRotated();
          }
        }) {
      assertEquals(List.of("one", "two", "three"), read(log));
    }
  }

  @Test
  void emptiedLog_isReadFromItsStart() throws IOException {
    append("one\ntwo\n");
    try (GrowingLog log = new GrowingLog(file())) {
      assertEquals(List.of("one", "two"), read(log));
      Files.writeString(file(), "x\n");
      assertEquals(List.of("x"), read(log));
    }
  }

  @Test
  void missingLog_isAnError() throws IOException {
    try (GrowingLog log = new GrowingLog(file())) {
      NoSuchFileException e = assertThrows(NoSuchFileException.class, () -> read(log));
      assertEquals(file() + ": expected a file, found none. Fix: correct the path", e.getMessage());
    }
  }
}
