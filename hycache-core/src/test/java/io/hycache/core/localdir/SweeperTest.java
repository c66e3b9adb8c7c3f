// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which files are swept, and which are never swept. */
class SweeperTest {
  private LocalDirRig rig;
  private LocalDirTier tier;

  @BeforeEach
  void setUp() throws Exception {
    rig = new LocalDirRig();
    for (String name : new String[] {"a", "b"}) {
      Files.createDirectory(rig.ssd.resolve(name));
      Files.write(rig.ssd.resolve(name).resolve("x"), LocalDirRig.bytes(1000, 1));
    }
    rig.awaitTick();
    tier = rig.open();
    assertTrue(tier.tree().bringDown(Path.of("a", "x")));
    assertTrue(tier.tree().bringDown(Path.of("b", "x")));
  }

  @AfterEach
  void tearDown() throws Exception {
    tier.close();
    rig.close();
  }

  private void pass(Duration time) {
    rig.nanos.addAndGet(time.toNanos());
  }

  @Test
  void sweep_unnamedFile_goesAfterTwoInventoriesAndTheGrace() throws Exception {
    Files.delete(rig.ssd.resolve("a/x"));
    assertEquals(1, tier.sweepNow());
    pass(Duration.ofSeconds(59));
    assertEquals(1, tier.sweepNow());
    assertEquals(2, rig.onHdds().size());
    pass(Duration.ofSeconds(2));
    assertEquals(0, tier.sweepNow());
    assertEquals(rig.linked(), rig.onHdds());
    assertEquals(1, tier.status().figure(Figure.SWEPT_FILES));
    assertEquals(1000, tier.status().figure(Figure.SWEPT_BYTES));
  }

  @Test
  void sweep_directoryGoneFromTheTree_goesFromTheHddToo() throws Exception {
    Path directory = Files.readSymbolicLink(rig.ssd.resolve("a/x")).getParent();
    LocalDirRig.delete(rig.ssd.resolve("a"));
    rig.sweepAll(tier);
    assertFalse(Files.exists(directory));
    assertTrue(Files.exists(Files.readSymbolicLink(rig.ssd.resolve("b/x"))));
  }

  @Test
  void sweep_namedByWhateverLink_stays() throws Exception {
    Path target = Files.readSymbolicLink(rig.ssd.resolve("a/x"));
    Path link = rig.ssd.resolve("a/x");
    // A relative link, a link through another link outside, and a link to the directory.
    Files.delete(link);
    Files.createSymbolicLink(link, rig.ssd.resolve("a").relativize(target));
    rig.sweepAll(tier);
    assertTrue(Files.exists(target));
    Files.delete(link);
    Files.createSymbolicLink(rig.base.resolve("detour"), target.getParent());
    Files.createSymbolicLink(link, rig.base.resolve("detour").resolve("x"));
    if (!Caller.of(null).isRoot()) {
      // Root does not follow other users' links.
      rig.sweepAll(tier);
      assertTrue(Files.exists(target));
    }
    Files.delete(link);
    Files.createSymbolicLink(rig.ssd.resolve("all"), target.getParent());
    rig.sweepAll(tier);
    assertTrue(Files.exists(target));
    Files.delete(rig.ssd.resolve("all"));
    // The HDD was mounted elsewhere when the link was created.
    String id = Files.readString(rig.ssd.resolve(".hycache/id")).trim();
    Files.createSymbolicLink(link, Path.of("/elsewhere", id, "a", "x"));
    rig.sweepAll(tier);
    assertTrue(Files.exists(target));
    Files.delete(link);
    rig.sweepAll(tier);
    assertFalse(Files.exists(target));
  }

  @Test
  void sweep_writtenMeanwhile_graceBeginsAnew() throws Exception {
    Path target = Files.readSymbolicLink(rig.ssd.resolve("a/x"));
    Files.delete(rig.ssd.resolve("a/x"));
    tier.sweepNow();
    pass(Duration.ofSeconds(61));
    Files.write(target, new byte[7]);
    assertEquals(1, tier.sweepNow());
    assertTrue(Files.exists(target));
  }

  @Test
  void inventory_linkRenamedIntoADirectoryAlreadyRead_isFound() throws Exception {
    tier.close();
    int[] reads = new int[1];
    rig.ports.inventories =
        directory -> {
          // After the first directory was read, the link in the other one moves into it.
          boolean first = directory.endsWith("a") || directory.endsWith("b");
          if (first && reads[0]++ == 0) {
            Path here = directory;
            Path there = directory.resolveSibling(directory.endsWith("a") ? "b" : "a");
            move(there.resolve("x"), here.resolve("y"));
          }
        };
    tier = rig.open();
    rig.sweepAll(tier);
    assertTrue(reads[0] > 2);
    assertEquals(2, rig.onHdds().size());
    assertEquals(rig.linked(), rig.onHdds());
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void inventory_directoryRenamedBehindTheReader_isFound() throws Exception {
    tier.close();
    Files.createDirectory(rig.ssd.resolve("a/deep"));
    move(rig.ssd.resolve("b"), rig.ssd.resolve("a/deep/b"));
    boolean[] done = new boolean[1];
    rig.ports.inventories =
        directory -> {
          if (directory.endsWith("deep") && !done[0]) {
            done[0] = true;
            move(rig.ssd.resolve("a/deep/b"), rig.ssd.resolve("c"));
          }
        };
    tier = rig.open();
    rig.sweepAll(tier);
    assertTrue(done[0]);
    assertEquals(2, rig.onHdds().size());
    assertEquals(rig.linked(), rig.onHdds());
  }

  @Test
  void sweep_deviceOfTheTreeUnmounted_nothingGoes() throws Exception {
    Path away = rig.base.resolve("away");
    Files.move(rig.ssd, away);
    Files.createDirectory(rig.ssd);
    assertThrows(IOException.class, () -> tier.sweepNow());
    pass(Duration.ofSeconds(61));
    IOException e = assertThrows(IOException.class, () -> tier.sweepNow());
    assertTrue(String.valueOf(e.getMessage()).contains("mount its device"), e.getMessage());
    assertEquals(2, rig.onHdds().size());
  }

  @Test
  void inventory_treeThatNeverStandsStill_doesNotCount() throws Exception {
    tier.close();
    int[] names = new int[1];
    rig.ports.inventories =
        directory -> {
          if (directory.endsWith("a")) {
            try {
              Files.createFile(directory.resolve("f" + names[0]++));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    tier = rig.open();
    Files.delete(rig.ssd.resolve("b/x"));
    assertEquals(-1, tier.sweepNow());
    pass(Duration.ofSeconds(61));
    assertEquals(-1, tier.sweepNow());
    assertEquals(2, rig.onHdds().size());
    assertEquals(2, tier.status().figure(Figure.INVENTORIES_INCOMPLETE));
  }

  /** A name that no text shows exactly, in whatever locale. */
  private static Path noText(String tail) {
    byte[] bytes = ("?" + tail).getBytes(StandardCharsets.US_ASCII);
    bytes[0] = (byte) 0xff;
    return PathBytes.path(bytes, bytes.length);
  }

  @Test
  void plain_namesThatAreNoText_keepTheirBytes() {
    Path name = noText("~");
    assertEquals(name, TreeLayout.plain(name));
    assertEquals(noText("x"), TreeLayout.plain(noText("x.~12~")));
    assertEquals(noText(""), TreeLayout.plain(TreeLayout.evade(noText(""), 3)));
    assertEquals(Path.of("a", "b"), TreeLayout.plain(TreeLayout.evade(Path.of("a.~1~", "b"), 7)));
    assertEquals(Path.of(".~1~"), TreeLayout.plain(TreeLayout.evade(Path.of(".~1~"), 1)));
  }

  @Test
  void sweep_namesThatAreNoText_areSweptAsAnyOther() throws Exception {
    Path directory = Files.createDirectory(rig.ssd.resolve(noText("~")));
    Path file = Files.write(directory.resolve(noText("x~")), LocalDirRig.bytes(1000, 1));
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(file));
    rig.sweepAll(tier);
    Path first = Files.readSymbolicLink(file);
    assertTrue(Files.exists(first));
    // The name is taken while the file waits for the sweeper.
    Files.delete(file);
    Files.write(file, LocalDirRig.bytes(1000, 2));
    tier.close();
    LocalDirConfig.Builder config = LocalDirConfig.builder(rig.ssd).policy("lru").leastBytes(1);
    config.hdd(first.startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1);
    tier =
        LocalDirTier.open(
            config.grace(Duration.ZERO).sweepGrace(Duration.ofSeconds(60)).build(), rig.ports);
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(file));
    assertEquals(
        directory.getFileName().resolve(noText("x~.~1~")),
        LocalDirRig.home(tier, first.startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1)
            .relativize(Files.readSymbolicLink(file)));
    assertFalse(tier.rehome(file));
    rig.sweepAll(tier);
    assertFalse(Files.exists(first));
    byte[] shuffle = "shuffle_\u00ff.data".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(
        rig.ssd.resolve(PathBytes.path(shuffle, shuffle.length)), LocalDirRig.bytes(1000, 1));
    tier.planner().round();
    assertEquals(1, tier.status().upFiles());
  }

  @Test
  void sweepSoon_againAndAgain_sweepsAreAPauseApart() throws Exception {
    tier.close();
    AtomicBoolean slow = new AtomicBoolean(true);
    rig.ports.inventories =
        directory -> {
          if (slow.getAndSet(false)) {
            pass(Duration.ofSeconds(2));
          }
        };
    LinkedBlockingQueue<Long> pauses = new LinkedBlockingQueue<>();
    Semaphore over = new Semaphore(0);
    rig.ports.sweepPause =
        nanos -> {
          pauses.add(nanos);
          over.acquireUninterruptibly();
        };
    tier = rig.open();
    try {
      tier.start();
      assertEquals(TimeUnit.SECONDS.toNanos(8), pauses.poll(20, TimeUnit.SECONDS));
      tier.sweepSoon();
      tier.sweepSoon();
      assertEquals(1, tier.status().figure(Figure.INVENTORIES));
      over.release();
      assertEquals(TimeUnit.SECONDS.toNanos(5), pauses.poll(20, TimeUnit.SECONDS));
      assertEquals(2, tier.status().figure(Figure.INVENTORIES));
    } finally {
      over.release(100);
    }
  }
}
