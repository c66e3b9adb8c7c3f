// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedPlace;
import io.hycache.hdfs.SampleStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SampleAnswers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read of mode observe. */
class ObservedTextTest {
  private static final Instant NOW = Instant.parse("2026-11-26T20:15:00Z");

  private static BlockStatus status() {
    return new BlockStatus(
        new BlockKey("BP-1", 1), "DISK", false, false, false, 0, 3, Reason.OBSERVE_ONLY, null);
  }

  private static String why(BlockStatus status) {
    return ObservedText.why(status, NOW, ZoneOffset.UTC);
  }

  @Test
  void why_saysWhereItWouldBe() {
    assertEquals(Reason.OBSERVE_ONLY.text(), why(status()));
    assertEquals(
        "would be on SSD since 2026-11-26 19:13:59, because a clean copy is on SSD",
        why(status().withObserved(new ObservedPlace("SSD", 3_661_000, Reason.ON_SSD_CLEAN), null)));
    assertEquals(
        "would be on DISK: " + Reason.TOO_LARGE.text(),
        why(status().withObserved(new ObservedPlace("DISK", 0, Reason.TOO_LARGE), null)));
  }

  @Test
  void days_areSummedOverDataNodes() {
    NodeAnswer<NodeStatus> one = SampleAnswers.answered("dn1:9866", SampleStatus.passThrough());
    String single = ObservedText.days(List.of(one)).toString();
    String twice = ObservedText.days(List.of(one, one)).toString();
    assertEquals(3, single.lines().count());
    assertTrue(single.lines().allMatch(line -> line.length() <= 80), single);
    assertTrue(single.contains("11-26  160/2.4 GiB"), single);
    assertTrue(twice.contains("11-26  320/4.8 GiB"), twice);
    assertTrue(
        ObservedText.days(List.of(SampleAnswers.answered("dn2:9866", SampleStatus.stalled())))
            .isEmpty());
  }
}
