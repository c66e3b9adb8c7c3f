// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLineTest {
  private static final String TIME = "2026-11-26 03:01:03,123 INFO FSNamesystem.audit: ";

  private static AuditLine line(String fields) {
    return requireNonNull(AuditLine.of(TIME + fields), fields);
  }

  private static AuditLine rename(String source, String target) {
    return line(
        "allowed=true\tugi=al@REALM (auth:KERBEROS)\tip=/10.0.0.1\tcmd=rename (options=[OVERWRITE])"
            + "\tsrc="
            + source
            + "\tdst="
            + target
            + "\tperm=al:users:rw-r--r--\tproto=rpc"
            + "\tcallerContext=mr_attempt_17_0042_m_000001_0,clientIp:10.0.0.1");
  }

  @Test
  void fields_areThoseOfTheNameNode() {
    AuditLine line = rename("/in/a b", "/out");
    assertEquals(1_795_662_063_123L, line.timeMillis());
    assertTrue(line.isAllowed());
    assertEquals("al", line.user());
    assertEquals("rename", line.command());
    assertTrue(line.hasOptions());
    assertEquals("/in/a b", line.source());
    assertEquals("/out", line.target());
    assertEquals("job_17_0042", line.job());
    assertTrue(line.isMapReduce());
    assertFalse(line.isLookUp());
  }

  @Test
  void lineOfAnOlderVersion_endsWhereverItDoes() {
    AuditLine line =
        line("allowed=false\tugi=bo via hive/h@R (auth:PROXY)\tip=/1\tcmd=open\tsrc=/a\tdst=null");
    assertFalse(line.isAllowed());
    assertEquals("bo", line.user());
    assertEquals("open", line.command());
    assertFalse(line.hasOptions());
    assertEquals("/a", line.source());
    assertEquals("null", line.target());
    assertNull(line.job());
    assertFalse(line.isMapReduce());
    assertNull(line("allowed=true\tcmd=open\tsrc=/a\tdst=null").user());
    assertNull(line("allowed=true\tugi=\tcmd=open\tsrc=/a\tdst=null").user());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "allowed=true\tugi=al\tip=/1\tcmd=open\tsrc=/a",
        "allowed=true\tugi=al\tip=/1\tsrc=/a\tdst=null",
        "ugi=al\tip=/1\tcmd=open\tsrc=/a\tdst=null"
      })
  void lineOfAnotherKind_isNone(String fields) {
    assertNull(AuditLine.of(TIME + fields));
    assertNull(AuditLine.of(fields), "without a time");
  }

  @Test
  void pathThatLooksLikeFields_isAPath() {
    String path =
        "/a allowed=false ugi=root ip=/1 cmd=open src=/etc/secret dst=null callerContext=x";
    AuditLine line = rename(path, path);
    assertTrue(line.isAllowed());
    assertEquals("al", line.user());
    assertEquals("rename", line.command());
    assertEquals(path, line.source());
    assertEquals(path, line.target());
    assertEquals("job_17_0042", line.job());
  }

  /**
   * As {@code StringEscapeUtils.escapeJava} writes them, in versions that escape the slash, too.
   */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/city=M\\u00FCnchen, /city=M\u00fcnchen",
        "/\\uD83D\\uDE00/x, /\ud83d\ude00/x",
        "/a\\\"b\\\\u00FC\\/c, /a\"b\\u00FC/c",
        "/\\t\\n\\r\\b\\f, `/\t\n\r\b\f`",
        "/a\\xb\\u00Gc\\u12, /a\\xb\\u00Gc\\u12",
        "/end\\, /end\\",
        "/plain, /plain"
      })
  void escapesOfPaths_areUndone(String logged, String path) {
    AuditLine line = rename(logged, logged);
    assertEquals(path, line.source());
    assertEquals(path, line.target());
  }

  /** A path of 8000 characters, the most that HDFS allows. */
  @Test
  void longestPathOfSuchWords_takesNoMoreThanAnother() {
    String path = "/" + "allowed=a/ cmd=b/".repeat(470);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 200; i++) {
            AuditLine line = rename(path, "null");
            assertEquals("rename", line.command());
            assertEquals(path, line.source());
          }
        });
  }
}
