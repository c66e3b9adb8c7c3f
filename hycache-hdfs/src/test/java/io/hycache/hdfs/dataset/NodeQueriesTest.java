// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.hint.Hints;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeQueriesTest {
  private static final CountDownLatch WAITS = new CountDownLatch(1);
  private static final CountDownLatch GATE = new CountDownLatch(1);

  /** LRU that takes long to take over hints. */
  public static final class Slow extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");

    @Override
    protected CachePolicy current() {
      return lru;
    }

    @Override
    public void onNextUse(CacheKey key, long atNanos) {
      WAITS.countDown();
      try {
        GATE.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      lru.onNextUse(key, atNanos);
    }
  }

  /** A DataNode without volumes. */
  private static final class NoVolumes implements Host {
    @Override
    public List<FastDevice> devices() {
      return List.of();
    }

    @Override
    public List<SlowDevice> slowDevices() {
      return List.of();
    }

    @Override
    public @Nullable String slowDevice(BlockKey block) {
      return null;
    }

    @Override
    public @Nullable Replica finalized(BlockKey block) {
      return null;
    }

    @Override
    public boolean exists(BlockKey block) {
      return true;
    }

    @Override
    public boolean hasClean(BlockKey block, Part part) {
      return false;
    }
  }

  private static HyCacheEngine engine(HyCacheConf conf, Counters counters) {
    return new HyCacheEngine(
        conf.engine(),
        Policies.create("lru"),
        Stubs.of(BlockMover.class, Map.of()),
        new NoVolumes(),
        (device, fresh, frames) -> {},
        counters,
        e -> {});
  }

  private static NodeQueries queries(
      HyCacheEngine engine, Guard guard, HyCacheConf conf, BooleanSupplier scanned) {
    return new NodeQueries(
        "uuid", engine, Mode.ACTIVE, guard, conf, () -> null, now -> List.of(), () -> 0, scanned);
  }

  /** The call ends before the policy has taken over; what it changes is shown, and kept. */
  @Test
  void settings_plannerTakesLongerThanTheCallWaits_changeIsShownAndKept() throws Exception {
    Configuration hadoop = new Configuration(false);
    hadoop.set(HyCacheKeys.POLICY, "lru");
    HyCacheConf conf = new HyCacheConf(hadoop);
    Counters counters = new Counters();
    try (HyCacheEngine engine = engine(conf, counters)) {
      Guard guard = new Guard(20, counters);
      NodeQueries queries = queries(engine, guard, conf, () -> true);
      engine.start();
      Hints.Reference read = new Hints.Reference(new BlockKey("BP-1", 9), 10_000, false);
      queries.submitHints(new Hints("w", 600_000, List.of(read)), "alice", false);
      AtomicReference<@Nullable Exception> thrown = new AtomicReference<>();
      Thread caller =
          new Thread(
              () ->
                  thrown.set(
                      assertThrows(
                          IOException.class,
                          () ->
                              queries.settings(Map.of(HyCacheKeys.POLICY, Slow.class.getName())))));
      caller.start();
      assertTrue(WAITS.await(60, TimeUnit.SECONDS));
      caller.interrupt(); // as if its time were over
      caller.join();
      String message = String.valueOf(thrown.get());
      assertTrue(message.contains("and may still apply the change. Fix: look with"), message);
      assertEquals("lru", queries.settings(Map.of()).get(HyCacheKeys.POLICY));
      GATE.countDown();
      GenericTestUtils.waitFor(() -> engine.plannerStalledSeconds() == 0, 10, 60_000);
      engine.awaitChanges();
      assertEquals(Slow.class.getName(), queries.settings(Map.of()).get(HyCacheKeys.POLICY));
      Map<String, String> next = queries.settings(Map.of(HyCacheKeys.DEMOTE_LOW, "0.2"));
      assertEquals(Slow.class.getName(), next.get(HyCacheKeys.POLICY));
      assertEquals("0.2", next.get(HyCacheKeys.DEMOTE_LOW));
      assertEquals(Slow.class.getName(), queries.status().policy());
    } finally {
      GATE.countDown();
    }
  }

  /** Before the scan, and in pass-through, the engine knows of no dirty replica. */
  @Test
  void status_replicasNotScannedOrPassThrough_isNotCounted() throws Exception {
    HyCacheConf conf = new HyCacheConf(new Configuration(false));
    Counters counters = new Counters();
    AtomicBoolean scanned = new AtomicBoolean();
    try (HyCacheEngine engine = engine(conf, counters)) {
      Guard guard = new Guard(20, counters);
      AtomicBoolean trips = new AtomicBoolean();
      NodeQueries queries =
          queries(
              engine,
              guard,
              conf,
              () -> {
                if (trips.get()) {
                  guard.trip("made to fail");
                }
                return scanned.get();
              });
      engine.start();
      assertEquals(
          "the DataNode's replicas are still being scanned", queries.status().notCounted());
      scanned.set(true);
      assertTrue(queries.status().isCounted());
      trips.set(true);
      assertEquals(
          "HyCache is in pass-through",
          queries.lastStatus().notCounted(),
          "the figures are taken after it was asked whether the scan is complete");
      assertEquals("HyCache is in pass-through", queries.status().notCounted());
    }
  }
}
