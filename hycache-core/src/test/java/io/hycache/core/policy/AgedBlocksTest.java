// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.AgedBlocks.Block;
import io.hycache.core.policy.BlockKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks in the order of their last reads, held against a list that is searched. */
class AgedBlocksTest {
  private static final int KINDS = 3;

  private final BlockKinds kinds = new BlockKinds(DiskTime.DEFAULT, BlockKinds.Order.DENSITY);
  private final AgedBlocks aged = new AgedBlocks(kinds);

  /** What is expected of a block. */
  private static final class Expected {
    final Block block;
    long readAt;
    int step;
    boolean resident;

    Expected(Block block, long readAt) {
      this.block = block;
      this.readAt = readAt;
    }
  }

  /** By last read, the oldest first. */
  private final Map<Long, Expected> expected = new LinkedHashMap<>();

  private long now;

  private Block newBlock(long id) {
    long size = 1_000L << id % KINDS;
    return new Block(block(id), size, kinds.of(1, 0, size));
  }

  private Block of(long id) {
    return Objects.requireNonNull(expected.get(id)).block;
  }

  private void read(long id) {
    Expected before = expected.remove(id);
    boolean resident = before != null && before.resident;
    Expected after = new Expected(before == null ? newBlock(id) : before.block, now);
    Block block = after.block;
    if (before == null) {
      block.kind.blocks++;
      aged.add(block, false, now);
    } else {
      assertEquals(now - before.readAt, aged.age(block, now));
      Kind next = kinds.of(1, 0, 1_000L << (id + now) % KINDS);
      block.kind.blocks--;
      next.blocks++;
      aged.readAgain(block, aged.step(block), next, now);
      assertSame(next, block.kind);
    }
    after.resident = resident;
    expected.put(id, after);
  }

  private void turn(long id) {
    Expected block = expected.get(id);
    if (block == null) {
      return;
    }
    if (block.resident) {
      aged.depart(block.block);
    } else {
      aged.arrive(block.block);
    }
    block.resident = !block.resident;
  }

  private void forget(long id) {
    Expected block = expected.remove(id);
    if (block != null) {
      aged.remove(block.block);
      block.block.kind.blocks--;
    }
  }

  private void age() {
    aged.age(now);
    for (Expected each : expected.values()) {
      int next = each.step + 1;
      if (next < BlockKinds.AGES && now - each.readAt >= BlockKinds.firstAge(next)) {
        each.step = next;
      }
    }
  }

  private List<Block> leaving() {
    List<Block> leaving = new ArrayList<>();
    AgedBlocks.Leaving next = aged.new Leaving();
    for (Block block = next.next(); block != null; block = next.next()) {
      assertEquals(block.kind.ranks[aged.step(block)], next.rank());
      leaving.add(block);
    }
    return leaving;
  }

  private void check() {
    List<Expected> residents =
        expected.values().stream().filter(each -> each.resident).collect(Collectors.toList());
    assertEquals(residents.size(), aged.residents());
    assertEquals(expected.size() - residents.size(), aged.others());
    for (Expected each : expected.values()) {
      assertEquals(each.step, aged.step(each.block));
      assertEquals(each.resident, aged.isResident(each.block));
    }
    residents.sort(
        Comparator.<Expected>comparingDouble(each -> each.block.kind.ranks[each.step])
            .thenComparingInt(each -> each.block.kind.id)
            .thenComparingInt(each -> -each.step));
    List<Block> order = residents.stream().map(each -> each.block).collect(Collectors.toList());
    assertEquals(order, leaving());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomEvents_leaveTheBlocksThatAListWould(long seed) {
    Random random = new Random(seed);
    for (now = 1; now <= 20_000; now++) {
      read((long) (600 * Math.pow(random.nextDouble(), 3)));
      turn(random.nextInt(600));
      if (random.nextInt(8) == 0) {
        forget(random.nextInt(600));
      }
      if (now % BlockKinds.ACCESSES_PER_TICK == 0) {
        age();
      }
      if (now % 1_000 == 0) {
        kinds.update();
        aged.rank();
      }
      if (now % 97 == 0) {
        check();
      }
    }
  }

  @Test
  void reachedAges_areCountedByKind() {
    read(0);
    for (now = 1; now <= 128; now++) {
      if (now % BlockKinds.ACCESSES_PER_TICK == 0) {
        age();
      }
    }
    double[] reached = of(0).kind.reached;
    int step = aged.step(of(0));
    assertTrue(step > 1, "" + step);
    for (int at = 1; at < BlockKinds.AGES; at++) {
      assertEquals(at <= step ? 1 : 0, reached[at], "step " + at);
    }
  }

  @Test
  void oldestOther_isTheOneReadLongestAgo_thatIsNotResident() {
    for (now = 0; now < 5; now++) {
      read(now);
    }
    turn(0);
    assertSame(of(1), aged.oldestOther());
    forget(1);
    assertSame(of(2), aged.oldestOther());
    int[] hashes = new int[2];
    assertEquals(2, aged.oldestOthers(hashes, 2));
    assertArrayEquals(new int[] {of(2).key.idHash(), of(3).key.idHash()}, hashes);
    turn(2);
    turn(3);
    turn(4);
    assertNull(aged.oldestOther());
    assertEquals(0, aged.oldestOthers(hashes, 2));
  }

  @Test
  void blockThatDeparts_isBeyondTheWindow_ifLaterOnesWereForgotten() {
    for (now = 0; now < 3; now++) {
      read(now);
    }
    turn(0);
    turn(2);
    assertSame(of(1), aged.oldestOther());
    forget(1);
    assertNull(aged.oldestOther());
    assertTrue(aged.depart(of(0)));
  }
}
