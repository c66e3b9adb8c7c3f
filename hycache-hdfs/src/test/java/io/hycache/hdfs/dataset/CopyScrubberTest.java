// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client was sent a flipped bit from an SSD, and may have reported the DISK replica, which is
 * healthy, as corrupt: the report that clears this depends on neither the copy nor its SSD.
 */
@Timeout(120)
class CopyScrubberTest {
  private static final int LENGTH = 100_000;
  private static final int WAIT_SECONDS = 30;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path dir;

  private final Replica replica = new Replica(new BlockKey("BP-1", 7), 1001, LENGTH);

  /** What was reported as healthy, one entry for each report. */
  private final BlockingQueue<Replica> reported = new LinkedBlockingQueue<>();

  /** What HDFS's block scanner is to verify. */
  private final BlockingQueue<Replica> suspected = new LinkedBlockingQueue<>();

  /** Threads that hold a reference of the replica's volume. */
  private final Set<Thread> holders = ConcurrentHashMap.newKeySet();

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private final CleanCopies copies = new CleanCopies();
  private final Counters counters = new Counters();
  private final ScheduledExecutorService timer = Daemons.timer("HyCacheTimer");

  @SuppressWarnings("NullAway.Init")
  private CleanArea ssd;

  @SuppressWarnings("NullAway.Init")
  private CleanCopies.Copy copy;

  @SuppressWarnings("NullAway.Init")
  private CopyScrubber scrubber;

  @BeforeEach
  void start() throws IOException {
    File data = dir.resolve("blk_7").toFile();
    File meta = dir.resolve("blk_7_1001.meta").toFile();
    byte[] bytes = new byte[LENGTH];
    new Random(7).nextBytes(bytes);
    ReplicaFiles.write(data, meta, bytes, DataChecksum.Type.CRC32C, 512);
    File root = Files.createDirectory(dir.resolve("ssd")).toFile();
    ssd = new CleanArea(root, new DeviceWatch(root), DataDirMode.OWNER_ONLY);
    areas.put(root.getPath(), ssd);
    CleanFile copied = new CleanFile(ssd, replica, Part.DATA, LENGTH);
    Files.createDirectories(copied.path().getParentFile().toPath());
    Files.write(copied.path().toPath(), bytes);
    ReplicaFiles.flip(copied.path(), 5_000);
    copy = new CleanCopies.Copy(replica, copied, null);
    copies.add(copy);
    scrubber =
        new CopyScrubber(
            new ScrubContext(
                store(new ReplicaView(replica, false, dir.toFile(), data, meta)),
                copies,
                volume -> new DiskUse(),
                counters,
                copies::remove,
                new Supervisor(new Counters(), failures::add, why -> {}).part("copy scrubber"),
                1 << 30,
                0),
            areas,
            timer);
    scrubber.start();
  }

  @AfterEach
  void stop() {
    FileOperation.observe(null);
    timer.shutdownNow();
    scrubber.close();
    ssd.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private ReplicaStore store(ReplicaView view) {
    return Stubs.of(
        ReplicaStore.class,
        Map.of(
            "finalized", arguments -> view,
            "hold", arguments -> hold(),
            "reportWell", arguments -> reported.add((Replica) arguments[0]),
            "suspect", arguments -> suspected.add((Replica) arguments[0]),
            "revokeShortCircuit", arguments -> null));
  }

  private Closeable hold() {
    holders.add(Thread.currentThread());
    return () -> holders.remove(Thread.currentThread());
  }

  /** A client was sent the whole copy and closed its connection. */
  private void hangUp() {
    scrubber
        .readers()
        .closed(copy, SentBytes.ofCopy(0, LENGTH), new Object(), () -> true, System.nanoTime());
  }

  private void quarantine() {
    SickDevices.failReads(ssd.watch());
  }

  private void awaitReport(String what) throws InterruptedException {
    assertEquals(replica, reported.poll(WAIT_SECONDS, TimeUnit.SECONDS), what);
  }

  @Test
  void clientHungUp_ssdIsWell_replicaIsReported() throws Exception {
    hangUp();
    awaitReport("the copy is bad");
  }

  @Test
  void clientHungUp_ssdIsSick_replicaIsReported() throws Exception {
    quarantine();
    hangUp();
    awaitReport("the copy can't be verified");
  }

  @Test
  void clientHungUp_ssdHangsInTheVerification_replicaIsReported() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.READ && file.equals(copy.files().get(0).path())) {
            hangs.countDown();
            try {
              answers.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    hangUp();
    assertTrue(hangs.await(WAIT_SECONDS, TimeUnit.SECONDS));
    quarantine();
    awaitReport("the verification does not end");
    answers.countDown();
  }

  /** While an SSD hangs, the HDD can be removed. */
  @Test
  void verification_readsTheSsd_withoutAReferenceOfTheHdd() throws Exception {
    Queue<Boolean> held = new ConcurrentLinkedQueue<>();
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.READ && file.equals(copy.files().get(0).path())) {
            held.add(holders.contains(Thread.currentThread()));
          }
        });
    hangUp();
    awaitReport("the copy is bad");
    assertTrue(held.contains(false), "the SSD was read");
    assertFalse(held.contains(true), "with a reference");
  }

  /** Fails the first read of a file as if the process had no descriptors left. */
  private void failFirstRead(File failing, Supplier<IOException> failure) {
    AtomicBoolean failed = new AtomicBoolean();
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.READ
              && file.equals(failing)
              && failed.compareAndSet(false, true)) {
            throw failure.get();
          }
        });
  }

  private static IOException noDescriptors() {
    return new IOException("Too many open files");
  }

  @Test
  void clientHungUp_verificationFailsOnDisk_isRetried() throws Exception {
    failFirstRead(dir.resolve("blk_7_1001.meta").toFile(), CopyScrubberTest::noDescriptors);
    hangUp();
    awaitReport("the copy is bad");
    assertNull(copies.get(replica.block()), "no longer served");
  }

  @Test
  void clientHungUp_verificationFailsOnSsd_isRetried() throws Exception {
    failFirstRead(copy.files().get(0).path(), CopyScrubberTest::noDescriptors);
    hangUp();
    awaitReport("at once");
    awaitDrop();
  }

  @Test
  void clientHungUp_anErrorEndsTheVerification_isRetried() throws Exception {
    failFirstRead(dir.resolve("blk_7_1001.meta").toFile(), CopyScrubberTest::noMemory);
    hangUp();
    awaitReport("the copy is bad");
    assertNull(copies.get(replica.block()), "no longer served");
    assertEquals(OutOfMemoryError.class, failures.remove().getClass());
  }

  private static IOException noMemory() {
    throw new OutOfMemoryError("injected");
  }

  /** The read of the replica itself: its copy is dropped already. */
  @Test
  void copyIsBad_anErrorEndsTheReport_isRetried() throws Exception {
    failFirstRead(dir.resolve("blk_7").toFile(), CopyScrubberTest::noMemory);
    hangUp();
    awaitReport("the copy is bad");
    assertEquals(OutOfMemoryError.class, failures.remove().getClass());
  }

  @Test
  void copyIsGone_anErrorEndsTheReport_isRetried() throws Exception {
    areas.clear();
    failFirstRead(dir.resolve("blk_7").toFile(), CopyScrubberTest::noMemory);
    hangUp();
    awaitReport("the copy is gone");
    assertEquals(OutOfMemoryError.class, failures.remove().getClass());
  }

  @Test
  void copyOfAnEarlierProcess_anErrorEndsItsVerification_isRetried() throws Exception {
    CleanFile data = copy.files().get(0);
    ReplicaFiles.flip(data.path(), 5_000); // good again
    copies.distrust(ssd);
    failFirstRead(data.path(), CopyScrubberTest::noMemory);
    scrubber.found(data);
    while (!copies.isVerified(data)) { // as long as the class's time limit
      Thread.sleep(10);
    }
    assertEquals(OutOfMemoryError.class, failures.remove().getClass());
  }

  /** Its checksum file stays, and is good. */
  @Test
  void clientHungUp_dataMakesWayBeforeItWasVerified_replicaIsReported() throws Exception {
    File meta = dir.resolve("blk_7_1001.meta").toFile();
    CleanFile sums = new CleanFile(ssd, replica, Part.CHECKSUM, meta.length());
    Files.copy(meta.toPath(), sums.path().toPath());
    copies.add(new CleanCopies.Copy(replica, null, sums));
    copy = new CleanCopies.Copy(replica, copy.data(), sums);
    hangUp();
    scrubber.beforeEviction(copy); // finds wrong data
    copies.removeData(replica.block());
    awaitReport("nothing else says that the replica is good");
  }

  @Test
  void clientHungUp_replicaIsCorruptToo_isLeftToHdfs() throws Exception {
    ReplicaFiles.flip(dir.resolve("blk_7").toFile(), 5_000);
    hangUp();
    assertEquals(replica, suspected.poll(WAIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(0, reported.size());
  }

  @Test
  void clientHungUp_replicaCantBeRead_isLeftToHdfs_afterAFewReads() throws Exception {
    File bad = dir.resolve("blk_7").toFile();
    AtomicInteger reads = new AtomicInteger();
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.READ && file.equals(bad)) {
            reads.incrementAndGet();
            throw new IOException("Input/output error");
          }
        });
    hangUp();
    assertEquals(replica, suspected.poll(WAIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(4, reads.get());
    assertEquals(0, reported.size());
  }

  @Test
  void clientHungUp_replicaCantBeRead_andAnErrorAmongItsReads_isLeftToHdfsAllTheSame()
      throws Exception {
    File bad = dir.resolve("blk_7").toFile();
    AtomicInteger reads = new AtomicInteger();
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.READ && file.equals(bad)) {
            if (reads.incrementAndGet() == 4) {
              throw noMemory();
            }
            throw new IOException("Input/output error");
          }
        });
    hangUp();
    assertEquals(replica, suspected.poll(WAIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(5, reads.get());
    assertEquals(OutOfMemoryError.class, failures.remove().getClass());
  }

  /** dfs.checksum.type=NULL: after a restart, nothing says whether a copy is good. */
  @Test
  void replicaWithoutChecksums_itsUnverifiedCopyIsDropped_andIsNotBad() throws Exception {
    File data = dir.resolve("blk_7").toFile();
    File meta = dir.resolve("blk_7_1001.meta").toFile();
    ReplicaFiles.write(data, meta, Files.readAllBytes(data.toPath()), DataChecksum.Type.NULL, 512);
    copies.distrust(ssd);
    hangUp();
    awaitDrop();
    assertEquals(0, counters.get(Counter.COPIES_BAD));
    assertEquals(0, reported.size());
  }

  private void awaitDrop() throws InterruptedException {
    while (copies.get(replica.block()) != null) { // as long as the class's time limit
      Thread.sleep(10);
    }
  }

  @Test
  void clientHungUp_ssdWasRemoved_replicaIsReported() throws Exception {
    areas.clear();
    hangUp();
    awaitReport("the copy is gone");
  }

  /** The client's report may arrive after the first one that the replica is healthy. */
  @Test
  void replicaWasReported_ssdIsRemoved_itIsReportedAgain() throws Exception {
    hangUp();
    awaitReport("at once");
    areas.clear();
    awaitReport("after 0.3 seconds");
    awaitReport("after 2 seconds");
  }

  /** A device that was out of use makes its copies unverified, although they were served before. */
  @Test
  void clientHungUp_ssdWasOutOfUse_replicaIsReported() throws Exception {
    copies.distrust(ssd);
    hangUp();
    awaitReport("the copy is bad");
  }
}
