// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.localdir.LocalDirStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDirTextTest {
  private static final long NOW_MILLIS = 1_000_000;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int status(String state, long ageMillis) {
    LocalDirStatus status =
        LocalDirStatus.fromJson(
            "{\"version\":1,\"ssd\":\"/ssd\",\"hdds\":[\"/hdd\"],\"policy\":\"lru\",\"state\":\""
                + state
                + "\",\"wallMillis\":"
                + (NOW_MILLIS - ageMillis)
                + "}");
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return LocalDirText.printStatus(new Console(stream, stream), status, NOW_MILLIS, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "open|0",
        "running|0",
        "closed|0",
        "failed: the planner met java.io.IOException|1",
        "stopped: the sweeper met 10 errors: java.lang.OutOfMemoryError|1",
        "late: the last round of the planner ended 90 s ago; a device may hang|1",
      })
  void exitCode_isThatOfTheDaemonsState(String state, int expected) {
    assertEquals(expected, status(state, 1000));
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(said.startsWith("/ssd: " + state + ", policy lru, as of 1 s ago"), said);
  }

  @Test
  void exitCode_staleStatus_isAFailure_unlessTheDaemonEnded() {
    assertEquals(ExitCode.FAILED, status("running", 31_000));
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(
        said.contains("hycache: stale: no status for 31 s: the daemon hangs or was killed"), said);
    assertEquals(ExitCode.OK, status("closed", 31_000));
  }
}
