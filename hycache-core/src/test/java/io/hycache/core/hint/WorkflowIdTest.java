// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkflowIdTest {
  @Test
  void equals_userAndName_bothCountWhole() {
    WorkflowId id = new WorkflowId("dn/host1@REALM", "nightly");

    assertEquals(id, new WorkflowId("dn/host1@REALM", "nightly"));
    assertEquals(id.hashCode(), new WorkflowId("dn/host1@REALM", "nightly").hashCode());
    assertNotEquals(id, new WorkflowId("dn/host2@REALM", "nightly"));
    assertNotEquals(id, new WorkflowId("dn", "nightly"));
    assertNotEquals(id, new WorkflowId("dn/host1@REALM", "Nightly"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice|nightly|alice/nightly",
        "a/b|c|a%2Fb/c",
        "a|b/c|a/b%2Fc",
        "a|b user=root|a/b+user%3Droot",
        "a%2Fb|c|a%252Fb/c",
        "a|b+c|a/b%2Bc",
      })
  void toString_anyNames_areOneFieldAndDistinct(String user, String name, String text) {
    assertEquals(text, new WorkflowId(user, name).toString());
  }

  @Test
  void toString_lineBreak_isNone() {
    assertEquals("a/b%0AHints+taken", new WorkflowId("a", "b\nHints taken").toString());
  }

  @Test
  void constructor_badNames_areRefusedWithTheReason() {
    assertEquals("user: expected 1 to 1024 characters, found 0", refusal("", "w"));
    assertEquals("workflow: expected 1 to 256 characters, found 0", refusal("u", ""));
    assertEquals(
        "workflow: expected 1 to 256 characters, found 257", refusal("u", "w".repeat(257)));
    assertEquals("user: expected 1 to 1024 characters, found 1025", refusal("u".repeat(1025), "w"));
    assertEquals(
        "workflow: expected well-formed Unicode, found an unpaired surrogate",
        refusal("u", "w\uD800"));
    assertEquals(256, new WorkflowId("u", "w".repeat(256)).name().length());
  }

  @Test
  void cut_endsBetweenCharacters() {
    String pair = "\uD83D\uDE00";
    assertEquals("ab", WorkflowId.cut("ab", 2));
    assertEquals("a", WorkflowId.cut("ab", 1));
    assertEquals("a" + pair, WorkflowId.cut("a" + pair + "b", 3));
    assertEquals("a", WorkflowId.cut("a" + pair + "b", 2));
    assertEquals("", WorkflowId.cut("ab", 0));
    assertFalse(WorkflowId.isName("w\uD800"));
    assertTrue(WorkflowId.isName(pair));
  }

  private static String refusal(String user, String name) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> new WorkflowId(user, name))
            .getMessage());
  }
}
