// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UniqueNamesTest {
  private final UniqueNames names = new UniqueNames();

  @Test
  void equalNames_getNumbers() {
    assertEquals(
        List.of("a", "a-3", "a-2", "b", "a-4", "a-2-2", "a-3-2"),
        Stream.of("a", "a-3", "a", "b", "a", "a-2", "a-3")
            .map(names::of)
            .collect(Collectors.toList()));
  }

  @Test
  void manyEqualNames_areNotTriedAgainFromTheFirstNumber() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          String last = "";
          for (int i = 0; i < 200_000; i++) {
            last = names.of("a");
          }
          assertEquals("a-200000", last);
        });
  }
}
