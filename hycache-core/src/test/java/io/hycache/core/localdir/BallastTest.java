// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour on a full file system, simulated; localdir.sh fills a real one. */
class BallastTest {
  @TempDir Path directory;
  private Path file;
  private Ballast ballast;
  private int attempts;

  @BeforeEach
  void setUp() {
    file = directory.resolve("ballast");
    ballast = new Ballast(file);
    ballast.keep();
  }

  @Test
  void keep_roomEnough_hasItsBlocksAndNothingElse() throws Exception {
    assertEquals(64 << 10, Files.size(file));
    ballast.keep();
    try (var all = Files.list(directory)) {
      assertEquals(1, all.count());
    }
  }

  @Test
  void ifFull_noSpaceUntilBallastGone_isMade() throws Exception {
    ballast.ifFull(
        () -> {
          attempts++;
          if (Files.exists(file)) {
            throw new FileSystemException("link", null, "No space left on device");
          }
        });
    assertEquals(2, attempts);
    assertFalse(Files.exists(file));
    ballast.keep();
    assertTrue(Files.exists(file));
  }

  @Test
  void ifFull_stillNoSpace_failsAfterTheSecondAttempt() {
    assertThrows(
        FileSystemException.class,
        () ->
            ballast.ifFull(
                () -> {
                  attempts++;
                  throw new FileSystemException("link", null, "Disk quota exceeded");
                }));
    assertEquals(2, attempts);
    assertFalse(Files.exists(file));
  }

  @Test
  void ifFull_otherFailure_keepsTheBallast() {
    IOException failure = new AccessDeniedException("link");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                ballast.ifFull(
                    () -> {
                      attempts++;
                      throw failure;
                    }));
    assertSame(failure, thrown);
    assertEquals(1, attempts);
    assertTrue(Files.exists(file));
  }
}
