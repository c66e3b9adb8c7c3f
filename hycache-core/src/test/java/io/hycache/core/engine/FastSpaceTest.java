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

  @Test
  void sums_deviceTakenOutOfUse_areOfTheOthers() {
    FastDevice nvme = new FastDevice("nvme", 100, 40, true);
    FastDevice ssd = new FastDevice("ssd", 300, 90, true).ofTier(1, FastDevice.SSD);
    FastDevice cache = new FastDevice("cache", 500, 70, false).ofTier(1, FastDevice.SSD);
    space.update(List.of(ssd, nvme, cache));
    space.take("ssd", 30);
    assertEquals(List.of("ssd", "nvme", "cache"), space.ids());
    assertEquals(List.of("ssd", "nvme"), space.volumes());
    assertEquals(List.of(0, 1), space.tiers());
    assertEquals(List.of(0), space.upperTiers());
    assertEquals(List.of(nvme), space.of(0));
    assertEquals(List.of(ssd, cache), space.bottom());
    assertEquals(900, space.capacityBytes());
    assertEquals(400, space.replicaCapacityBytes());
    assertEquals(500, space.largestBytes());
    assertEquals(170, space.availableBytes());
    assertEquals(100, space.replicaAvailableBytes(space.devices()));
    assertEquals(70, space.mostAvailableBytes());

    space.update(List.of(nvme));
    assertEquals(List.of("nvme"), space.ids());
    assertEquals(List.of("nvme"), space.volumes());
    assertEquals(List.of(0), space.tiers());
    assertEquals(List.of(), space.upperTiers());
    assertEquals(List.of(nvme), space.bottom());
    assertEquals(100, space.capacityBytes());
    assertEquals(100, space.replicaCapacityBytes());
    assertEquals(100, space.largestBytes());
  }
}
