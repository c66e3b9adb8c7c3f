// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AuditLogTest {
  @Test
  void line_hasAllFields() throws Exception {
    assertEquals(
        "allowed=true\tugi=\"alice (auth:KERBEROS)\"\tip=10.0.0.7\tcmd=submit\tsubject=\"nightly\""
            + "\treason=\"\"",
        AuditLog.line(
            "alice (auth:KERBEROS)",
            InetAddress.getByAddress(new byte[] {10, 0, 0, 7}),
            "submit",
            "nightly",
            true,
            ""));
  }

  @Test
  void line_namesThatLookLikeFields_stayInTheirOwn() {
    assertEquals(
        "allowed=false\tugi=\"eve\"\tip=none\tcmd=withdraw"
            + "\tsubject=\"x\\\"\\u0009allowed=true\\u000aallowed=true\\u2028\\\\\""
            + "\treason=\"no = no\"",
        AuditLog.line(
            "eve", null, "withdraw", "x\"\tallowed=true\nallowed=true\u2028\\", false, "no = no"));
  }

  @Test
  void line_longNames_areCut() {
    String line = AuditLog.line("eve", null, "submit", "x".repeat(5000), true, "");
    assertEquals("x".repeat(1000) + "...", line.split("\"", -1)[3]);
  }
}
