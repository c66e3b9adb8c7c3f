// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What concurrent moves leave to an administrator. */
class SettlementTest {
  private static final int ROUNDS = 100;
  private static final int STREAMS = 2;

  @Test
  void settle_filesOfTheSameNameKeptAtOnce_allAreThere() throws Exception {
    try (LocalDirRig rig = new LocalDirRig();
        Corner corner = Corner.open(rig.ssd, Caller.of(rig.ports.calls))) {
      TreeLayout layout = TreeLayout.open(rig.config().build(), corner);
      Settlement settlement =
          new Settlement(layout, new FileExchange.TwoSteps(), writers(rig, corner), rig.ports.park);
      AtomicInteger arrivals = new AtomicInteger();
      List<FutureTask<Void>> streams = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        String prefix = "d" + i + "-";
        FutureTask<Void> stream =
            new FutureTask<>(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    MoveRecord record = record(rig, layout, prefix, round);
                    arrivals.incrementAndGet();
                    while (arrivals.get() < (round + 1) * STREAMS) {
                      Thread.onSpinWait(); // to be there in the same microsecond
                    }
                    assertEquals(Settlement.Outcome.KEPT, settlement.settle(record, null, true));
                  }
                  return null;
                });
        streams.add(stream);
        new Thread(stream, prefix).start();
      }
      for (FutureTask<Void> stream : streams) {
        stream.get();
      }
      assertEquals(STREAMS * ROUNDS, layout.keptFiles());
    }
  }

  private static Writers writers(LocalDirRig rig, Corner corner) {
    return new Writers(rig.ports.proc, corner.caller(), rig.ports.nanos);
  }

  /** A displaced file, whose directory is gone. Each round has its name. */
  private static MoveRecord record(LocalDirRig rig, TreeLayout layout, String prefix, int round)
      throws Exception {
    Path staged = Files.writeString(layout.staging().resolve(prefix + round), prefix);
    FileMark mark = FileMark.of(staged);
    Path path = rig.ssd.resolve("gone/x" + round);
    return new MoveRecord(MoveRecord.Kind.DOWN, staged, path, mark.ino, 0, mark);
  }
}
