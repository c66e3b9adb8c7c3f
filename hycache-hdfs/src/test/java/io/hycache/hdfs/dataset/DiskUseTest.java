// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DiskUseTest {
  private final AtomicLong now = new AtomicLong(TimeUnit.HOURS.toNanos(1));
  private final DiskUse use = new DiskUse(now::get);

  private void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void ended_smallAndSlow_areCounted() {
    long first = use.begun();
    pass(50);
    use.ended(1000, first);
    long second = use.begun();
    pass(51);
    use.ended(1000, second);
    long stream = use.begun();
    pass(5000);
    use.ended(1 << 20, stream);

    assertEquals(2, use.smallReads());
    assertEquals(1, use.slowReads());
  }

  @Test
  void giveWay_nobodyOrAnOldStream_goesOnAtOnce() {
    use.giveWay();
    long begun = use.begun();
    pass(100);
    use.giveWay();
    use.ended(1 << 20, begun);
    use.giveWay();
  }

  @Test
  void giveWay_userHasJustBegun_waitsForItsEnd() throws Exception {
    long begun = use.begun();
    CompletableFuture<Void> moved = new CompletableFuture<>();
    Thread mover =
        new Thread(
            () -> {
              use.giveWay();
              moved.complete(null);
            });
    mover.start();
    while (mover.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(mover.isAlive(), "it did not wait");
      Thread.onSpinWait();
    }
    use.ended(1000, begun);

    moved.get(30, TimeUnit.SECONDS);
  }

  @Test
  void giveWay_userLooksUpChecksums_waitsUntilTheDataShouldBeOpen() {
    DiskUse looked =
        new DiskUse(
            () -> {
              pass(1);
              return now.get();
            });
    looked.lookedUp();
    long begun = now.get();
    looked.giveWay();

    assertEquals(50, TimeUnit.NANOSECONDS.toMillis(now.get() - begun));
  }

  @Test
  void giveWay_usersAlwaysBegin_waitsForAFifthOfASecond() {
    DiskUse[] busy = new DiskUse[1];
    boolean[] beginning = new boolean[1];
    busy[0] =
        new DiskUse(
            () -> {
              pass(1);
              if (!beginning[0]) {
                beginning[0] = true;
                busy[0].begun();
                beginning[0] = false;
              }
              return now.get();
            });
    long begun = now.get();
    busy[0].giveWay();

    long waitedMillis = TimeUnit.NANOSECONDS.toMillis(now.get() - begun);
    assertTrue(waitedMillis > 200 && waitedMillis < 210, "waited for " + waitedMillis + " ms");
  }
}
