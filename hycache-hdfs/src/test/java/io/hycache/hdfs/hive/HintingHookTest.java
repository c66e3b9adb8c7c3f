// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.client.RecordingHints;
import io.hycache.hdfs.client.RunHints;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.hooks.ReadEntity;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With Hive's own entities; those of tables and types of hooks need all of Hive. */
@Timeout(60)
class HintingHookTest {
  private static final UserGroupInformation ALICE = UserGroupInformation.createRemoteUser("alice");

  private final RecordingHints recorded = new RecordingHints();

  @AfterEach
  void close() {
    recorded.hints.close();
  }

  @Test
  void aQuery_isHintedUntilItEnds() throws Exception {
    Set<ReadEntity> inputs = new LinkedHashSet<>();
    inputs.add(new ReadEntity(new Path("hdfs://nn:8020/warehouse/a"), false));
    inputs.add(new ReadEntity(new Path("file:/tmp/b"), true));
    inputs.add(new ReadEntity(new Path("s3a://bucket/c"), false));
    HintingHook.run(recorded.hints, true, "alice_20261126_q1", ALICE, inputs);
    recorded.hints.await();
    HintingHook.run(recorded.hints, false, "alice_20261126_q1", ALICE, inputs);
    recorded.hints.await();
    assertEquals(
        List.of(
            "alice submit hive/alice_20261126_q1 [hdfs://nn:8020/warehouse/a]",
            "alice withdraw hive/alice_20261126_q1"),
        recorded.takeCalls());
  }

  /** Hive escapes characters of partition values, so that there are names with a percent sign. */
  @Test
  void aDirectoryWithAPercentSignOrABlank_isHintedByItsName() throws Exception {
    Set<ReadEntity> inputs = new LinkedHashSet<>();
    inputs.add(new ReadEntity(new Path("hdfs://nn:8020/warehouse/t/hour=10%3A00"), false));
    inputs.add(new ReadEntity(new Path("hdfs://nn:8020/warehouse/t/city=New York"), false));
    HintingHook.run(recorded.hints, true, "q", ALICE, inputs);
    recorded.hints.await();
    assertEquals(
        List.of(
            "alice submit hive/q [hdfs://nn:8020/warehouse/t/hour=10%3A00,"
                + " hdfs://nn:8020/warehouse/t/city=New York]"),
        recorded.takeCalls());
  }

  @Test
  void statementsThatReadNoData_areNotHinted() {
    for (String operation : List.of("QUERY", "CREATETABLE_AS_SELECT", "EXPORT")) {
      assertTrue(HintingHook.reads(operation, "..."), operation);
    }
    assertTrue(HintingHook.reads(null, "merge into t using s on t.a = s.a ..."));
    assertTrue(HintingHook.reads("EXECUTE QUERY", "execute q using 1"));
    for (String operation :
        List.of(
            "PREPARE QUERY",
            "EXPLAIN",
            "DESCTABLE",
            "SHOW_CREATETABLE",
            "ALTERTABLE_TOUCH",
            "LOAD")) {
      assertFalse(HintingHook.reads(operation, "..."), operation);
    }
    assertFalse(HintingHook.reads("QUERY", "\n EXPLAIN extended\nselect * from t"));
    assertTrue(HintingHook.reads("QUERY", "select 'explain it' from explained"));
  }

  /** On the query's own thread. */
  @Test
  void inputs_beyondThoseThatAreHinted_areNotLookedAt() throws Exception {
    List<ReadEntity> all = new ArrayList<>();
    for (int i = 0; i < RunHints.MAX_PATHS + 10; i++) {
      all.add(new ReadEntity(new Path("hdfs://nn:8020/warehouse/t/" + i), false));
    }
    AtomicInteger looked = new AtomicInteger();
    Set<ReadEntity> inputs =
        new AbstractSet<>() {
          @Override
          public Iterator<ReadEntity> iterator() {
            return all.stream().peek(input -> looked.incrementAndGet()).iterator();
          }

          @Override
          public int size() {
            return all.size();
          }
        };
    HintingHook.run(recorded.hints, true, "q", ALICE, inputs);
    assertTrue(looked.get() <= RunHints.MAX_PATHS + 1, "looked=" + looked);
  }

  @Test
  void aQueryThatReadsNoFiles_isNotHinted() throws Exception {
    HintingHook.run(recorded.hints, true, "q", ALICE, Set.of());
    recorded.hints.await();
    assertEquals(List.of(), recorded.takeCalls());
  }

  /** Hive fails a query whose hook throws. */
  @Test
  @SuppressWarnings("NullAway")
  void whatIsBroken_doesNotReachHive_andIsLoggedOnce() {
    LogLines log = new LogLines(HintingHook.class.getName());
    try {
      new HintingHook().run(null);
      new HintingHook().run(null);
      List<String> warnings = new ArrayList<>(log.lines());
      warnings.removeIf(line -> !line.startsWith("WARN"));
      assertEquals(
          List.of(
              "WARN Could not submit or withdraw hints of a query; the query itself goes on, further"
                  + " failures are not logged"),
          warnings);
    } finally {
      log.close();
    }
  }
}
