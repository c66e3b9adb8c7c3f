// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Hadoop's server logs the message of a refusal, which may quote what any user sent. */
class RefusedExceptionTest {
  @Test
  void message_controlCharacters_areEscaped() {
    assertEquals(
        "settings: x\\u000a2026-01-01 00:00:00,000 FATAL \\u001b[2J München",
        new RefusedException("settings: x\n2026-01-01 00:00:00,000 FATAL \u001b[2J München")
            .getMessage());
  }
}
