// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.USER;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.stats.Counters.Counter;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the holders of a block tell each other of reads. */
class ReadReportsTest {

  private static final class FakeNeighbours implements Neighbours {
    final List<String> reads = new CopyOnWriteArrayList<>();
    volatile boolean taking = true;

    @Override
    public void publish(BlockKey block, Residency residency, long sizeBytes) {}

    @Override
    public void ask(BlockKey block, Consumer<Boolean> answer) {
      answer.accept(false);
    }

    @Override
    public boolean reportRead(BlockKey block, List<String> hinted) {
      reads.add(block.id() + " " + hinted);
      return taking;
    }
  }

  private final FakeNeighbours neighbours = new FakeNeighbours();

  /** The SSD has room for two blocks. */
  private static EngineRig rig() throws Exception {
    EngineRig rig =
        new EngineRig(
                config().checksumShare(0).build(),
                Policies.create("heuristic"),
                new FakeDataNode(2 * BLOCK + BLOCK / 2))
            .start();
    rig.probe();
    return rig;
  }

  private static void watch(EngineRig rig, long id, int reads) throws Exception {
    watch(rig, id, reads, List.of("dn7"));
  }

  private static void watch(EngineRig rig, long id, int reads, List<String> hinted)
      throws Exception {
    Watched watched = new Watched(key(id), reads, hinted);
    assertEquals(
        0,
        rig.engine
            .submitHints(new Hints("w", 60_000, List.of(), List.of(watched)), USER, false)
            .accepted());
  }

  @Test
  void readHere_ofABlockHintedElsewhere_isReportedAndNotFetched() throws Exception {
    try (EngineRig rig = rig()) {
      rig.engine.join(neighbours);
      rig.disk(1);
      rig.disk(2);
      watch(rig, 1, 2);
      rig.read(2);
      rig.read(1, BLOCK / 2, false);
      assertEquals(List.of(), neighbours.reads);
      rig.read(1, BLOCK / 2, false);
      assertEquals(List.of("1 [dn7]"), neighbours.reads);
      neighbours.taking = false;
      rig.read(1);
      rig.read(1);
      assertEquals(List.of("1 [dn7]", "1 [dn7]"), neighbours.reads, "no more than expected");
      assertEquals(1, rig.count(Counter.HINTED_READS_REPORTED));
      assertEquals(1, rig.count(Counter.HINTED_READS_UNREPORTED));
      assertEquals(List.of(), rig.moves("promote"));
      assertEquals(0, rig.status().hintsLeft());
    }
  }

  @Test
  void readHere_hintedToVeryMany_isReportedToTheFirstTen() throws Exception {
    try (EngineRig rig = rig()) {
      rig.engine.join(neighbours);
      rig.disk(1);
      List<String> ids =
          IntStream.range(0, 512).mapToObj(i -> "dn" + i).collect(Collectors.toList());
      watch(rig, 1, 1, ids);
      rig.read(1);
      assertEquals(List.of("1 " + ids.subList(0, 10)), neighbours.reads);
    }
  }

  @Test
  void readHere_afterWithdrawal_isNotReported() throws Exception {
    try (EngineRig rig = rig()) {
      rig.engine.join(neighbours);
      rig.disk(1);
      watch(rig, 1, 2);
      assertEquals(OptionalInt.empty(), rig.engine.withdrawHints(new WorkflowId(USER, "w")));
      rig.read(1);
      assertEquals(List.of(), neighbours.reads);
    }
  }

  @Test
  void readHere_withoutADirectory_isNoFailure() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1);
      watch(rig, 1, 2);
      rig.read(1);
      assertEquals(0, rig.count(Counter.HINTED_READS_REPORTED));
      assertEquals(List.of(), rig.failures);
    }
  }

  @Test
  void readElsewhere_usesUpTheHint_andItsCopyMakesWay() throws Exception {
    try (EngineRig rig = rig()) {
      for (int id = 1; id <= 4; id++) {
        rig.disk(id);
      }
      rig.hints("w", 60_000_000, 1, 2, 1, 2);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData && rig.locate(2).cleanData);

      rig.engine.onReadElsewhere(List.of(key(1), key(1), key(1), key(3), key(99)));
      rig.engine.settle();
      assertEquals(2, rig.status().hintsLeft(), "those of block 2");
      assertEquals(2, rig.count(Counter.HINTS_READ_ELSEWHERE), "reports use up what is there");

      rig.hints("next", 60_000_000, 3, 3);
      rig.quiet();
      assertTrue(rig.locate(3).cleanData, "in place of block 1, which nobody will read");
      assertTrue(rig.locate(2).cleanData);
      assertEquals(List.of(), rig.failures);
    }
  }

  @Test
  void readElsewhere_ofTheNextReference_keepsTheCopyForTheOneAfterIt() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1);
      rig.hints("w", 60_000_000, 1, 1, 1);
      rig.quiet();
      rig.read(1, BLOCK / 2, true);
      rig.engine.onReadElsewhere(List.of(key(1)));
      rig.engine.settle();
      assertEquals(2, rig.status().hintsLeft());
      rig.read(1, BLOCK / 2, true);
      assertEquals(1, rig.status().hintsLeft(), "bytes read here before the report still count");
      assertTrue(rig.locate(1).cleanData);
    }
  }
}
