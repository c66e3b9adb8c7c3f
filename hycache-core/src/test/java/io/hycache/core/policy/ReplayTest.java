// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What a simulated cache does with sizes at the border. */
class ReplayTest {
  @Test
  void access_sizeThatCannotBeHeld_isRefused() {
    Replay replay = new Replay(new LruPolicy(), Long.MAX_VALUE);
    long size = 1L << 62;
    assertEquals(
        "sizeBytes: expected less than 2^62 - 1, found 4611686018427387904",
        assertThrows(
                IllegalArgumentException.class, () -> replay.access(block(1), size, 1, false, 0, 0))
            .getMessage());
  }
}
