// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hycache.core.spi.FastDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

class FastSpaceTest {
  private final FastSpace space = new FastSpace();

  /** A move may end after its device went out of use. */
  @Test
  void allocatedBytes_deviceOutOfUse_areInItsUnitsStill() {
    space.update(
        List.of(
            new FastDevice("a", 1 << 30, 1 << 20, true, 4096),
            new FastDevice("b", 1 << 30, 1 << 20, true, 1024)));
    space.update(List.of());
    assertFalse(space.usable("a"));
    assertEquals(4096, space.allocatedBytes("a", 147));
    assertEquals(1024, space.allocatedBytes("b", 147));
    assertEquals(4096, space.allocatedBytes(147));
  }
}
