// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.StepLimit;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.Counters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a policy expects the reads of a workflow. */
class HintPaceTest {
  /** LRU that writes down the expected uses of one block, and counts the accesses to it. */
  private static final class Notes extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");
    private final CacheKey watched;
    final List<Long> uses = new CopyOnWriteArrayList<>();
    final AtomicInteger accesses = new AtomicInteger();

    Notes(CacheKey watched) {
      this.watched = watched;
    }

    @Override
    protected CachePolicy current() {
      return lru;
    }

    @Override
    public void onAccess(Access access) {
      super.onAccess(access);
      if (access.key().equals(watched)) {
        accesses.incrementAndGet();
      }
    }

    @Override
    public void onNextUse(CacheKey key, long atNanos) {
      if (key.equals(watched)) {
        uses.add(atNanos);
      }
    }
  }

  @Test
  void jobFasterThanAssumed_expectedUsesOfAllBlocksMove() throws Exception {
    Notes policy = new Notes(key(40));
    FakeDataNode node = new FakeDataNode(10 * BLOCK + 2_000);
    try (EngineRig rig = new EngineRig(config().checksumShare(0).build(), policy, node).start()) {
      LongStream.rangeClosed(1, 40).forEach(rig::disk);
      rig.quiet();
      rig.hints("job", TimeUnit.HOURS.toMillis(1), LongStream.rangeClosed(1, 40).toArray());
      rig.quiet();
      int before = policy.uses.size();
      long assumed = policy.uses.get(before - 1);
      for (long id = 1; id <= 25; id++) {
        rig.pass(Duration.ofMillis(100));
        rig.read(id, BLOCK, false);
      }
      rig.quiet();

      assertTrue(policy.uses.size() > before, "only " + policy.uses);
      long last = policy.uses.get(policy.uses.size() - 1);
      assertTrue(last < assumed, last + " is not before " + assumed);
    }
  }

  /** The next night's job is not slower for the day before it. */
  @Test
  void pauseBetweenTwoJobs_isNoInterval() throws Exception {
    assertSoonAfterAPause(true);
  }

  /** Hints of a job that was cancelled are left, so that the pause looks like a slow job. */
  @Test
  void pauseWhileReferencesAreLeft_isForgottenSoon() throws Exception {
    assertSoonAfterAPause(false);
  }

  private static void assertSoonAfterAPause(boolean withdrawn) throws Exception {
    Notes policy = new Notes(key(60));
    FakeDataNode node = new FakeDataNode(10 * BLOCK + 2_000);
    try (EngineRig rig = new EngineRig(config().checksumShare(0).build(), policy, node).start()) {
      LongStream.rangeClosed(1, 60).forEach(rig::disk);
      rig.quiet();
      rig.hints("first", TimeUnit.DAYS.toMillis(1), 1, 2, 3, 4, 5, 6);
      for (long id = 1; id <= 5; id++) {
        rig.pass(Duration.ofMillis(100));
        rig.read(id, BLOCK, false);
      }
      if (withdrawn) {
        rig.withdraw("first");
      }
      rig.pass(Duration.ofHours(8));
      rig.hints("next", TimeUnit.DAYS.toMillis(1), LongStream.rangeClosed(11, 60).toArray());
      rig.quiet();
      for (long id = 11; id <= 40; id++) {
        rig.pass(Duration.ofMillis(100));
        rig.read(id, BLOCK, false);
        rig.quiet();
      }
      rig.pass(Duration.ofSeconds(2));
      rig.quiet();
      long last = policy.uses.get(policy.uses.size() - 1) - rig.nanoTime();
      assertTrue(last < TimeUnit.MINUTES.toNanos(1), "in " + last + " ns");
    }
  }

  @Test
  void noticesOfReads_inOneBatch_areAsManyIntervals() throws Exception {
    Notes policy = new Notes(key(60));
    FakeDataNode node = new FakeDataNode(10 * BLOCK + 2_000);
    try (EngineRig rig = new EngineRig(config().checksumShare(0).build(), policy, node).start()) {
      LongStream.rangeClosed(1, 60).forEach(rig::disk);
      rig.quiet();
      rig.hints("job", TimeUnit.HOURS.toMillis(1), LongStream.rangeClosed(1, 60).toArray());
      rig.quiet();
      rig.read(1, BLOCK, false);
      List<Long> before = List.copyOf(policy.uses);
      rig.pass(Duration.ofSeconds(40));
      rig.engine.onReadElsewhere(
          LongStream.rangeClosed(2, 41).mapToObj(EngineRig::key).collect(Collectors.toList()));
      rig.engine.settle();
      rig.quiet();

      assertEquals(19, rig.status().hintsLeft());
      assertEquals(before, policy.uses, "one reference a second, as assumed");
    }
  }

  @Test
  void submissionsAllTheTime_letAWalkThatStoppedGoOn() {
    HintPacer pacer = pacer(new RoundClock(() -> 0));
    long ttl = TimeUnit.HOURS.toMillis(1);
    long[] blocks = LongStream.rangeClosed(1, 30).toArray();
    assertTrue(pacer.submit(EngineRig.reads("long", ttl, blocks), "alice", true).isWhole());
    boolean reached = false;
    for (int round = 0; round < 10 && !reached; round++) {
      assertTrue(pacer.submit(EngineRig.reads("job" + round, ttl, 99), "bob", true).isWhole());
      reached = pacer.next(block -> block.id() == 30, new StepLimit(10)) != null;
    }
    assertTrue(reached, "10 references a round");
  }

  /** A user who hints a table very often and reads nothing does not hide that others read it. */
  @Test
  void readsOfPartsOfAHintedBlock_reachThePolicyOnceAMinute() throws Exception {
    Notes policy = new Notes(key(1));
    FakeDataNode node = new FakeDataNode(10 * BLOCK + 2_000);
    try (EngineRig rig = new EngineRig(config().checksumShare(0).build(), policy, node).start()) {
      rig.disk(1);
      rig.quiet();
      rig.hints(
          "table", TimeUnit.DAYS.toMillis(1), LongStream.generate(() -> 1).limit(1_000).toArray());
      rig.quiet();
      for (int n = 0; n < 6 * 60; n++) {
        rig.pass(Duration.ofSeconds(10));
        readInPart(rig, 1);
      }
      assertEquals(1_000, rig.status().hintsLeft());
      assertEquals(60, policy.accesses.get(), "of one read of a column every ten seconds");
    }
  }

  /** Reads five records, which count as one access. */
  private static void readInPart(EngineRig rig, long id) throws Exception {
    for (int n = 0; n < 5; n++) {
      rig.read(id, 1, rig.node.cleanOn(id) != null);
    }
  }

  /** The hints of a job that never runs are promises that are broken, whatever others do. */
  @Test
  void jobThatDoesNotRun_besideABurstyOne_isNotExpectedLater() throws Exception {
    Notes policy = new Notes(key(40));
    try (EngineRig rig = besideABurstyJob(policy)) {
      long first = policy.uses.get(0);
      readInBursts(rig);
      assertTrue(rig.nanoTime() > 2 * first, "it is long due");
      assertTrue(policy.uses.stream().allMatch(use -> use <= first), first + ": " + policy.uses);
    }
  }

  @Test
  void jobThatStartsLate_isExpectedAnew() throws Exception {
    Notes policy = new Notes(key(40));
    try (EngineRig rig = besideABurstyJob(policy)) {
      readInBursts(rig);
      for (long id = 21; id <= 24; id++) {
        rig.pass(Duration.ofSeconds(1));
        rig.read(id, BLOCK, false);
      }
      rig.quiet();
      long last = policy.uses.get(policy.uses.size() - 1);
      assertTrue(last > rig.nanoTime(), last + " is over");
    }
  }

  /** Hints blocks 21 to 40 and, of another user, blocks 1 to 20 many times. */
  private static EngineRig besideABurstyJob(Notes policy) throws Exception {
    FakeDataNode node = new FakeDataNode(10 * BLOCK + 2_000);
    EngineRig rig = new EngineRig(config().checksumShare(0).build(), policy, node).start();
    LongStream.rangeClosed(1, 40).forEach(rig::disk);
    rig.quiet();
    long ttl = TimeUnit.DAYS.toMillis(10);
    rig.hints("late", ttl, LongStream.rangeClosed(21, 40).toArray());
    rig.hints(
        new WorkflowId("bob", "bursty"),
        ttl,
        LongStream.range(0, 400).map(i -> 1 + i % 20).toArray());
    rig.quiet();
    return rig;
  }

  private static void readInBursts(EngineRig rig) throws Exception {
    int block = 0;
    for (int burst = 0; burst < 10; burst++) {
      for (int read = 0; read < 32; read++) {
        rig.pass(read < 16 ? Duration.ofMillis(100) : Duration.ofMinutes(5));
        rig.read(1 + block++ % 20, BLOCK, false);
      }
    }
    rig.quiet();
  }

  /** The sum of a time and what is left until the end of time must not be rounded beyond it. */
  @Test
  void useInTheFarFuture_isNotInThePast() {
    AtomicLong nanos = new AtomicLong();
    RoundClock clock = new RoundClock(nanos::get);
    HintPacer pacer = pacer(clock);
    long[] blocks = LongStream.rangeClosed(1, 10_000).toArray();
    long ttl = TimeUnit.HOURS.toMillis(1);
    assertTrue(pacer.submit(EngineRig.reads("slow", ttl, blocks), "alice", true).isWhole());
    long pause = TimeUnit.SECONDS.toNanos(16);
    for (long id = 1; id <= 24; id++, pause *= 2) {
      nanos.addAndGet(pause);
      clock.startRound();
      assertTrue(pacer.onRead(key(id), BLOCK, BLOCK));
    }
    assertTrue(10_000.0 * pacer.intervalNanos() > Long.MAX_VALUE, "" + pacer.intervalNanos());
    for (int i = 0; i < 2_048; i++) {
      nanos.incrementAndGet();
      clock.startRound();
      long use = pacer.expectedUse(key(10_000));
      assertTrue(use > clock.now() && use < UserShares.NEVER, use + " at " + clock.now());
    }
  }

  private static HintPacer pacer(RoundClock clock) {
    return new HintPacer(
        config().build(),
        Policies.create("lru"),
        new UserShares(Map.of()),
        new AheadCopies(),
        new Counters(),
        clock);
  }
}
