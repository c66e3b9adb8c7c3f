// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BlockMovesTest {
  private static final BlockKey BLOCK = new BlockKey("pool", 1);
  private static final BlockKey OTHER = new BlockKey("pool", 2);

  private final BlockMoves moves = new BlockMoves();
  private final AtomicInteger switches = new AtomicInteger();

  private boolean commit() {
    return moves.commit(BLOCK, () -> switches.incrementAndGet() > 0);
  }

  @Test
  void commit_noWriterCame_switches() throws Exception {
    try (BlockMoves.Hold move = moves.begin(BLOCK)) {
      assertTrue(commit());
    }
    assertEquals(1, switches.get());
    assertFalse(moves.isMoving(BLOCK));
  }

  @Test
  void commit_changeRefuses_false() throws Exception {
    try (BlockMoves.Hold move = moves.begin(BLOCK)) {
      assertFalse(moves.commit(BLOCK, () -> false));
    }
  }

  @Test
  void commit_writerIsThere_refused() throws Exception {
    try (BlockMoves.Hold move = moves.begin(BLOCK);
        BlockMoves.Hold writer = moves.writing(BLOCK)) {
      assertTrue(moves.isAbandoned(BLOCK));
      assertFalse(commit());
    }
    assertEquals(0, switches.get());
  }

  @Test
  void commit_writerCameAndWentSinceTheMoveBegan_refused() throws Exception {
    try (BlockMoves.Hold move = moves.begin(BLOCK)) {
      moves.writing(BLOCK).close();
      assertTrue(moves.isAbandoned(BLOCK));
      assertFalse(commit());
    }
    assertEquals(0, switches.get());
    assertFalse(moves.isAbandoned(BLOCK));
    try (BlockMoves.Hold next = moves.begin(BLOCK)) {
      assertTrue(commit(), "the next move is not abandoned");
    }
  }

  @Test
  void begin_writerIsThere_abandonedAtOnce() throws Exception {
    BlockMoves.Hold first = moves.writing(BLOCK);
    BlockMoves.Hold second = moves.writing(BLOCK);
    first.close();
    assertThrows(MoveAbandonedException.class, () -> moves.begin(BLOCK));
    moves.begin(OTHER).close();
    second.close();
    moves.begin(BLOCK).close();
  }

  @Test
  void begin_moveEndedWhileTheWriterIsThere_stillRefused() throws Exception {
    BlockMoves.Hold move = moves.begin(BLOCK);
    BlockMoves.Hold writer = moves.writing(BLOCK);
    move.close();
    assertThrows(MoveAbandonedException.class, () -> moves.begin(BLOCK));
    writer.close();
    moves.begin(BLOCK).close();
  }

  @Test
  void begin_anotherThreadMoves_refusedAndTheSameThreadMayAgain() throws Exception {
    try (BlockMoves.Hold move = moves.begin(BLOCK)) {
      moves.begin(BLOCK).close();
      assertTrue(moves.isMoving(BLOCK), "the inner hold does not end the outer");
      Throwable refused =
          CompletableFuture.supplyAsync(
                  () -> assertThrows(MoveAbandonedException.class, () -> moves.begin(BLOCK)))
              .get(10, TimeUnit.SECONDS);
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith("another move of the block is under way"),
          refused.toString());
    }
  }

  @Test
  void writing_switchIsUnderWay_seesItDone() throws Exception {
    CountDownLatch switching = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (BlockMoves.Hold move = moves.begin(BLOCK)) {
      CompletableFuture<Boolean> made =
          CompletableFuture.supplyAsync(
              () ->
                  moves.commit(
                      BLOCK,
                      () -> {
                        switching.countDown();
                        await(goOn);
                        return switches.incrementAndGet() > 0;
                      }));
      switching.await();
      FutureTask<Integer> seen =
          new FutureTask<>(
              () -> {
                try (BlockMoves.Hold writer = moves.writing(BLOCK)) {
                  return switches.get();
                }
              });
      Thread waiting = new Thread(seen);
      waiting.start();
      while (waiting.getState() != Thread.State.BLOCKED) {
        assertTrue(waiting.isAlive(), "it did not wait");
        Thread.sleep(1);
      }
      goOn.countDown();
      assertTrue(made.get());
      assertEquals(1, seen.get(), "a writer begins before or after a switch, never amid");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(10, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
