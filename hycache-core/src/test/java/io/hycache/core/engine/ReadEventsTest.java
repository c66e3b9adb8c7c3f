// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.Access;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a policy gets of the reads. */
class ReadEventsTest {
  /** LRU that writes down its events. */
  private static final class Notes extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");
    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    protected CachePolicy current() {
      return lru;
    }

    @Override
    public void onAccess(Access access) {
      super.onAccess(access);
      events.add(
          access.key().id() + ": " + access.requestBytes() + " bytes in " + access.requests());
    }
  }

  private final Notes policy = new Notes();

  private EngineRig rig() {
    FakeDataNode node = new FakeDataNode(10 * BLOCK);
    return new EngineRig(config().checksumShare(0).build(), policy, node).start();
  }

  @Test
  void accessOfSmallReads_hasTheirNumberAndTheSumOfTheirBytes() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1, 128_000);
      rig.read(1, 15_000, false);
      rig.read(1, 1_000, false);
      assertEquals(List.of("1: 16000 bytes in 2"), policy.events);
      rig.disk(2, 128_000);
      for (int read = 0; read < 4; read++) {
        rig.read(2, 1_000, false);
      }
      rig.disk(3, 128_000);
      rig.read(3, 128_000, false);
      assertEquals(
          List.of("1: 16000 bytes in 2", "2: 4000 bytes in 4", "3: 128000 bytes in 1"),
          policy.events);
    }
  }
}
