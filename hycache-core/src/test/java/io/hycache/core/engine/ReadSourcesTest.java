// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.POOL;
import static io.hycache.core.engine.EngineRig.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The classes of readers and workflows, and what the policy gets of them. */
class ReadSourcesTest {
  /** Records classes and accesses in their order. */
  private static final class Recording extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    protected CachePolicy current() {
      return lru;
    }

    @Override
    public void onClass(CacheKey key, String name) {
      calls.add(key.id() + " is " + name);
      super.onClass(key, name);
    }

    @Override
    public void onAccess(Access access) {
      calls.add(access.key().id() + " read");
      super.onAccess(access);
    }
  }

  @Test
  void policy_seesNoReadsOfWhatItHasNoPartIn() throws Exception {
    Recording policy = new Recording();
    FakeDataNode node = new FakeDataNode(10 * BLOCK);
    HyCacheConfig config = config().directives(true).pinsShare(0.5).build();
    try (EngineRig rig = new EngineRig(config, policy, node).start()) {
      rig.probe();
      rig.put(new Replica(EngineRig.key(1), 1, BLOCK), Home.SSD_OWNER);
      rig.disk(2);
      rig.disk(3);
      rig.engine.pin(List.of(EngineRig.key(2)));
      for (int id = 1; id <= 3; id++) {
        rig.read(id);
      }
      rig.quiet();
      assertEquals(List.of("3 read"), policy.calls);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DFSClient_attempt_1718000000000_0042_m_000003_0_-1234_1, mapreduce",
    "DFSClient_attempt_1718000000000_0042_r_000003_1_99_1, mapreduce",
    "DFSClient_NONMAPREDUCE_-1746022344_46, nonmapreduce",
    "'DFSClient_hb_rs_node17,16020,1718000000000_-7_31', client:hb_rs_node#_#_#",
    "'DFSClient_hb_rs_node17,16020,1718000000000_7_31', client:hb_rs_node#_#_#",
    "DFSClient_, client:DFSClient_",
    "libhdfs3_client_random_1365811843_count_1, client:libhdfs#_client_random_#_count_#",
    "'a\u0007b\nc d\u202e:e', client:a_b_c_d__e",
    "7, client:#",
    "'', client:"
  })
  void client_isNamedByWhatRecurs(String client, String name) {
    ReadSources sources = new ReadSources();
    long source = sources.of(POOL, client);
    assertEquals(name, sources.className(source));
    assertEquals(POOL, sources.pool(source));
  }

  @Test
  void pools_andReadersWithoutName() {
    ReadSources sources = new ReadSources();
    assertEquals(0, sources.poolNumber("BP-1"));
    assertEquals(1, sources.poolNumber("BP-2"));
    assertEquals(1, sources.poolNumber("BP-2"));
    assertEquals(1, sources.of("BP-2", null));
    assertNull(sources.className(sources.poolNumber("BP-2")));
    long second = sources.of("BP-2", "DFSClient_NONMAPREDUCE_1_1");
    assertEquals("BP-2", sources.pool(second));
    assertEquals("nonmapreduce", sources.className(second));
  }

  @Test
  void workflow_ofEachDay_isOneClass() {
    ReadSources sources = new ReadSources();
    String name = sources.classOfWorkflow("etl", "nightly-2026-11-26");
    assertEquals("workflow:etl/nightly-#-#-#", name);
    assertEquals(name, sources.classOfWorkflow("etl", "nightly-2026-11-27"));
    assertEquals("workflow:bob/nightly-#-#-#", sources.classOfWorkflow("bob", "nightly-1-1-1"));
  }

  @Test
  void workflow_ofHiveQueries_isOneClass() {
    ReadSources sources = new ReadSources();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      String id = new UUID(i * 0x9e3779b97f4a7c15L, i * 0xbf58476d1ce4e5b9L).toString();
      names.add(sources.classOfWorkflow("ann", "hive_20261126_" + id));
    }
    assertEquals(Set.of("workflow:ann/hive_#_#"), names);
    assertEquals("workflow:ann/run.#.x", sources.classOfWorkflow("ann", "run.0F1C2A9E44.x"));
    assertEquals("workflow:ann/facade.defaced", sources.classOfWorkflow("ann", "facade.defaced"));
    assertEquals("workflow:ann/stage#of#", sources.classOfWorkflow("ann", "stage7of12"));
  }

  @Test
  void manyWorkflowsOfOneUser_leaveClassesForOthers() {
    ReadSources sources = new ReadSources();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      names.add(sources.classOfWorkflow("a", "n" + (char) ('a' + i / 26) + (char) ('a' + i % 26)));
    }
    assertTrue(names.contains(ReadSources.OTHER));
    assertTrue(names.size() > 250, "classes=" + names.size());
    assertEquals("workflow:b/nightly", sources.classOfWorkflow("b", "nightly"));
    assertEquals("workflow:c/nightly", sources.classOfWorkflow("c", "nightly"));
    assertEquals("workflow:a/naa", sources.classOfWorkflow("a", "naa"), "known ones are kept");
  }

  @Test
  void hostileNames_areCutAndBounded_andKnownOnesKept() {
    ReadSources sources = new ReadSources();
    String longName = "x".repeat(100_000);
    assertEquals(
        "client:" + "x".repeat(ReadSources.MAX_NAME_CHARS),
        sources.className(sources.of(POOL, longName)));
    Set<String> names = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 10_000; i++) {
      StringBuilder letters = new StringBuilder();
      for (int rest = i; rest > 0; rest /= 26) {
        letters.append((char) ('a' + rest % 26));
      }
      String name = sources.className(sources.of(POOL, letters.toString()));
      names.add(name == null ? "none" : name);
    }
    assertTrue(names.size() <= ReadSources.MAX_CLASSES / 2, "names=" + names.size());
    assertTrue(names.contains(ReadSources.OTHER));
    assertEquals("workflow:late/w", sources.classOfWorkflow("late", "w"), "the other half");
    assertEquals("client:b", sources.className(sources.of(POOL, "b")));
    assertEquals("mapreduce", sources.className(sources.of(POOL, "DFSClient_attempt_1_2_m_3")));
  }

  @Test
  void manyThreads_agreeOnNumbers() throws Exception {
    ReadSources sources = new ReadSources();
    CountDownLatch go = new CountDownLatch(1);
    List<String> wrong = new CopyOnWriteArrayList<>();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(
              () -> {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                for (int i = 0; i < 20_000; i++) {
                  String name = "n" + (char) ('a' + i % 26) + (char) ('o' + i / 26 % 18);
                  String found = sources.className(sources.of(POOL, name));
                  if (!("client:" + name.replaceAll("[^a-z]", "_")).equals(found)) {
                    wrong.add(name + " " + found);
                  }
                }
              });
      threads[t].start();
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), wrong);
  }

  private static void read(EngineRig rig, String client, long id) throws Exception {
    rig.engine.settle();
    rig.engine.onRead(rig.engine.source(POOL, client), id, BLOCK, false);
    rig.engine.settle();
  }

  @Test
  void policy_getsTheClassBeforeTheFirstAccess_andOnce() throws Exception {
    Recording policy = new Recording();
    try (EngineRig rig =
        new EngineRig(config().build(), policy, new FakeDataNode(100_500)).start()) {
      rig.disk(1);
      rig.disk(2);
      read(rig, "DFSClient_attempt_1_0001_m_000000_0_1_1", 1);
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 1);
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 2);
      assertEquals(
          List.of("1 is mapreduce", "1 read", "1 read", "2 is nonmapreduce", "2 read"),
          policy.calls);
      policy.calls.clear();
      rig.disk(3);
      rig.read(3);
      assertEquals(List.of("3 read"), policy.calls, "a reader without a name");
    }
  }

  @Test
  void hintedBlock_hasTheClassOfItsWorkflow_untilTheHintIsWithdrawn() throws Exception {
    Recording policy = new Recording();
    try (EngineRig rig =
        new EngineRig(config().build(), policy, new FakeDataNode(100_500)).start()) {
      rig.disk(1);
      rig.disk(2);
      rig.hints("daily-7", 60_000, 1, 2);
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 1);
      rig.withdraw("daily-7");
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 2);
      assertEquals(
          List.of(
              "1 is workflow:alice/daily-#",
              "2 is workflow:alice/daily-#",
              "1 read",
              "2 is nonmapreduce",
              "2 read"),
          policy.calls);
    }
  }

  @Test
  void off_policyGetsNoClass_untilItIsOnAgain() throws Exception {
    Recording policy = new Recording();
    try (EngineRig rig =
        new EngineRig(config().policyClasses(false).build(), policy, new FakeDataNode(100_500))
            .start()) {
      rig.disk(1);
      rig.disk(2);
      rig.hints("daily", 60_000, 2);
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 1);
      assertEquals(List.of("1 read"), policy.calls);
      rig.engine.reconfigure(config().build());
      rig.disk(3);
      read(rig, "DFSClient_NONMAPREDUCE_1_1", 3);
      assertEquals(List.of("1 read", "3 is nonmapreduce", "3 read"), policy.calls);
    }
  }
}
