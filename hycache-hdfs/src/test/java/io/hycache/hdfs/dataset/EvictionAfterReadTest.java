// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client was sent last of a copy is verified before the copy is evicted. */
class EvictionAfterReadTest {
  private static final int LENGTH = 200_000;
  private static final BlockKey BLOCK = new BlockKey("BP-1", 7);

  @TempDir Path dir;

  private final Counters counters = new Counters();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final CleanCopies copies = new CleanCopies();

  @AfterEach
  void end() {
    FileOperation.observe(null);
    timer.shutdownNow();
  }

  private CopyScrubber scrubber(CleanArea area) {
    ReplicaStore unasked = Stubs.of(ReplicaStore.class, Map.of()); // neither DISK nor NameNode
    return new CopyScrubber(
        new ScrubContext(
            unasked,
            copies,
            root -> new DiskUse(),
            counters,
            block -> {},
            new Supervisor(counters, e -> {}, why -> {}).part("scrubber"),
            1 << 30,
            0),
        Map.of("ssd", area),
        timer);
  }

  private CleanCopies.Copy copy(CleanArea area, byte[] bytes) throws IOException {
    Replica replica = new Replica(BLOCK, 1, LENGTH);
    CleanFile data = new CleanFile(area, replica, Part.DATA, LENGTH);
    CleanFile checksums = new CleanFile(area, replica, Part.CHECKSUM, 1);
    area.prepare(data.path());
    ReplicaFiles.write(data.path(), checksums.path(), bytes, DataChecksum.Type.CRC32C, 512);
    return new CleanCopies.Copy(replica, data, checksums);
  }

  @Test
  void evict_clientThatHungUp_whatItWasSentIsVerifiedOnSsdOnce() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    byte[] bytes = new byte[LENGTH];
    new Random(1).nextBytes(bytes);
    CleanCopies.Copy copy = copy(area, bytes);
    var unused = copies.add(copy);
    try (CopyScrubber scrubber = scrubber(area)) {
      scrubber.beforeEviction(copy);
      assertEquals(0, counters.get(Counter.BYTES_SCRUBBED), "it was not read");

      // Wrong bytes, so that the suspicion stays, and the replica will be verified.
      File data = copy.files().get(0).path();
      ReplicaFiles.flip(data, 150_000);
      scrubber
          .readers()
          .closed(
              copy, SentBytes.ofCopy(100_000, LENGTH), new Object(), () -> true, System.nanoTime());
      scrubber.beforeEviction(copy);

      ReplicaFiles.flip(data, 150_000);
      long before = counters.get(Counter.BYTES_SCRUBBED);
      scrubber.beforeEviction(copy);
      long verified = counters.get(Counter.BYTES_SCRUBBED) - before;
      assertEquals(LENGTH - 100_000 / 512 * 512, verified, "the range, from the first chunk on");

      scrubber.beforeEviction(copy);
      assertEquals(before + verified, counters.get(Counter.BYTES_SCRUBBED), "no suspicion is left");
    }
  }

  @Test
  void evict_anErrorEndsTheVerification_suspicionStays() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    CleanCopies.Copy copy = copy(area, new byte[LENGTH]);
    var unused = copies.add(copy);
    try (CopyScrubber scrubber = scrubber(area)) {
      hangUp(scrubber, copy);
      FileOperation.observe(
          (operation, file) -> {
            if (operation == FileOperation.READ) {
              throw new OutOfMemoryError("injected");
            }
          });
      assertThrows(OutOfMemoryError.class, () -> scrubber.beforeEviction(copy));
      FileOperation.observe(null);
      scrubber.beforeEviction(copy);
      assertEquals(LENGTH, counters.get(Counter.BYTES_SCRUBBED));
    }
  }

  /** The thread that appends to a replica on a full SSD. */
  @Test
  void evictForAnAppend_readsNothing() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    CleanCopies.Copy copy = copy(area, new byte[LENGTH]);
    var unused = copies.add(copy);
    ReplicaStore store =
        Stubs.of(ReplicaStore.class, Map.of("revokeShortCircuit", arguments -> null));
    Queue<File> read = new ConcurrentLinkedQueue<>();
    Thread writer = Thread.currentThread();
    try (CopyScrubber scrubber = scrubber(area);
        OpenFiles openFiles = new OpenFiles(0, counters);
        HyCacheEngine engine =
            new HyCacheEngine(
                HyCacheConfig.builder().build(),
                Policies.create("lru"),
                Stubs.of(BlockMover.class, Map.of()),
                Stubs.of(Host.class, Map.of("pageBytes", arguments -> 0L)),
                (device, fresh, frames) -> {},
                counters,
                e -> {})) {
      HdfsMover mover =
          new HdfsMover(
              store,
              copies,
              Map.of("ssd", area),
              new Guests(),
              volume -> new DiskUse(),
              file -> {},
              scrubber::beforeEviction,
              () -> false);
      hangUp(scrubber, copy);
      FileOperation.observe(
          (operation, file) -> {
            if (operation == FileOperation.READ && Thread.currentThread() == writer) {
              read.add(file);
            }
          });
      new CopyEviction(store, copies, openFiles, mover, engine).evictData(BLOCK);
      assertEquals(List.of(), List.copyOf(read));
      assertFalse(copy.files().get(0).path().exists(), "its space is free");
      assertTrue(copy.files().get(1).path().exists(), "its checksum file stays");
    }
  }

  /** A client was sent the whole copy and closed its connection. */
  private static void hangUp(CopyScrubber scrubber, CleanCopies.Copy copy) {
    scrubber
        .readers()
        .closed(copy, SentBytes.ofCopy(0, LENGTH), new Object(), () -> true, System.nanoTime());
  }

  /** Its checksums came from the copy all the same. */
  @Test
  void evict_clientThatHungUp_diskSentTheData_checksumsAreVerified() throws Exception {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    CleanCopies.Copy copy = copy(area, new byte[LENGTH]);
    var unused = copies.add(copy);
    File sums = copy.files().get(1).path();
    try (CopyScrubber scrubber = scrubber(area)) {
      SentBytes early = SentBytes.ofCopy(0, 50_000);
      SentBytes moved = SentBytes.lastOf(0, LENGTH, 0, 100_000);
      SentBytes ofDisk = SentBytes.lastOf(0, LENGTH, LENGTH, LENGTH);
      for (List<SentBytes> sent :
          List.of(List.of(moved), List.of(ofDisk), List.of(early, ofDisk))) {
        ReplicaFiles.flip(sums, 7 + 4 * (150_000 / 512));
        for (SentBytes bytes : sent) {
          scrubber.readers().closed(copy, bytes, new Object(), () -> true, System.nanoTime());
        }
        scrubber.beforeEviction(copy);
        ReplicaFiles.flip(sums, 7 + 4 * (150_000 / 512));
        long before = counters.get(Counter.BYTES_SCRUBBED);
        scrubber.beforeEviction(copy);
        assertEquals(LENGTH, counters.get(Counter.BYTES_SCRUBBED) - before, "the suspicion stayed");

        scrubber.readers().closed(copy, sent.get(0), new Object(), () -> true, System.nanoTime());
        scrubber.beforeEviction(copy);
        before = counters.get(Counter.BYTES_SCRUBBED);
        scrubber.beforeEviction(copy);
        assertEquals(before, counters.get(Counter.BYTES_SCRUBBED), "no suspicion is left");
      }
    }
  }
}
