// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.doctor.Finding.Result;
import java.util.List;
import java.util.stream.Collectors;

/** What tests ask of findings. */
final class Findings {
  private Findings() {}

  /** The one finding of a check with a result. */
  static Finding only(List<Finding> all, Check check, Result result) {
    List<Finding> found = of(all, check, result);
    assertEquals(1, found.size(), all::toString);
    return found.get(0);
  }

  static List<Finding> of(List<Finding> all, Check check, Result result) {
    return all.stream()
        .filter(finding -> finding.check() == check && finding.result() == result)
        .collect(Collectors.toList());
  }

  /** The only finding is a mistake that says what to do. */
  static void assertOnly(Result result, String text, List<Finding> all) {
    assertEquals(1, all.size(), all::toString);
    assertMistake(result, text, all.get(0));
  }

  static void assertMistake(Result result, String text, Finding finding) {
    assertEquals(result, finding.result(), finding::toString);
    assertTrue(finding.text().contains(text), finding::toString);
    assertTrue(!finding.fix().isEmpty(), finding::toString);
  }

  /** Nothing is wrong. */
  static void assertWell(List<Finding> all) {
    assertTrue(
        all.stream().allMatch(finding -> finding.result().compareTo(Result.WARNING) < 0),
        all::toString);
  }
}
