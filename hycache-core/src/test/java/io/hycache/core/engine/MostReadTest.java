// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.policy.Policies;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MostReadTest {
  private static List<String> mostRead(EngineRig rig, int most) throws Exception {
    return rig.engine.mostRead(most).stream()
        .map(status -> status.block.id() + " " + status.reads)
        .collect(Collectors.toList());
  }

  @Test
  void mostRead_hasThoseWithMostReads_mostFirst_andNoneWithoutARead() throws Exception {
    try (EngineRig rig =
        new EngineRig(config().build(), Policies.create("lru"), new FakeDataNode(2 * BLOCK))) {
      rig.start();
      assertEquals(List.of(), mostRead(rig, 3));
      int[] reads = {3, 0, 7, 1, 9, 2};
      for (int id = 0; id < reads.length; id++) {
        rig.disk(id);
        for (int i = 0; i < reads[id]; i++) {
          rig.read(id, BLOCK, false);
        }
      }
      assertEquals(List.of("4 9", "2 7", "0 3"), mostRead(rig, 3));
      assertEquals(List.of("4 9", "2 7", "0 3", "5 2", "3 1"), mostRead(rig, 100));
      assertEquals(List.of("4 9"), mostRead(rig, 1));
    }
  }
}
