// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class KnownHintsTest {
  private final KnownHints hints = new KnownHints();

  /** As on a DataNode: the references change before the read. */
  private void readAsHinted(long id) {
    hints.setReferences(block(id), 1);
    hints.setReferences(block(id), 0);
    hints.read(block(id));
  }

  @Test
  void lastReadWasAnnounced_isSpokenOfUntilTheNextRead() {
    readAsHinted(1);
    hints.read(block(2));
    assertTrue(hints.speakOf(block(1)));
    hints.read(block(1));
    assertFalse(hints.speakOf(block(1)));
  }

  @Test
  void referencesThatChangeAfterTheRead_areUsedUpByIt() {
    hints.setReferences(block(1), 1);
    hints.read(block(1));
    hints.setReferences(block(1), 0);
    hints.read(block(2));
    assertTrue(hints.speakOf(block(1)));
  }

  @Test
  void lastReferenceWasUsedElsewhere_theNextReadIsNoAnnouncedOne() {
    hints.setReferences(block(1), 1);
    hints.setReferences(block(1), 0);
    hints.usedWithoutAccess();
    hints.read(block(1));
    assertFalse(hints.speakOf(block(1)));
  }

  @Test
  void withdrawnReferences_areNoReads() {
    readAsHinted(1);
    hints.read(block(2));
    for (int id = 100; id < 10_000; id++) {
      hints.setReferences(block(id), 1);
      hints.setReferences(block(id), 0);
    }
    assertFalse(hints.speakOf(block(100)));
    assertTrue(hints.speakOf(block(1)), "pushed out by blocks that were not read");
  }
}
