package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
  void toString_anyNames_areOneFieldAndTellApart(String user, String name, String text) {
    assertEquals(text, new WorkflowId(user, name).toString());
  }

  @Test
  void toString_lineBreak_isNone() {
    assertEquals("a/b%0AHints+taken", new WorkflowId("a", "b\nHints taken").toString());
  }

  @Test
  void constructor_badNames_areRefusedWithTheReason() {
    assertEquals("user: length=0 allowed=1..1024", refusal("", "w"));
    assertEquals("workflow: length=0 allowed=1..256", refusal("u", ""));
    assertEquals("workflow: length=257 allowed=1..256", refusal("u", "w".repeat(257)));
    assertEquals("user: length=1025 allowed=1..1024", refusal("u".repeat(1025), "w"));
    assertEquals("workflow: not well-formed Unicode", refusal("u", "w\uD800"));
    assertEquals(256, new WorkflowId("u", "w".repeat(256)).name().length());
  }

  private static String refusal(String user, String name) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> new WorkflowId(user, name))
            .getMessage());
  }
}
