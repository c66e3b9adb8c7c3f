// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.hycache.core.model.BlockKey;
import io.hycache.core.move.DeviceLoad;
import io.hycache.hdfs.dataset.DeviceLoads.Kind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadBalanceTest {
  private static final long BLOCK = 64L << 20;
  private static final File SSD = new File("/ssd");

  @TempDir Path dir;
  private final AtomicLong now = new AtomicLong();

  private static BlockKey block(long id) {
    return new BlockKey("pool", id);
  }

  private static File disk(int i) {
    return new File("/disk" + i);
  }

  private Path counts(long fileSystem) {
    Path file = dir.resolve("stat" + fileSystem);
    try {
      Files.writeString(file, "0 0 0 0 0 0 0 0 0 0 0");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return file;
  }

  /** An SSD of 50 MB/s, and DISK volumes of 12 MB/s each; measured. */
  private DeviceLoads loads(int disks) throws Exception {
    CountDownLatch measured = new CountDownLatch(disks + 1);
    DeviceLoads loads =
        measuredBy(
            (root, counts) -> {
              measured.countDown();
              return root.equals(SSD) ? 50e6 : 12e6;
            });
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    for (int i = 0; i < disks; i++) {
      loads.add(disk(i), Kind.DISK_VOLUME, 2 + i);
    }
    loads.sample();
    assertTrue(measured.await(10, TimeUnit.SECONDS));
    for (long waited = 0; loads.isMeasuring(); waited++) {
      assertTrue(waited < 10_000);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return loads;
  }

  private DeviceLoads measuredBy(DeviceLoads.Measure measure) {
    return new DeviceLoads(true, this::counts, measure, now::get);
  }

  /** Each device is measured at once, and is noted before. */
  private DeviceLoads measured(Queue<File> asked) {
    return measuredBy(
        (root, counts) -> {
          asked.add(root);
          return 50e6;
        });
  }

  private static boolean isDiskSoonerToWrite(LoadBalance balance, long bytes) {
    return balance.soonestToWrite(bytes, List.of(0)) > 0;
  }

  @Test
  void writesThatBeginTogether_shareAsTheSpeedsAre() throws Exception {
    DeviceLoads loads = loads(8);
    LoadBalance balance = new LoadBalance(loads);
    int onSsd = 0;
    int writes = 48;
    for (int i = 0; i < writes; i++) {
      if (isDiskSoonerToWrite(balance, BLOCK)) {
        int least = 0;
        for (int d = 1; d < 8; d++) {
          double slowdown = balance.slowdown(disk(d));
          least = slowdown < balance.slowdown(disk(least)) ? d : least;
        }
        loads.writeBegun(block(i), disk(least), () -> 0);
      } else {
        loads.writeBegun(block(i), SSD, () -> 0);
        onSsd++;
      }
      balance.opened();
    }
    // 50 of 146 MB/s are the SSD's: 16 of 48; it is preferred by a quarter.
    assertTrue(onSsd >= 16 && onSsd <= 21, "on SSD: " + onSsd);
    for (int i = 0; i < writes; i++) {
      loads.ended(block(i));
    }
    assertEquals(0, loads.ssds(0).get(0).streams());
    loads.disks().forEach(load -> assertEquals(0, load.streams()));
  }

  /** One after the other, each in the page cache before the next begins. */
  private static int onSsd(DeviceLoads loads, int writes) {
    LoadBalance balance = new LoadBalance(loads);
    int onSsd = 0;
    int disks = loads.disks().size();
    for (int i = 0; i < writes; i++) {
      if (isDiskSoonerToWrite(balance, BLOCK)) {
        loads.writeBegun(block(i), disk((i - onSsd) % disks), () -> BLOCK);
      } else {
        loads.writeBegun(block(i), SSD, () -> BLOCK);
        onSsd++;
      }
      balance.opened();
      loads.ended(block(i));
    }
    return onSsd;
  }

  @Test
  void writesThatThePageCacheHolds_manyDisks_shareAsTheSpeedsAre() throws Exception {
    // 50 of 194 MB/s are the SSD's: 12.4 of 48.
    int onSsd = onSsd(loads(12), 48);
    assertTrue(onSsd >= 11 && onSsd <= 16, "on SSD: " + onSsd);
  }

  @Test
  void writesThatThePageCacheHolds_oneDisk_allOnSsd() throws Exception {
    DeviceLoads loads = loads(1);
    assertEquals(48, onSsd(loads, 48));
    assertEquals(48 * BLOCK, loads.ssds(0).get(0).pendingBytes());
    assertEquals(1, new LoadBalance(loads).slowdown(SSD), 1e-9);
  }

  @Test
  void write_actualBytesArePending_fromEachSampleOn() throws Exception {
    DeviceLoads loads = loads(12);
    DeviceLoad ssd = loads.ssds(0).get(0);
    AtomicLong written = new AtomicLong();
    LoadBalance balance = new LoadBalance(loads);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK));
    loads.writeBegun(block(1), SSD, written::get);
    balance.opened();
    written.set(1000);
    assertEquals(0, ssd.pendingBytes());
    loads.sample();
    assertEquals(1000, ssd.pendingBytes());
    written.set(3000);
    loads.ended(block(1));
    loads.ended(block(1));
    assertEquals(3000, ssd.pendingBytes());
    written.set(9000);
    loads.sample();
    assertEquals(3000, ssd.pendingBytes());
    assertEquals(0, ssd.streams());
  }

  @Test
  void disksOfPendingBytes_areSlower() throws Exception {
    DeviceLoads loads = loads(2);
    LoadBalance balance = new LoadBalance(loads);
    loads.writeBegun(block(1), disk(0), () -> BLOCK);
    loads.ended(block(1));
    assertEquals(2, balance.slowdown(disk(0)), 1e-9);
    assertEquals(1, balance.slowdown(disk(1)), 1e-9);
  }

  @Test
  void oneWriterOrReader_usesTheSsd() throws Exception {
    DeviceLoads loads = loads(12);
    LoadBalance balance = new LoadBalance(loads);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK));
    balance.opened();
    assertFalse(balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(0)));
    assertEquals(1, loads.ssds(0).get(0).streams());
    balance.opened();
    assertEquals(0, loads.ssds(0).get(0).streams());
  }

  @Test
  void reads_largeOnesOfABusySsd_goToDisk_smallOnesStay() throws Exception {
    DeviceLoads loads = loads(8);
    LoadBalance balance = new LoadBalance(loads);
    for (int i = 0; i < 10; i++) {
      assertNotNull(loads.begun(SSD));
    }
    assertTrue(balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(0)));
    assertFalse(balance.isDiskSoonerToRead(block(1), 1 << 16, SSD, disk(0)), "the end of a block");
    for (int i = 0; i < 4; i++) {
      balance.read(block(1), 4096);
    }
    assertFalse(
        balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(0)), "is read in small parts");
    for (int i = 0; i < 20; i++) {
      balance.read(block(1), BLOCK);
    }
    assertTrue(balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(0)), "is read as a whole");
  }

  /** Threads that decide at the same time must not all choose the device that is idle still. */
  @Test
  void choicesCount_beforeAFileIsOpen() throws Exception {
    DeviceLoads loads = loads(8);
    LoadBalance balance = new LoadBalance(loads);
    int onSsd = 0;
    for (int i = 0; i < 24; i++) {
      boolean[] onDisk = new boolean[1];
      Thread writer = new Thread(() -> onDisk[0] = isDiskSoonerToWrite(balance, BLOCK));
      writer.start();
      writer.join();
      onSsd += onDisk[0] ? 0 : 1;
    }
    assertTrue(onSsd >= 5 && onSsd <= 14, "on SSD: " + onSsd);
    int streams = loads.ssds(0).get(0).streams();
    assertEquals(onSsd, streams);
    for (DeviceLoad disk : loads.disks()) {
      streams += disk.streams();
    }
    assertEquals(24, streams);
  }

  /** The volume choosing policy sees the devices without the write for which it chooses. */
  @Test
  void chosenVolume_countsInPlaceOfTheOneThatWasSoonest() throws Exception {
    DeviceLoads loads = loads(2);
    LoadBalance balance = new LoadBalance(loads);
    for (int i = 0; i < 10; i++) {
      assertNotNull(loads.begun(SSD));
    }
    balance.chosen(disk(0));
    assertEquals(0, loads.disks().get(0).streams() + loads.disks().get(1).streams(), "no write");
    assertTrue(isDiskSoonerToWrite(balance, BLOCK));
    assertEquals(1, balance.slowdown(disk(0)), 1e-9);
    assertEquals(1, balance.slowdown(disk(1)), 1e-9);
    for (int i = 0; i < 2; i++) {
      balance.chosen(disk(i));
      assertEquals(1, balance.slowdown(disk(i)), 1e-9);
      DeviceLoad chosen = loads.of(disk(i));
      DeviceLoad other = loads.of(disk(1 - i));
      assertNotNull(chosen);
      assertNotNull(other);
      assertEquals(1, chosen.streams());
      assertEquals(0, other.streams());
    }
    balance.opened();
    assertEquals(0, loads.disks().get(0).streams() + loads.disks().get(1).streams());
  }

  @Test
  void volumesOfOneFileSystem_areNotBalanced() throws Exception {
    DeviceLoads loads = loads(1);
    loads.add(disk(1), Kind.DISK_VOLUME, 1);
    LoadBalance balance = new LoadBalance(loads);
    assertSame(loads.of(SSD), loads.of(disk(1)));
    for (int i = 0; i < 100; i++) {
      assertNotNull(loads.begun(SSD));
    }
    assertFalse(balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(1)));
  }

  @Test
  void cacheDirectory_servesReadsOnly() throws Exception {
    DeviceLoads loads = loads(1);
    File cache = new File("/cache");
    loads.add(cache, Kind.CACHE_DIRECTORY, 9);
    assertEquals(1, loads.ssds(0).size());
    LoadBalance balance = new LoadBalance(loads);
    for (int i = 0; i < 20; i++) {
      assertNotNull(loads.begun(SSD));
    }
    assertTrue(isDiskSoonerToWrite(balance, BLOCK), "a cache directory takes no replicas");
    assertFalse(balance.isDiskSoonerToRead(block(2), BLOCK, cache, disk(0)));
    balance.opened();
  }

  @Test
  void unknown_isNotBalanced() {
    DeviceLoads loads = new DeviceLoads(true, number -> null, (root, counts) -> 0, now::get);
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.add(disk(0), Kind.DISK_VOLUME, 0);
    assertNull(loads.of(SSD));
    LoadBalance balance = new LoadBalance(loads);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK));
    assertFalse(balance.isDiskSoonerToRead(block(1), BLOCK, SSD, disk(0)));
    assertEquals(0, balance.slowdown(SSD));
    loads.writeBegun(block(1), SSD, () -> 0);
    loads.ended(block(1));
  }

  @Test
  void disabled_nothingIsKnown() {
    DeviceLoads loads = new DeviceLoads(false, this::counts, (root, counts) -> 0, now::get);
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    assertNull(loads.of(SSD));
  }

  @Test
  void writeThatStaysOpen_isNoLongerCounted() throws Exception {
    DeviceLoads loads = loads(1);
    loads.writeBegun(block(1), SSD, () -> 0);
    now.addAndGet(TimeUnit.SECONDS.toNanos(61));
    loads.writeBegun(block(2), SSD, () -> 0);
    loads.sample();
    DeviceLoad ssd = loads.ssds(0).get(0);
    assertEquals(1, ssd.streams());
    loads.ended(block(1));
    assertEquals(1, ssd.streams());
    loads.ended(block(2));
    assertEquals(0, ssd.streams());
  }

  @Test
  void removedVolumes_areForgotten() throws Exception {
    DeviceLoads loads = loads(2);
    loads.retain(Set.of(SSD.getPath(), disk(1).getPath()));
    assertNull(loads.of(disk(0)));
    assertEquals(1, loads.disks().size());
  }

  private static void streams(DeviceLoads loads, File volume, int count) {
    for (int i = 0; i < count; i++) {
      assertNotNull(loads.begun(volume));
    }
  }

  private static void available(DeviceLoads loads, int disk, long bytes) {
    loads.add(disk(disk), Kind.DISK_VOLUME, 1, 2 + disk, bytes);
  }

  @Test
  void fullDisk_isIdle_theBusyOnesAreComparedWithTheSsd() throws Exception {
    DeviceLoads loads = loads(3);
    LoadBalance balance = new LoadBalance(loads);
    streams(loads, SSD, 20);
    streams(loads, disk(0), 30);
    streams(loads, disk(1), 30);
    available(loads, 2, BLOCK - 1);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK), "HDFS would write it to a busy one");
    balance.opened();
    assertEquals(3, loads.diskCount());
    available(loads, 2, BLOCK);
    assertTrue(isDiskSoonerToWrite(balance, BLOCK));
    balance.opened();
  }

  @Test
  void allDisksAreFull_ssdsAreCompared() throws Exception {
    DeviceLoads loads = loads(1);
    File slower = new File("/slower");
    loads.add(slower, Kind.SSD_VOLUME, 1, 9, Long.MAX_VALUE);
    LoadBalance balance = new LoadBalance(loads);
    streams(loads, SSD, 100);
    available(loads, 0, 0);
    assertEquals(1, balance.soonestToWrite(BLOCK, List.of(0, 1)));
    balance.opened();
    assertEquals(0, balance.soonestToWrite(BLOCK, List.of(0)));
    balance.opened();
  }

  @Test
  void ssdOutOfUse_isIdle_theSaturatedOneIsComparedWithDisk() throws Exception {
    DeviceLoads loads = loads(2);
    File idle = new File("/ssd2");
    loads.add(idle, Kind.SSD_VOLUME, 9);
    LoadBalance balance = new LoadBalance(loads);
    streams(loads, SSD, 100);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK));
    balance.opened();
    loads.outOfUse(idle);
    assertTrue(isDiskSoonerToWrite(balance, BLOCK));
    balance.opened();
    assertFalse(balance.isDiskSoonerToRead(block(1), BLOCK, idle, disk(0)), "reads as before");
    balance.opened();
    loads.add(idle, Kind.SSD_VOLUME, 9);
    assertFalse(isDiskSoonerToWrite(balance, BLOCK), "it is back");
    balance.opened();
  }

  @Test
  void ssdFullOfCopies_isComparedWithDisk() throws Exception {
    DeviceLoads loads = loads(2);
    LoadBalance balance = new LoadBalance(loads);
    streams(loads, SSD, 100);
    loads.add(SSD, Kind.SSD_VOLUME, 0, 1, 0);
    assertTrue(isDiskSoonerToWrite(balance, BLOCK), "copies make way");
    balance.opened();
  }

  /** Runs tasks at a time, each in a thread of its own. */
  private static void together(List<Runnable> tasks) throws InterruptedException {
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (Runnable task : tasks) {
      Thread thread =
          new Thread(
              () -> {
                Uninterruptibles.awaitUninterruptibly(begin);
                task.run();
              });
      thread.start();
      threads.add(thread);
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /**
   * The clock of a sampling thread, which stops for a second now and then; the SSD reads 50 MB/s.
   */
  private static final class Pause implements LongSupplier {
    private final Path stat;
    private long nanos;

    /** Calls until the thread stops; 0 if it does not. */
    private int calls;

    private boolean always;

    Pause(Path stat) {
      this.stat = stat;
    }

    void seconds(double seconds) {
      nanos += (long) (seconds * 1e9);
      try {
        long sectors = (long) (nanos / 1e9 * 50e6 / 512);
        long millis = nanos / 1_000_000;
        Files.writeString(stat, millis + " 0 " + sectors + " " + millis + " 0 0 0 0 0 0 0");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public long getAsLong() {
      long now = nanos;
      if (calls > 0 && --calls == 0) {
        calls = always ? 1 : 0;
        seconds(1);
      }
      return now;
    }
  }

  @Test
  void samplingThreadStops_betweenTimeAndCounts_deviceSeemsNoFaster() throws Exception {
    Pause clock = new Pause(counts(1));
    DeviceLoads loads = new DeviceLoads(true, number -> clock.stat, (root, counts) -> 0, clock);
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    DeviceLoad load = loads.of(SSD);
    assertNotNull(load);
    load.measured(50e6);
    loads.sample();
    for (int i = 0; i < 9; i++) {
      clock.seconds(0.7);
      clock.calls = i % 3 == 2 ? 2 : 0; // the second is for the device
      double before = load.use();
      loads.sample();
      assertTrue(load.use() > before, "it is sampled again");
      assertEquals(50e6, load.bytesPerSecond(), 1e5);
    }
    assertTrue(load.use() > 0.9);
    double use = load.use();
    clock.always = true;
    for (int i = 0; i < 9; i++) {
      clock.seconds(0.7);
      clock.calls = 2;
      loads.sample();
      assertEquals(50e6, load.bytesPerSecond(), 1e5);
    }
    assertEquals(use, load.use(), "no sample has a time");
  }

  @Test
  void volumesAddedAndRemovedAtTheSameTime_noneIsLost() throws Exception {
    Path stat = counts(0);
    for (int round = 0; round < 300; round++) {
      DeviceLoads loads = new DeviceLoads(true, number -> stat, (root, counts) -> 0, now::get);
      loads.add(disk(9), Kind.DISK_VOLUME, 9);
      Set<String> kept = new HashSet<>();
      List<Runnable> tasks = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        File root = disk(i);
        long number = 10L + i;
        kept.add(root.getPath());
        tasks.add(() -> loads.add(root, Kind.DISK_VOLUME, number));
      }
      tasks.add(() -> loads.retain(kept));
      together(tasks);
      assertEquals(6, loads.disks().size(), "in round " + round);
      assertNull(loads.of(disk(9)));
    }
  }

  @Test
  void volumeAddedWhileOthersAreRemoved_waits_andIsThere() throws Exception {
    DeviceLoads loads = loads(1);
    CountDownLatch removing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Set<String> kept =
        new AbstractSet<>() {
          @Override
          public boolean contains(Object root) {
            removing.countDown();
            Uninterruptibles.awaitUninterruptibly(goOn);
            return root.equals(SSD.getPath());
          }

          @Override
          public Iterator<String> iterator() {
            return List.of(SSD.getPath()).iterator();
          }

          @Override
          public int size() {
            return 1;
          }
        };
    Thread remover = new Thread(() -> loads.retain(kept));
    remover.start();
    assertTrue(removing.await(10, TimeUnit.SECONDS));
    Thread adder = new Thread(() -> loads.add(disk(5), Kind.DISK_VOLUME, 5));
    adder.start();
    while (adder.isAlive() && adder.getState() != Thread.State.BLOCKED) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertNull(loads.of(disk(5)));
    goOn.countDown();
    remover.join();
    adder.join();
    assertEquals(1, loads.disks().size());
    assertNotNull(loads.of(disk(5)));
  }

  @Test
  void kernelsCountsOfADevice_areLookedForWithoutALock() throws Exception {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch found = new CountDownLatch(1);
    Path stat = counts(0);
    DeviceLoads loads =
        new DeviceLoads(
            true,
            number -> {
              if (number == 1) {
                looking.countDown();
                Uninterruptibles.awaitUninterruptibly(found);
              }
              return stat;
            },
            (root, counts) -> 0,
            now::get);
    Thread slow = new Thread(() -> loads.add(disk(1), Kind.DISK_VOLUME, 1));
    slow.start();
    assertTrue(looking.await(10, TimeUnit.SECONDS));
    Thread other =
        new Thread(
            () -> {
              loads.add(disk(2), Kind.DISK_VOLUME, 2);
              loads.add(disk(3), Kind.DISK_VOLUME, 3);
              loads.retain(Set.of(disk(1).getPath(), disk(2).getPath()));
            });
    other.start();
    other.join(TimeUnit.SECONDS.toMillis(10));
    assertFalse(other.isAlive());
    assertEquals(1, loads.disks().size());
    found.countDown();
    slow.join();
    assertEquals(2, loads.disks().size());
  }

  /** The SSD would be sooner with its third other stream too: 5.1 s, beside 5.3. */
  @Test
  void reads_severalDisks_whatDiskServesNearlyAsSoonLeavesTheSsdToOthers() throws Exception {
    for (int disks : new int[] {1, 8}) {
      DeviceLoads loads = loads(disks);
      LoadBalance balance = new LoadBalance(loads);
      for (int i = 0; i < 3; i++) {
        assertFalse(balance.isDiskSoonerToRead(block(i), BLOCK, SSD, disk(0)));
        assertNotNull(loads.begun(SSD));
        balance.opened();
      }
      assertEquals(disks > 1, balance.isDiskSoonerToRead(block(3), BLOCK, SSD, disk(0)));
      balance.opened();
    }
  }

  private static void awaitMeasured(DeviceLoads loads, Queue<File> asked, int devices)
      throws InterruptedException {
    for (long waited = 0; asked.size() < devices || loads.isMeasuring(); waited++) {
      assertTrue(waited < 10_000);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void measuringFails_usualSpeeds() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    DeviceLoads loads =
        measuredBy(
            (root, counts) -> {
              asked.add(root);
              if (root.equals(SSD)) {
                throw new IOException("read-only");
              }
              throw new IllegalStateException("no direct I/O");
            });
    loads.add(disk(0), Kind.DISK_VOLUME, 2);
    loads.sample();
    assertEquals(0, asked.size(), "there is but one tier");
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.sample();
    awaitMeasured(loads, asked, 2);
    assertEquals(SSD, asked.peek(), "SSDs first");
    assertTrue(loads.ssds(0).get(0).bytesPerSecond() > loads.disks().get(0).bytesPerSecond());
  }

  @Test
  void sample_devicesAreMeasuredAgainLater_whileTheyHaveLittleToDo() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    Queue<Double> speeds = new ConcurrentLinkedQueue<>(List.of(132e6, 500e6, 650e6));
    DeviceLoads loads =
        measuredBy(
            (root, counts) -> {
              asked.add(root);
              return root.equals(SSD) ? speeds.remove() : 120e6;
            });
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.add(disk(0), Kind.DISK_VOLUME, 2);
    loads.sample();
    awaitMeasured(loads, asked, 2);
    assertEquals(132e6, loads.ssds(0).get(0).bytesPerSecond());

    now.addAndGet(TimeUnit.SECONDS.toNanos(59));
    loads.sample();
    assertFalse(loads.isMeasuring());

    // The SSD has 20 MB/s to do in this second, the HDD nothing.
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    long sectors = 20_000_000 / 512;
    Files.writeString(dir.resolve("stat1"), "1 0 " + sectors + " 0 0 0 0 0 0 0 0");
    loads.sample();
    awaitMeasured(loads, asked, 3);
    assertEquals(disk(0), List.copyOf(asked).get(2));

    now.addAndGet(TimeUnit.SECONDS.toNanos(10));
    loads.sample();
    awaitMeasured(loads, asked, 4);
    assertEquals(500e6, loads.ssds(0).get(0).bytesPerSecond());

    now.addAndGet(TimeUnit.MINUTES.toNanos(5));
    loads.sample();
    awaitMeasured(loads, asked, 6);
    assertEquals(500e6, loads.ssds(0).get(0).bytesPerSecond(), "the median");

    now.addAndGet(TimeUnit.HOURS.toNanos(5));
    loads.sample();
    assertFalse(loads.isMeasuring());
    assertEquals(6, asked.size());
  }

  @Test
  void measure_whatTheDeviceTakesBeforeItCounts_orAnotherWritesMeanwhile() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    long sectors = 100_000_000_000L / 512;
    DeviceLoads loads =
        measuredBy(
            (root, counts) -> {
              asked.add(root);
              if (root.equals(disk(1))) {
                counts.begins();
              }
              String stat = root.equals(SSD) ? "stat1" : "stat" + (root.equals(disk(0)) ? 2 : 3);
              Files.writeString(dir.resolve(stat), "1 0 0 0 1 0 " + sectors + " 0 0 0 0");
              if (root.equals(disk(0))) {
                counts.begins();
              }
              return 12e6;
            });
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.add(disk(0), Kind.DISK_VOLUME, 2);
    loads.add(disk(1), Kind.DISK_VOLUME, 3);
    loads.sample();
    awaitMeasured(loads, asked, 3);
    assertEquals(12e6, loads.disks().get(0).bytesPerSecond(), "a burst before it counts");
    assertTrue(loads.disks().get(1).bytesPerSecond() > 1e9, "others' bytes");
    assertTrue(loads.ssds(0).get(0).bytesPerSecond() > 1e9, "it never says when");
  }

  @Test
  void sample_deviceAddedOnceAllAreMeasured_isMeasuredToo() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    DeviceLoads loads = measured(asked);
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    for (int i = 0; i < 3; i++) {
      loads.add(disk(i), Kind.DISK_VOLUME, 2 + i);
      loads.sample();
      awaitMeasured(loads, asked, 2 + i);
      loads.sample();
      assertFalse(loads.isMeasuring());
    }
    assertEquals(List.of(SSD, disk(0), disk(1), disk(2)), List.copyOf(asked));
  }

  /** Waits until these devices, and no others, were asked for their speed since the last call. */
  private static void awaitAsked(Queue<File> asked, Set<File> devices) throws InterruptedException {
    for (long waited = 0; asked.size() < devices.size(); waited++) {
      assertTrue(waited < 10_000);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertEquals(devices, Set.copyOf(asked));
    asked.clear();
  }

  @Test
  void ssdHangsWhileItIsMeasured_othersAreMeasuredByAnotherThread() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    CountDownLatch gate = new CountDownLatch(1);
    DeviceLoads loads =
        measuredBy(
            (root, counts) -> {
              asked.add(root);
              if (root.equals(SSD)) {
                Uninterruptibles.awaitUninterruptibly(gate);
              }
              return 50e6;
            });
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.add(disk(0), Kind.DISK_VOLUME, 2);
    loads.add(disk(1), Kind.DISK_VOLUME, 3);
    loads.sample();
    awaitAsked(asked, Set.of(SSD));
    now.addAndGet(TimeUnit.SECONDS.toNanos(9));
    loads.sample();
    assertEquals(0, asked.size(), "one at a time");
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    loads.sample();
    awaitAsked(asked, Set.of(disk(0), disk(1)));
    awaitMeasured(loads, asked, 0);
    loads.disks().forEach(load -> assertEquals(50e6, load.bytesPerSecond()));
    now.addAndGet(TimeUnit.HOURS.toNanos(1));
    loads.sample();
    awaitAsked(asked, Set.of(disk(0), disk(1)));
    awaitMeasured(loads, asked, 0);
    gate.countDown();
    for (long waited = 0; asked.isEmpty(); waited++) {
      assertTrue(waited < 10_000);
      loads.sample();
      TimeUnit.MILLISECONDS.sleep(1);
    }
    awaitAsked(asked, Set.of(SSD));
    awaitMeasured(loads, asked, 0);
  }

  @Test
  void ssdOutOfUse_isMeasuredOnceItIsBack() throws Exception {
    Queue<File> asked = new ConcurrentLinkedQueue<>();
    DeviceLoads loads = measured(asked);
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.add(disk(0), Kind.DISK_VOLUME, 2);
    loads.outOfUse(SSD);
    loads.sample();
    awaitAsked(asked, Set.of(disk(0)));
    awaitMeasured(loads, asked, 0);
    loads.sample();
    assertFalse(loads.isMeasuring());
    loads.add(SSD, Kind.SSD_VOLUME, 1);
    loads.sample();
    awaitAsked(asked, Set.of(SSD));
    awaitMeasured(loads, asked, 0);
  }
}
