// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The JAR on the class path, with and without the property that switches it off. */
@Timeout(180)
class SparkSwitchIT {
  @TempDir Path dir;

  /** The identifiers in a plan differ from run to run. */
  private static String planOf(Dataset<Row> query) {
    return query
        .queryExecution()
        .executedPlan()
        .toString()
        .replaceAll("#\\d+L?", "#")
        .replaceAll("plan_id=\\d+", "plan_id");
  }

  @Test
  void withTheJarAlone_queriesAreHinted_offByOneProperty_plansAndResultsAreTheSame() {
    RecordedWorkflows none = new RecordedWorkflows();
    List<String> plans = new ArrayList<>();
    List<List<Row>> results = new ArrayList<>();
    for (String value : List.of("auto", "off", "sometimes")) {
      SparkSession session = SparkHintsIT.builder(dir, value).getOrCreate();
      try {
        String table = dir.resolve("table-of-" + value).toString();
        session.range(100).selectExpr("id", "id % 7 part").write().parquet(table);
        Dataset<Row> query =
            session.read().parquet(table).where("id > 10").groupBy("part").count().orderBy("part");
        plans.add(planOf(query).replace("table-of-" + value, "table"));
        results.add(query.collectAsList());
        assertNull(
            HyCacheSparkExtension.attach(session.sparkContext(), none),
            "the extension has seen the application before");
        assertEquals(value.equals("auto") ? 1 : 0, listeners(session), value);
      } finally {
        session.stop();
      }
    }
    assertEquals(7, results.get(0).size());
    assertEquals(results.get(0), results.get(1));
    assertEquals(results.get(0), results.get(2));
    assertEquals(plans.get(0), plans.get(1));
    assertTrue(plans.get(0).contains("table"), plans.get(0));
    assertTrue(none.isEmpty());
  }

  private static long listeners(SparkSession session) {
    return session.sparkContext().listenerBus().listeners().stream()
        .filter(QueryListener.class::isInstance)
        .count();
  }

  @Test
  void namedInThePropertiesToo_itListensOnce() {
    SparkSession session =
        SparkHintsIT.builder(dir, "auto")
            .config("spark.sql.extensions", HyCacheSparkExtension.class.getName())
            .getOrCreate();
    try {
      session.sql("select 1").collectAsList();
      session.newSession().sql("select 1").collectAsList();
      assertEquals(1, listeners(session));
    } finally {
      session.stop();
    }
  }
}
