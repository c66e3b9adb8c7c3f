// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomOnSsdTest {
  /** Copies that were named, and how often anything was asked of them. */
  private static final class FakeCopies implements RoomOnSsd.Copies {
    final Deque<Long> named = new ArrayDeque<>();
    final List<Long> missed = new ArrayList<>();
    int operations;

    @Override
    public long spareBytes(String device) {
      operations++;
      return device.equals("/ssd") ? named.stream().mapToLong(Long::longValue).sum() : 0;
    }

    @Override
    public long giveUpNext(String device) {
      operations++;
      Long next = named.poll();
      return next == null ? -1 : next;
    }

    @Override
    public void missed(long sizeBytes) {
      missed.add(sizeBytes);
    }
  }

  private final FakeCopies copies = new FakeCopies();
  private final RoomOnSsd room = new RoomOnSsd(copies);

  private static ReplicaStore.Volume volume(String root, long available) {
    return new ReplicaStore.Volume() {
      @Override
      public File root() {
        return new File(root);
      }

      @Override
      public long capacityBytes() {
        return 1000;
      }

      @Override
      public long availableBytes() {
        return available;
      }

      @Override
      public long dfsUsedBytes() {
        return 0;
      }
    };
  }

  @Test
  void make_fullSsdWithManyCopies_asksForAsManyAsItNeeds() throws Exception {
    copies.named.addAll(Collections.nCopies(300_000, 10L));
    for (int create = 0; create < 1_000; create++) {
      assertTrue(room.make(List.of(volume("/other", 0), volume("/ssd", 3)), 20));
      assertEquals(20, room.granted(new File("/ssd")));
      assertEquals(0, room.granted(new File("/other")));
      room.ended();
    }
    assertEquals(1_000 * (2 + 2), copies.operations, "two volumes asked, two copies taken each");
    assertEquals(298_000, copies.named.size());
    assertFalse(room.isGranted());
  }

  @Test
  void make_tooLittleNamed_givesNothingUpAndAsksForRoom() throws Exception {
    copies.named.addAll(List.of(10L, 10L));
    assertFalse(room.make(List.of(volume("/ssd", 0)), 20), "not more than the replica");
    assertEquals(2, copies.named.size());
    assertEquals(List.of(20L), copies.missed);
    assertFalse(room.isGranted());
  }

  @Test
  void make_copiesGoneMeanwhile_countAsNothing() throws Exception {
    copies.named.addAll(List.of(0L, 10L, 0L, 30L));
    assertTrue(room.make(List.of(volume("/ssd", 0)), 20));
    assertEquals(40, room.granted(new File("/ssd")));
  }

  @Test
  void granted_isTheWritersOwn() throws Exception {
    copies.named.add(50L);
    assertTrue(room.make(List.of(volume("/ssd", 0)), 20));
    long[] others = new long[1];
    Thread other = new Thread(() -> others[0] = room.granted(new File("/ssd")));
    other.start();
    other.join();
    assertEquals(0, others[0]);
  }
}
