// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.LogLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduledElsewhereTest {
  private static final String POOL = "BP-1";

  /** A NameNode that writes down what it is sent. */
  private static final class FakeReports implements ScheduledReports {
    final List<String> sent = new ArrayList<>();
    boolean available = true;
    boolean refuses;

    /** The pool whose NameNode does not accept reports. */
    String refusedPool = "";

    int calls;

    @Override
    public boolean available() {
      return available;
    }

    @Override
    public boolean receivedUnissued(String pool, StorageType type, int times) throws IOException {
      calls++;
      if (refuses || pool.equals(refusedPool)) {
        throw new IOException("the NameNode is away");
      }
      sent.add(type + " x" + times);
      return true;
    }
  }

  private final FakeReports reports = new FakeReports();
  private final Counters counters = new Counters();
  private long freeBytes = 1_000_000;
  private long nowNanos;
  private final ScheduledElsewhere scheduled = above(StorageType.DISK);

  /** With this slow tier. */
  private ScheduledElsewhere above(StorageType slow) {
    return new ScheduledElsewhere(
        reports, slow, () -> freeBytes, counters, e -> {}, () -> nowNanos);
  }

  @AfterEach
  void stop() {
    scheduled.close();
  }

  private static BlockKey block(long id) {
    return new BlockKey(POOL, id);
  }

  private void guest(long id) {
    scheduled.begun(block(id), StorageType.DISK);
    scheduled.finalized(block(id));
  }

  private int owed() {
    return scheduled.owed(POOL, StorageType.DISK);
  }

  @Test
  void round_guests_areReportedOnceEach() {
    guest(1);
    guest(2);
    scheduled.round();
    assertEquals(List.of("DISK x2"), reports.sent);
    assertEquals(0, owed());
    scheduled.round();
    assertEquals(1, reports.sent.size());
    assertEquals(2, counters.get(Counter.SCHEDULED_SETTLED));
  }

  @Test
  void round_moreThanFitInAReport_areSplit() {
    for (int i = 0; i < ScheduledElsewhere.MAX_PER_REPORT + 5; i++) {
      guest(100 + i);
    }
    scheduled.round();
    assertEquals(List.of("DISK x1000", "DISK x5"), reports.sent);
  }

  @Test
  void round_nameNodeAway_isTriedAgainWithPauses_andForgottenInTheEnd() {
    guest(1);
    reports.refuses = true;
    for (int second = 0; second < 60; second++) {
      scheduled.round();
      nowNanos += TimeUnit.SECONDS.toNanos(1);
    }
    assertEquals(6, reports.calls, "after 0, 1, 3, 7, 15 and 31 seconds");
    assertEquals(1, owed());
    nowNanos += TimeUnit.MINUTES.toNanos(1);
    reports.refuses = false;
    scheduled.round();
    assertEquals(0, owed());
    guest(2);
    nowNanos += ScheduledCredits.EXPIRY_NANOS + 1;
    scheduled.round();
    assertEquals(0, owed());
    assertEquals(1, reports.sent.size());
  }

  @Test
  void round_nameNodeOfOnePoolAway_theOtherPoolIsSettled() {
    BlockKey other = new BlockKey("BP-2", 1);
    reports.refusedPool = POOL;
    guest(1);
    for (int i = 0; i < 3; i++) {
      scheduled.begun(other, StorageType.DISK);
      scheduled.finalized(other);
      scheduled.round();
      assertEquals(0, scheduled.owed("BP-2", StorageType.DISK));
    }
    assertEquals(1, owed());
    assertEquals(4, reports.calls, "one of the pool whose NameNode is away");
  }

  @Test
  void round_nameNodeAwayForADay_isAFewLinesWithoutStackTraces() {
    LogLines log = new LogLines(ScheduledElsewhere.class.getName());
    try {
      reports.refuses = true;
      for (int second = 0; second < 86_400; second++) {
        if (second % 60 == 0) {
          guest(second);
        }
        scheduled.round();
        nowNanos += TimeUnit.SECONDS.toNanos(1);
      }
      assertTrue(reports.calls > 1000, "calls=" + reports.calls);
      assertTrue(log.lines().size() <= 33, () -> String.join("\n", log.lines()));
      assertTrue(log.lines().get(0).contains("cause=java.io.IOException: the NameNode is away"));
    } finally {
      log.close();
    }
  }

  @Test
  void owed_notFinalizedDeletedOrTwiceFinalized_countsWhatPlainHdfsClears() {
    scheduled.begun(block(1), StorageType.DISK);
    assertEquals(0, owed(), "being written: so it would be with plain HDFS");
    scheduled.gone(block(1));
    scheduled.finalized(block(1));
    assertEquals(0, owed());
    guest(2);
    scheduled.finalized(block(2));
    scheduled.gone(block(2));
    assertEquals(1, owed());
    scheduled.begun(block(3), StorageType.SSD);
    scheduled.finalized(block(3));
    assertEquals(1, scheduled.owed(POOL, StorageType.SSD));
    assertEquals(0, scheduled.owed("BP-2", StorageType.DISK));
  }

  @Test
  void holdsBack_halfOfWhatDiskHasFreeIsOwed_untilItIsSettled() {
    reports.available = false;
    freeBytes = 1000;
    assertFalse(scheduled.holdsBack(POOL, 100), "nothing is known yet");
    for (int i = 0; i < 4; i++) {
      guest(i);
    }
    scheduled.round();
    assertFalse(scheduled.holdsBack(POOL, 100));
    guest(5);
    assertTrue(scheduled.holdsBack(POOL, 100));
    assertFalse(scheduled.holdsBack("BP-2", 100));
    reports.available = true;
    scheduled.round();
    assertFalse(scheduled.holdsBack(POOL, 100));
  }

  @ParameterizedTest
  @EnumSource(names = {"ARCHIVE", "SSD"})
  void holdsBack_slowTierIsNotDisk_countsWhatIsOwedThere(StorageType slow) {
    reports.available = false;
    freeBytes = 1000;
    try (ScheduledElsewhere other = above(slow)) {
      for (int i = 0; i < 5; i++) {
        other.begun(block(i), slow);
        other.finalized(block(i));
      }
      other.round();
      assertTrue(other.holdsBack(POOL, 100));
    }
  }
}
