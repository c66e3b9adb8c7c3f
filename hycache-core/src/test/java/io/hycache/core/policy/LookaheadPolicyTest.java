// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.spi.KnownSequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookaheadPolicyTest {
  private static final long SIZE = 100;

  /** A sequence given by block numbers. */
  private static final class Sequence implements KnownSequence {
    private final int[] blocks;
    private int position;

    Sequence(int... blocks) {
      this.blocks = blocks;
    }

    @Override
    public long length() {
      return blocks.length;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public CacheKey key(long at) {
      return CachePolicyContract.block(blocks[(int) at]);
    }

    @Override
    public long sizeBytes(long at) {
      return SIZE;
    }

    @Override
    public long requestBytes(long at) {
      return SIZE;
    }

    @Override
    public boolean isWrite(long at) {
      return false;
    }

    int next(int from) {
      for (int at = from + 1; at < blocks.length; at++) {
        if (blocks[at] == blocks[from]) {
          return at;
        }
      }
      return -1;
    }

    int left(int from) {
      int left = 0;
      for (int at = from + 1; at < blocks.length; at++) {
        left += blocks[at] == blocks[from] ? 1 : 0;
      }
      return left;
    }
  }

  private static long hits(
      io.hycache.core.spi.CachePolicy policy, Sequence sequence, long capacity) {
    Replay replay = new Replay(policy, capacity);
    policy.onSequence(sequence);
    for (int at = 0; at < sequence.blocks.length; at++) {
      sequence.position = at;
      CacheKey block = sequence.key(at);
      int next = sequence.next(at);
      policy.onReferences(block, sequence.left(at));
      policy.onNextUse(block, next < 0 ? Long.MAX_VALUE : next);
      replay.access(block, SIZE, SIZE, false, sequence.left(at), at);
    }
    return replay.totals().hits;
  }

  @Test
  void equalSwaps_whichBlockTheHeuristicForEver_areMade() {
    // Block 1 is used often, but late; 2 to 9 are used in turn from the start. The heuristic keeps
    // 1.
    int[] blocks = new int[200];
    for (int i = 0; i < 100; i++) {
      blocks[i] = 2 + i / 2 % 8;
      blocks[100 + i] = i % 2 == 0 ? 1 : 2 + i / 2 % 8;
    }
    blocks[0] = 1;
    long heuristic = hits(new HeuristicPolicy(), new Sequence(blocks.clone()), SIZE);
    long lookahead =
        hits(new LookaheadPolicy(DiskTime.DEFAULT), new Sequence(blocks.clone()), SIZE);
    long belady = hits(new BeladyPolicy(), new Sequence(blocks.clone()), SIZE);

    assertEquals(belady, lookahead);
    assertEquals(true, heuristic < lookahead, heuristic + " " + lookahead);
  }

  @Test
  void noSequence_isReuse() {
    LookaheadPolicy policy = new LookaheadPolicy(DiskTime.DEFAULT);
    assertEquals("reuse", policy.rule());

    policy.onSequence(new Sequence(1, 2, 1));
    assertEquals("pro-rata", policy.rule());
    Sequence over = new Sequence(1);
    over.position = 1;
    policy.onSequence(over);
    assertEquals("reuse", policy.rule());
  }

  @Test
  void newSequence_keepsTheResidents() {
    LookaheadPolicy policy = new LookaheadPolicy(DiskTime.DEFAULT);
    policy.onAdmitted(CachePolicyContract.block(1), SIZE, 1);
    policy.onSequence(new Sequence(1, 2, 1));

    assertEquals(1, policy.residents());
  }

  private static List<String> known(Rule<?> rule) {
    List<String> all = new ArrayList<>();
    rule.forEachKnown(
        k ->
            all.add(
                k.key.id() + " " + k.references + " " + k.announcedNextUse() + " " + k.resident));
    Collections.sort(all);
    return all;
  }

  @Test
  void newRule_receivesTheWholeStateOfTheOldOne() {
    for (Rule<?> old :
        List.of(
            new HeuristicPolicy(), new BeladyPolicy(), new ProRataPolicy(DiskTime.DEFAULT, null))) {
      old.onReferences(CachePolicyContract.block(1), 3);
      old.onNextUse(CachePolicyContract.block(1), 70);
      old.onAdmitted(CachePolicyContract.block(1), SIZE, 5);
      old.onReferences(CachePolicyContract.block(2), 1);
      old.onNextUse(CachePolicyContract.block(2), 80);
      old.onAdmitted(CachePolicyContract.block(3), SIZE, 6);
      old.onReferences(CachePolicyContract.block(4), 2);
      old.onReferences(CachePolicyContract.block(4), 0);

      List<String> before = known(old);
      assertEquals(
          List.of("1 3 70 true", "2 1 80 false", "3 0 " + Long.MAX_VALUE + " true"), before);
      Rule<?> heir = new HeuristicPolicy();
      old.handOver(heir, 9);
      assertEquals(before, known(heir));
    }
  }

  @Test
  void rehearsal_manyResidentsThatAreNotAhead_areTakenIn() {
    Rule<?> rule = new BeladyPolicy();
    for (int id = 10; id < 5000; id++) {
      rule.onAdmitted(CachePolicyContract.block(id), SIZE, 1);
    }
    Rehearsal rehearsal =
        Rehearsal.of(new Sequence(1, 2, 1), rule, SIZE * rule.residents(), 100_000);

    assertEquals(3, rehearsal.accesses());
    assertEquals(
        DiskTime.DEFAULT.seconds(2, 2 * SIZE),
        rehearsal.diskSeconds(new BeladyPolicy(), DiskTime.DEFAULT),
        1e-12,
        "1 is fetched for its second use, 2 is not");
  }
}
