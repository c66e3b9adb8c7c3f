// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResolvedManifestTest {
  private static ResolvedManifest.NodeHints hints(String notCounted) {
    NodeStatus status =
        NodeStatus.builder()
            .put(NodeFigure.MODE, "active")
            .put(NodeFigure.POLICY, "lru")
            .put(NodeFigure.FREE_BYTES, 30)
            .put(NodeFigure.CLEAN_BYTES, 50)
            .put(NodeFigure.DIRTY_BYTES, 20)
            .put(NodeFigure.NOT_COUNTED, notCounted)
            .build();
    DataNode node = new DataNode("uuid", "dn1:9866", "dn1:9866");
    return new ResolvedManifest.NodeHints(node, 1, 1_000, List.of(), List.of(), status);
  }

  @Test
  void room_isWhatIsFreeAndWhatMayMakeWay() {
    assertEquals(OptionalLong.of(100), hints("").roomBytes());
    assertEquals(OptionalLong.of(100), hints("").fittingBytes());
  }

  /** After a restart, it is not known yet what may make way. */
  @Test
  void room_replicasAreStillBeingScanned_isNotKnown() {
    assertEquals(OptionalLong.empty(), hints("the replicas are being scanned").roomBytes());
    assertEquals(OptionalLong.empty(), hints("the replicas are being scanned").fittingBytes());
  }
}
