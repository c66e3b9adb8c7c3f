// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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

    @Override
    public void onReferences(CacheKey key, long remaining) {
      events.add(key.id() + ": references");
    }

    @Override
    public void onUsedWithoutAccess(CacheKey key) {
      events.add(key.id() + ": used");
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

  @Test
  void announcedUse_withoutAnAccess_isReported() throws Exception {
    try (EngineRig rig = rig()) {
      rig.disk(1);
      rig.disk(2);
      rig.put(new Replica(key(3), 1, BLOCK), Home.SSD_OWNER);
      rig.disk(4);
      rig.hints("w", TimeUnit.HOURS.toMillis(1), 1, 2, 3, 4);
      rig.quiet();
      policy.events.clear();

      rig.read(1, BLOCK, false);
      rig.engine.onReadElsewhere(List.of(key(2)));
      rig.engine.settle();
      rig.read(3, BLOCK, true);
      rig.read(4, BLOCK * 8 / 10, false);
      rig.read(4, BLOCK / 10, false);

      assertEquals(
          List.of(
              "1: references",
              "1: 10000 bytes in 1",
              "2: references",
              "2: used",
              "3: references",
              "3: used",
              "4: 8000 bytes in 1",
              "4: references",
              "4: used"),
          policy.events);
    }
  }
}
