// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

/** The tests of {@link HyCacheEngineTest} with two SSDs of different size. */
class HyCacheEngineTwoSsdsTest extends HyCacheEngineTest {
  /** Sizes that hold 7 and 3 dirty blocks, or 6 and 3 clean ones with their checksum files. */
  @Override
  FakeDataNode node(long capacityBytes) {
    long small = capacityBytes * 303 / 1005;
    return new FakeDataNode(capacityBytes - small, small);
  }

  /** With one SSD only: each SSD has a budget of its own, and these figures are for one. */
  @Override
  void writeBudget_survivesARestart() {}

  /** With one SSD only: each SSD has a budget of its own, and these figures are for one. */
  @Override
  void writeBudget_promotionsStopFirst_thenWrites() {}

  /** With one SSD only: each SSD has a log of its own, and this is about the order in one. */
  @Override
  void heat_survivesARestart_recencyAndFrequency() {}
}
