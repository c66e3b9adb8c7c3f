// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableList;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class WriteSpaceTest {
  private static final BlockKey A = new BlockKey("BP-1", 1);
  private static final BlockKey B = new BlockKey("BP-1", 2);

  private final WriteSpace space = new WriteSpace();

  private void look(long limitBytes, long dirtyBytes, long freeBytes) {
    space.endLook(space.beginLook(), limitBytes, dirtyBytes, freeBytes);
  }

  @Test
  void reserve_beforeTheFirstLook_isRefused() {
    assertFalse(space.reserve(1));
  }

  @Test
  void reserve_upToWhatIsFree_andTellsWhatIsMissing() {
    look(1000, 0, 100);
    assertTrue(space.reserve(60));
    assertTrue(space.reserve(40));
    assertFalse(space.reserve(7));
    space.missed(A, 7, 0);
    space.filled(A, 7);
    assertEquals(7, space.takeWanted(0));
    assertEquals(0, space.takeWanted(0));
    assertEquals(100, space.inFlightBytes());
  }

  @Test
  void reserve_upToTheLimit_countsDirtyBytesAndWritesInFlight() {
    look(100, 50, 1000);
    assertTrue(space.reserve(30));
    space.started(A, 30, 0);
    look(100, 50, 970);
    assertFalse(space.reserve(21));
    assertTrue(space.reserve(20));
    assertEquals(0, space.takeWanted(0), "the limit is not a lack of room");
  }

  @Test
  void look_writePromisedButNotBegun_isTakenOffTheDevices() {
    look(1000, 0, 100);
    assertTrue(space.reserve(60));
    look(1000, 0, 100);
    assertFalse(space.reserve(41));
    space.started(A, 60, 0);
    look(1000, 0, 40);
    assertFalse(space.reserve(41));
    assertTrue(space.reserve(40));
  }

  @Test
  void look_promisesMeanwhile_areNotSeenByIt() {
    look(1000, 0, 100);
    WriteSpace.Look look = space.beginLook();
    assertTrue(space.reserve(60));
    space.endLook(look, 1000, 0, 100);
    assertFalse(space.reserve(41));
  }

  @Test
  void ended_givesNothingBackBeforeTheNextLook() {
    look(100, 0, 1000);
    assertTrue(space.reserve(100));
    space.started(A, 100, 0);
    assertTrue(space.ended(A));
    assertFalse(space.reserve(1), "it may be dirty now");
    look(100, 100, 900);
    assertFalse(space.reserve(1));
    look(100, 0, 900);
    assertTrue(space.reserve(1));
  }

  @Test
  void cancelled_isForgottenWithTheNextLook() {
    look(100, 0, 100);
    assertTrue(space.reserve(100));
    space.cancelled(100);
    assertEquals(0, space.inFlightBytes());
    look(100, 0, 100);
    assertTrue(space.reserve(100));
  }

  @Test
  void move_andWrite_neverGetTheSameBytes() {
    look(1000, 0, 100);
    assertTrue(space.reserveForMove(60, 100));
    assertFalse(space.reserve(41));
    assertTrue(space.reserve(40));
    assertFalse(space.reserveForMove(1, 40), "the planner's books have the move, not the write");
  }

  @Test
  void started_again_countsOnce() {
    look(1000, 0, 1000);
    assertTrue(space.reserve(10));
    space.started(B, 10, 0);
    assertTrue(space.reserve(30));
    space.started(B, 30, 0);
    assertEquals(30, space.inFlightBytes());
    assertTrue(space.ended(B));
    assertFalse(space.ended(B));
    assertEquals(0, space.inFlightBytes());
  }

  @Test
  void reserve_manyThreads_neverPromiseMoreThanThereIs() throws Exception {
    look(1_000_000, 0, 10_000);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int t = 0; t < 7; t++) {
        tasks.add(
            () -> {
              int got = 0;
              for (int i = 0; i < 1000; i++) {
                got += space.reserve(7) ? 7 : 0;
              }
              return got;
            });
      }
      tasks.add(
          () -> {
            int got = 0;
            for (int i = 0; i < 1000; i++) {
              got += space.reserveForMove(7, 10_000 - got) ? 7 : 0;
            }
            return got;
          });
      int sum = 0;
      for (Future<Integer> got : pool.invokeAll(tasks)) {
        sum += got.get();
      }
      assertEquals(9996, sum);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void smallFiles_makeLittleRoom() {
    look(100, 0, 100);
    assertTrue(space.reserve(64));
    space.started(A, 64, 0);
    assertEquals(0, space.expectedBytes(1_000_000_000), "it may be a log that stays open");
    for (int file = 0; file < 12; file++) {
      space.filled(A, 80);
    }
    assertEquals(63, space.expectedBytes());
    assertEquals(0, space.expectedBytes(999_999_999), "it may end at once");
    assertEquals(63, space.expectedBytes(1_000_000_000));
    space.missed(B, 64, 0);
    for (int file = 0; file < 5; file++) {
      space.filled(B, 0);
    }
    assertEquals(1, space.expectedBytes(), "64 / 2^5, writes to DISK count as well");
    space.missed(7);
    assertEquals(7, space.takeWanted(0));
    assertEquals(0, space.takeWanted(0));
    assertTrue(space.ended(A));
    assertEquals(0, space.expectedBytes());
  }

  @Test
  void missed_asksForWhatTheWriteFills_once() {
    space.missed(A, 64, 0);
    assertEquals(0, space.takeWanted(999_999_999), "it may be a small file");
    space.filled(A, 32);
    assertEquals(32, space.takeWanted(999_999_999));
    assertFalse(space.ended(A), "it was not to SSD");
    space.missed(B, 64, 0);
    assertEquals(16, space.takeWanted(1_000_000_000), "a quarter, as replicas filled lately");
    space.filled(B, 60);
    assertEquals(44, space.takeWanted(2_000_000_000), "the rest");
    assertEquals(0, space.takeWanted(3_000_000_000L));
  }

  /** As a client does whose pipeline failed: HDFS removes what was being written. */
  @Test
  void started_theBlockIsCreatedAgain_endsTheWriteBefore() {
    look(1000, 0, 200);
    assertTrue(space.reserve(60));
    space.started(A, 60, 0);
    space.startedSlow(A, "/disk", 1);
    assertEquals(0, space.inFlightBytes());
    assertEquals(Set.of("/disk"), space.devicesWritten(2, 10));
    assertTrue(space.reserve(60));
    space.started(A, 60, 3);
    assertEquals(60, space.inFlightBytes());
    assertEquals(Set.of(), space.devicesWritten(4, 10));
    assertTrue(space.reserve(60));
    space.started(A, 60, 5);
    assertEquals(60, space.inFlightBytes());
    assertTrue(space.ended(A));
    assertEquals(0, space.inFlightBytes());
    assertFalse(space.isWriting(A));
  }

  @Test
  void missed_andNeverEnded_isForgotten() {
    space.missed(A, 64, 0);
    assertTrue(space.isWriting(A));
    assertEquals(List.of(A), ImmutableList.copyOf(space.blocks()));
    assertFalse(space.ended(A));
    assertFalse(space.isWriting(A));
    assertEquals(0, space.takeWanted(1_000_000_000));
  }
}
