// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CleanCopiesTest {
  private static final long SEED = 20_260_101;
  private static final String DATA = "/ssd/a/hycache/BP-1/00/blk_1_1_100_N.data";
  private final CleanCopies copies = new CleanCopies();
  private final CleanArea first = area("/ssd/a");
  private final CleanArea second = area("/ssd/b");

  private static CleanArea area(String root) {
    CleanArea area =
        new CleanArea(new File(root), new DeviceWatch(new File(root)), DataDirMode.OWNER_ONLY);
    area.allocatesBy(1);
    return area;
  }

  private CleanFile data(long bytes) {
    return new CleanFile(first, replica(1, 1, 100), Part.DATA, bytes);
  }

  private CleanFile sums(long bytes) {
    return new CleanFile(second, replica(1, 1, 100), Part.CHECKSUM, bytes);
  }

  /** With its number left out. */
  private static String name(@Nullable CleanFile file) {
    return String.valueOf(file).replaceAll("_[0-9]+\\.", "_N.");
  }

  private static BlockKey key(long id) {
    return new BlockKey("BP-1", id);
  }

  private static Replica replica(long id, long gs, long length) {
    return new Replica(key(id), gs, length);
  }

  @Test
  void parts_ofTheSameState_areMerged() {
    copies.add(new CleanCopies.Copy(replica(1, 1, 100), null, sums(8)));
    copies.add(new CleanCopies.Copy(replica(1, 1, 100), data(100), null));
    CleanCopies.Copy copy = copies.get(key(1));
    assertNotNull(copy);
    assertEquals(
        List.of(DATA, "/ssd/b/hycache/BP-1/00/blk_1_1_100_N.meta"),
        copy.files().stream().map(CleanCopiesTest::name).collect(Collectors.toList()));
    assertEquals(108, copies.bytes());
    assertEquals(100, first.bytes());
    assertEquals(100, first.dataBytes());
    assertEquals(8, second.bytes());
    assertEquals(0, second.dataBytes(), "a checksum file makes no way");
    assertEquals(DATA, name(copies.removeData(key(1))));
    assertEquals(0, first.bytes());
    assertEquals(0, first.dataBytes());
    assertEquals(8, copies.bytes());
    assertNull(copies.removeData(key(1)));
    assertNotNull(copies.remove(key(1)));
    assertEquals(0, copies.bytes());
  }

  /** A checksum copy that stalled came in when the changed replica had been promoted already. */
  @Test
  void olderState_comesLate_theNewerStays() {
    CleanCopies.Copy newer =
        new CleanCopies.Copy(
            replica(1, 2, 200), new CleanFile(first, replica(1, 2, 200), Part.DATA, 200), null);
    assertEquals(List.of(), copies.add(newer));
    CleanFile late = sums(8);
    assertEquals(List.of(late), copies.add(new CleanCopies.Copy(replica(1, 1, 100), null, late)));
    assertSame(newer, copies.get(key(1)));
    assertEquals(200, copies.bytes());
    assertNull(copies.remove(replica(1, 1, 100)));
    assertSame(newer, copies.remove(replica(1, 2, 200)));
    assertEquals(0, copies.bytes());
    assertEquals(0, first.bytes());
  }

  @Test
  void anotherState_replacesTheCopy() {
    copies.add(new CleanCopies.Copy(replica(1, 1, 100), data(100), sums(8)));
    copies.add(new CleanCopies.Copy(replica(1, 2, 100), null, sums(9)));
    CleanCopies.Copy copy = copies.get(key(1));
    assertNotNull(copy);
    assertNull(copy.data());
    assertEquals(9, copies.bytes());
  }

  @Test
  void dataWithoutChecksums_isGoneWithItsData() {
    copies.add(new CleanCopies.Copy(replica(1, 1, 100), data(100), null));
    assertEquals(DATA, name(copies.removeData(key(1))));
    assertNull(copies.get(key(1)));
    assertEquals(0, copies.bytes());
    assertNull(copies.removeData(key(2)));
    assertNull(copies.remove(key(2)));
  }

  @Test
  void randomConcurrentChanges_bytesEqualTheSumOfTheCopies() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      long seed = SEED + t;
      threads.add(new Thread(() -> change(new Random(seed)), "changer-" + t));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    long sum = 0;
    for (BlockKey block : copies.blocks()) {
      CleanCopies.Copy copy = copies.get(block);
      assertNotNull(copy);
      sum += copy.files().stream().mapToLong(CleanFile::lengthBytes).sum();
    }
    assertEquals(sum, copies.bytes(), "seed=" + SEED);
    assertEquals(sum, first.bytes() + second.bytes(), "seed=" + SEED);
    copies.blocks().forEach(copies::remove);
    assertEquals(0, copies.bytes(), "seed=" + SEED);
  }

  /** The copy of the same state that was there before has a file of its own. */
  @Test
  void sameState_copiedAgain_theOldFilesAreForTheCallerToRemove() {
    CleanFile before = data(100);
    CleanFile after = data(100);
    copies.add(new CleanCopies.Copy(replica(1, 1, 100), before, null));
    assertEquals(
        List.of(before), copies.add(new CleanCopies.Copy(replica(1, 1, 100), after, null)));
    assertEquals(List.of(), copies.add(new CleanCopies.Copy(replica(1, 1, 100), after, null)));
    assertEquals(100, copies.bytes());
  }

  private void change(Random random) {
    for (int i = 0; i < 50_000; i++) {
      long id = random.nextInt(16);
      int gs = random.nextInt(2);
      Replica replica = replica(id, gs, 100 + 10 * id + gs);
      switch (random.nextInt(5)) {
        case 0:
          copies.add(new CleanCopies.Copy(replica, data(replica.lengthBytes()), sums(8)));
          break;
        case 1:
          copies.add(new CleanCopies.Copy(replica, data(replica.lengthBytes()), null));
          break;
        case 2:
          copies.add(new CleanCopies.Copy(replica, null, sums(1 + random.nextInt(9))));
          break;
        case 3:
          copies.removeData(key(id));
          break;
        default:
          copies.remove(key(id));
      }
    }
  }
}
