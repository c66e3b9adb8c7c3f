// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatedPathTest {
  private static final LocalDate DAY = LocalDate.of(2026, 3, 1);

  @ParameterizedTest
  @CsvSource({
    "/logs/2026-02-28/x, -1, /logs/2026-12-31/x",
    "/logs/20260301, 0, /logs/20270101",
    "/logs/2026/03/02/h, 1, /logs/2027/01/02/h",
    "/t/year=2026/month=2/day=28, -1, /t/year=2026/month=12/day=31",
    "/t/year=2026/month=3/day=11, 10, /t/year=2027/month=1/day=11",
    "/t/year=2026/month=03/day=11, 10, /t/year=2027/month=01/day=11",
    "/2026-03-01/year=2026/month=10/day=1, 0 214, /2027-01-01/year=2027/month=8/day=3",
    "/100%/dt=2026-03-01, 0, /100%/dt=2027-01-01"
  })
  void dates_move(String path, String offsets, String later) {
    DatedPath dated = DatedPath.of(path);
    List<Integer> found = dated.offsets(DAY);
    assertEquals("[" + offsets.replace(" ", ", ") + "]", found.toString());
    assertEquals(
        later,
        DatedPath.path(dated.template(), LocalDate.of(2027, 1, 1), found, dated.isUnpadded()));
  }

  @ParameterizedTest
  @CsvSource({"/plain/part", "/v/2026-13-01", "/id/120260301", "/id/9999-01-01", "/a%1b"})
  void otherPaths_stay(String path) {
    DatedPath dated = DatedPath.of(path);
    assertEquals(List.of(), dated.offsets(DAY));
    assertEquals(path, DatedPath.path(dated.template(), DAY, List.of(), false));
  }

  @Test
  void templates_areEqual_whereOnlyDatesDiffer() {
    String one = DatedPath.of("/a/2026-03-01/from-20260228").template();
    assertEquals(one, DatedPath.of("/a/2026-12-05/from-20261204").template());
    assertNotEquals(one, DatedPath.of("/b/2026-03-01/from-20260228").template());
    assertNotEquals(one, DatedPath.of("/a/20260301/from-20260228").template());
  }
}
