// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.move.DeviceLoad.Work;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeviceLoadTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long BLOCK = 64L << 20;
  private static final long MB = 1_000_000;

  private final DeviceLoad ssd = new DeviceLoad(400e6, false);
  private final DeviceLoad hdd = new DeviceLoad(120e6, true);
  private long now;
  private long ssdBytes;
  private long ssdRequests;
  private long ssdWaited;
  private long ssdBusy;
  private long hddBytes;
  private long hddBusy;

  DeviceLoadTest() {
    ssd.sample(new Work(0, 0, 0, 0, 0), 0);
    hdd.sample(new Work(0, 0, 0, 0, 0), 0);
  }

  /** A second in which the SSD transfers so many bytes, each request of 1 MB taking so long. */
  private void second(long bytes, long waitMillis, double busy) {
    now += SECOND;
    ssdBytes += bytes;
    ssdRequests += bytes / MB;
    ssdWaited += bytes / MB * waitMillis;
    ssdBusy += (long) (1000 * busy);
    ssd.sample(new Work(ssdBytes, 0, ssdRequests, ssdWaited, ssdBusy), now);
  }

  private void begin(DeviceLoad load, int streams) {
    for (int i = 0; i < streams; i++) {
      load.begun();
    }
  }

  /** Whether the other device would have served one more stream of a block sooner. */
  private static boolean isSlower(DeviceLoad one, DeviceLoad other) {
    return one.secondsFor(BLOCK) > other.secondsFor(BLOCK);
  }

  @Test
  void idle_fasterOneIsPreferred() {
    assertTrue(isSlower(hdd, ssd));
    assertFalse(isSlower(ssd, hdd));
  }

  @Test
  void streamsThatJustBegan_shareTheSpeed() {
    assertEquals(BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
    begin(ssd, 2);
    assertEquals(3 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
    assertFalse(isSlower(ssd, hdd), "3 / 400 against 1 / 120 is 0.9");
    begin(ssd, 1);
    assertTrue(isSlower(ssd, hdd));
    ssd.ended();
    assertFalse(isSlower(ssd, hdd));
  }

  @Test
  void slowClients_ofAnIdleDevice_doNotCount() {
    begin(ssd, 50);
    for (int i = 0; i < 10; i++) {
      second(50 * MB, 1, 0.2);
    }
    assertEquals(50, ssd.streams());
    assertEquals(0.125, ssd.use(), 0.01);
    assertFalse(isSlower(ssd, hdd));
    assertEquals(BLOCK / (400e6 * 0.875), ssd.secondsFor(BLOCK), 0.01);
  }

  /** The first samples after they began do not show yet that the device is saturated. */
  @Test
  void streamsThatBeganWithinASecond_count_howeverManySamplesWereTaken() {
    begin(ssd, 8);
    long quarter = SECOND / 4;
    for (int i = 1; i <= 3; i++) {
      ssd.sample(new Work(25 * MB * i, 0, i, i, 0), SECOND + i * quarter);
      assertEquals(0.25, ssd.use(), 0.25);
      assertTrue(ssd.secondsFor(BLOCK) >= 9 * BLOCK / 400e6, "sample " + i);
    }
    for (int i = 4; i <= 12; i++) {
      ssd.sample(new Work(25 * MB * i, 0, i, i, 0), SECOND + i * quarter);
    }
    assertTrue(ssd.secondsFor(BLOCK) < 3 * BLOCK / 400e6, "slow clients");
  }

  @Test
  void saturated_allStreamsCount() {
    begin(ssd, 8);
    for (int i = 0; i < 10; i++) {
      second(390 * MB, 5, 1);
    }
    assertTrue(ssd.use() > 0.9);
    assertEquals(9 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
    assertTrue(isSlower(ssd, hdd));
  }

  @Test
  void saturatedBySomethingElse_countsAsOneStream() {
    for (int i = 0; i < 10; i++) {
      second(390 * MB, 5, 1);
    }
    assertEquals(2 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
  }

  @Test
  void saturatedByStreamsThatHaveEnded_isFreeAtOnce() {
    begin(ssd, 8);
    for (int i = 0; i < 10; i++) {
      second(390 * MB, 5, 1);
    }
    for (int i = 0; i < 7; i++) {
      ssd.ended();
    }
    assertEquals(2 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
    assertEquals(BLOCK / 400e6, ssd.secondsForRest(BLOCK), 1e-9, "of the last stream itself");
    ssd.ended();
    assertEquals(BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
    second(390 * MB, 5, 1);
    assertEquals(BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9, "they ended in this second");
    second(390 * MB, 5, 1);
    assertEquals(2 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9, "by something else");
  }

  @Test
  void saturatedByWritesThatThePageCacheHolds_isNotFreeWhenTheirStreamsEnd() {
    begin(ssd, 1);
    ssd.wrote(4000 * MB);
    for (int i = 0; i < 5; i++) {
      second(390 * MB, 5, 1);
    }
    ssd.ended(4000 * MB);
    assertEquals(2 * BLOCK / 400e6, ssd.secondsFor(BLOCK), 1e-9);
  }

  @Test
  void fasterThanThought_speedRises() {
    second(500 * MB, 5, 1);
    second(500 * MB, 5, 1);
    assertEquals(500e6, ssd.bytesPerSecond(), 1);
  }

  /** A cache of the device, or a kernel that lets it catch up, is fast for a moment only. */
  @Test
  void fasterForAMoment_speedStays() {
    for (int i = 0; i < 10; i++) {
      second(700 * MB, 5, 1);
      for (int rest = 0; rest < 2; rest++) {
        second(40 * MB, 5, 1);
      }
    }
    assertEquals(400e6, ssd.bytesPerSecond(), 1);
    assertTrue(ssd.use() <= 1, "use " + ssd.use());
  }

  /** A read and a write at a time, each as fast as one alone. */
  @Test
  void readsAndWrites_areNotAddedUp() {
    for (int i = 1; i <= 10; i++) {
      hdd.sample(new Work(120 * MB * i, 110 * MB * i, 230L * i, 230L * i, 900L * i), i * SECOND);
    }
    assertEquals(120 * MB, hdd.bytesPerSecond(), 1);
    assertEquals(1, hdd.use(), 0.01);
  }

  @Test
  void overloaded_speedFalls_andRecoversWhenIdle() {
    for (int i = 0; i < 20; i++) {
      second(50 * MB, 100, 1);
    }
    assertTrue(ssd.bytesPerSecond() < 60e6, "speed " + ssd.bytesPerSecond());
    assertTrue(ssd.use() > 0.9);
    for (int i = 0; i < 60; i++) {
      second(0, 0, 0);
    }
    assertTrue(ssd.bytesPerSecond() > 350e6, "speed " + ssd.bytesPerSecond());
    assertEquals(0, ssd.use(), 1e-6);
  }

  /** Many requests at a time are served at once: a busy SSD is not an overloaded one. */
  @Test
  void fastDeviceBusyWithoutWaits_keepsItsSpeed() {
    for (int i = 0; i < 20; i++) {
      second(50 * MB, 1, 1);
    }
    assertEquals(400e6, ssd.bytesPerSecond(), 1);
    assertEquals(0.125, ssd.use(), 0.01);
  }

  /** Random reads: few bytes, but the head has no time left. */
  @Test
  void oneHeadBusyWithSmallReads_isUsed() {
    for (int i = 1; i <= 20; i++) {
      hddBytes += MB;
      hddBusy += 1000;
      hdd.sample(new Work(0, hddBytes, 170L * i, 1000L * i, hddBusy), i * SECOND);
    }
    assertTrue(hdd.use() > 0.9);
    assertTrue(hdd.bytesPerSecond() < 10e6, "speed " + hdd.bytesPerSecond());
  }

  /** The kernel counts it as busy once a request is completed. */
  @Test
  void hangs_isBusyAndSlow_untilARequestIsCompleted() {
    for (DeviceLoad load : List.of(hdd, ssd)) {
      Work idle = new Work(0, 0, 10, 10, 10);
      load.sample(idle, SECOND);
      load.sample(idle.withInFlight(1), 2 * SECOND);
      assertEquals(0, load.use(), 0.01, "a request that has just begun");
      assertFalse(load.hangs());
      double before = load.secondsFor(BLOCK);
      for (int i = 3; i <= 10; i++) {
        load.sample(idle.withInFlight(2), i * SECOND);
      }
      assertTrue(load.hangs());
      assertTrue(load.use() > 0.9, "use " + load.use());
      assertTrue(load.secondsFor(BLOCK) > 8 * before, load.secondsFor(BLOCK) + " s");
      assertTrue(load.secondsToWrite(BLOCK) > 8 * before, load.secondsToWrite(BLOCK) + " s");
      for (int i = 11; i <= 100; i++) {
        load.sample(new Work(0, 0, 10 + i, 10, 10).withInFlight(1), i * SECOND);
      }
      assertEquals(before, load.secondsFor(BLOCK), 0.1);
      assertFalse(load.hangs());
    }
  }

  @Test
  void hangs_writesStayPending() {
    writeWhole(300 * MB);
    for (int i = 1; i <= 10; i++) {
      hdd.sample(new Work(0, 0, 0, 0, 0).withInFlight(1), i * SECOND);
    }
    assertEquals(300 * MB, hdd.pendingBytes());
  }

  @Test
  void samplesThatFollowTooSoon_areIgnored() {
    ssd.sample(new Work(100 * MB, 0, 100, 0, 1), TimeUnit.MILLISECONDS.toNanos(10));
    assertEquals(0, ssd.use());
    second(100 * MB, 0, 0);
    assertEquals(0.125, ssd.use(), 1e-6);
  }

  /** A second in which the HDD writes so many bytes, busy all the time if there are any. */
  private void hddWrites(long bytes) {
    now += SECOND;
    hddBytes += bytes;
    hddBusy += bytes > 0 ? 1000 : 0;
    hdd.sample(new Work(0, hddBytes, hddBytes / MB, hddBytes / MB, hddBusy), now);
  }

  private void writeWhole(long bytes) {
    hdd.begun();
    hdd.wrote(bytes);
    hdd.ended(bytes);
  }

  @Test
  void writtenToThePageCache_isPendingUntilTheDeviceHasWrittenIt() {
    writeWhole(280 * MB);
    hddWrites(0);
    assertEquals(280 * MB, hdd.pendingBytes());
    assertEquals(BLOCK / 120e6, hdd.secondsFor(BLOCK), 1e-9, "a read does not wait for it");
    hddWrites(110 * MB);
    hddWrites(110 * MB);
    assertEquals(60 * MB, hdd.pendingBytes());
    assertEquals((60e6 + BLOCK) / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6);
    hddWrites(110 * MB);
    assertEquals(0, hdd.pendingBytes());
  }

  /** What is in the page cache of a stream is not what the stream has still to write. */
  @Test
  void openWrite_countsOnce() {
    hdd.begun();
    for (int i = 0; i < 4; i++) {
      hdd.wrote(15 * MB);
      hddWrites(12 * MB);
    }
    assertTrue(hdd.use() > 0.9);
    assertEquals(12 * MB, hdd.pendingBytes());
    double left = BLOCK - 60e6; // twice: both wait for the other
    assertEquals((12e6 + 2 * left + BLOCK) / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6);
    hdd.ended(60 * MB);
    assertEquals(0, hdd.streams());
    assertEquals((12e6 + BLOCK) / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6);
    hdd.begun();
    assertEquals((12e6 + 3 * BLOCK) / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6);
  }

  @Test
  void saturatedByWhatIsPending_noOtherStream() {
    writeWhole(400 * MB);
    for (int i = 0; i < 3; i++) {
      hddWrites(110 * MB);
    }
    assertTrue(hdd.use() > 0.8);
    assertEquals((70e6 + BLOCK) / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6);
    assertEquals(2, hdd.slowdown(), 1e-9, "a read shares the device with it");
    for (int i = 0; i < 3; i++) {
      hddWrites(110 * MB);
    }
    assertEquals(3 * BLOCK / hdd.bytesPerSecond(), hdd.secondsToWrite(BLOCK), 1e-6, "others write");
  }

  /** A file that is deleted before it is written. */
  @Test
  void writtenNever_isNotPendingForEver() {
    writeWhole(300 * MB);
    hddWrites(110 * MB);
    hddWrites(MB); // a journal
    assertEquals(189 * MB, hdd.pendingBytes());
    hddWrites(MB);
    assertEquals(189e6 - hdd.bytesPerSecond(), (double) hdd.pendingBytes(), 1e6);
    hddWrites(0);
    hddWrites(0);
    assertEquals(0, hdd.pendingBytes());
  }

  @Test
  void measured_replacesWhatIsUsual() {
    ssd.measured(50e6);
    assertEquals(BLOCK / 50e6, ssd.secondsFor(BLOCK), 1e-6);
    second(20 * MB, 1, 0.5);
    assertEquals(50e6, ssd.bytesPerSecond(), 1);
  }

  @Test
  void measured_severalTimes_medianCounts_ofTwoTheHigher() {
    ssd.measured(132e6); // the machine was busy
    ssd.measured(500e6);
    assertEquals(500e6, ssd.bytesPerSecond());
    ssd.measured(650e6); // a burst
    assertEquals(500e6, ssd.bytesPerSecond());
  }

  @Test
  void measured_lessThanTheDeviceSustained_whatItSustainedCounts() {
    ssd.measured(20e6);
    for (int i = 0; i < 4; i++) {
      second(50 * MB, 1, 1);
    }
    assertEquals(50e6, ssd.bytesPerSecond(), 5e6);
    ssd.measured(30e6);
    assertEquals(50e6, ssd.bytesPerSecond(), 5e6);
  }
}
