// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobPlanTest {
  private long now;
  private final JobPlan plan = new JobPlan(() -> now);

  @Test
  void claim_returnsTheFilesInOrder_once() {
    plan.located("/b");
    plan.located("/a");
    plan.located("/b");
    assertEquals(List.of("/b", "/a"), plan.claim());
    assertEquals(List.of(), plan.claim());
  }

  @Test
  void opened_isTrueOnce_forALocatedFile() {
    plan.located("/a");
    assertFalse(plan.opened("/other"));
    assertTrue(plan.opened("/a"));
    assertFalse(plan.opened("/a"));
    plan.located("/b");
    assertEquals(List.of("/b"), plan.unopened());
    assertEquals(List.of("/a", "/b"), plan.claim(), "a client that samples its input");
  }

  @Test
  void unopened_isReturnedAgain_onlyWithAFileMore() {
    plan.located("/a");
    plan.located("/b");
    assertTrue(plan.opened("/a"));
    assertEquals(List.of("/b"), plan.unopened());
    plan.located("/b");
    assertTrue(plan.opened("/b"));
    assertEquals(List.of(), plan.unopened());
    plan.located("/c");
    plan.located("/d");
    assertTrue(plan.opened("/c"));
    assertEquals(List.of("/d"), plan.unopened());
    assertEquals(List.of("/a", "/b", "/c", "/d"), plan.claim());
  }

  @Test
  void oldFiles_areOfNoJob() {
    plan.located("/old");
    now = JobPlan.MAX_AGE_NANOS - 1;
    plan.located("/new");
    now = JobPlan.MAX_AGE_NANOS;
    assertEquals(List.of("/new"), plan.unopened());
    plan.located("/new");
    now = 2 * JobPlan.MAX_AGE_NANOS - 1;
    assertEquals(List.of("/new"), plan.claim());
  }

  @Test
  void furtherFiles_areLeftOut() {
    for (int i = 0; i <= JobPlan.MAX_FILES; i++) {
      plan.located("/" + i);
    }
    List<String> files = plan.claim();
    assertEquals(JobPlan.MAX_FILES, files.size());
    assertEquals("/" + (JobPlan.MAX_FILES - 1), files.get(files.size() - 1));
  }

  /** A process that only lists does not keep later files out for good. */
  @Test
  void filesThatAreOld_makeRoomForOthers() {
    for (int i = 0; i < JobPlan.MAX_FILES; i++) {
      plan.located("/" + i);
    }
    now += JobPlan.MAX_AGE_NANOS;
    plan.located("/new");
    assertTrue(plan.opened("/new"));
  }
}
