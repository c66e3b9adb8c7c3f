// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is submitted of Spark's queries, on a Spark in this process. Each query is held, by a
 * function in it, until its hints have been seen. Tables: {@code sales} has the columns v, w, and a
 * partition of one file for each day from 1 to 4; {@code days} has the columns day, flag, in one
 * file.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class SparkHintsIT {
  private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  /** Whatever column it is called with, once the gate is open. */
  private static final UDF2<Integer, String, Integer> HOLD =
      (value, gate) -> {
        CountDownLatch latch = GATES.get(gate);
        assertTrue(latch == null || latch.await(60, TimeUnit.SECONDS), "not hinted");
        return value;
      };

  private final RecordedWorkflows workflows = new RecordedWorkflows();
  private final ExecutorService runner = Executors.newSingleThreadExecutor();

  @TempDir static Path dir;

  @SuppressWarnings("NullAway.Init")
  private SparkSession session;

  @SuppressWarnings("NullAway.Init")
  private QueryHints hints;

  static SparkSession.Builder builder(Path warehouse, String hints) {
    return SparkSession.builder()
        .master("local[2]")
        .appName("hints")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", warehouse.toString())
        .config(HyCacheSparkExtension.HINTS, hints);
  }

  @BeforeAll
  void start() {
    session = builder(dir.resolve("warehouse"), "auto").getOrCreate();
    QueryHints attached = HyCacheSparkExtension.attach(session.sparkContext(), workflows);
    assertNotNull(attached, "attached before by another test");
    hints = attached;
    session
        .sql(
            "select /*+ repartition(1) */ cast(id as int) v, cast(id * 10 as int) w,"
                + " cast(id % 4 + 1 as int) day from range(40)")
        .write()
        .partitionBy("day")
        .parquet(dir.resolve("sales").toString());
    session
        .sql(
            "select /*+ repartition(1) */ cast(id as int) day, cast(id % 2 as int) flag"
                + " from range(1, 5)")
        .write()
        .parquet(dir.resolve("days").toString());
    session.udf().register("hold", HOLD, DataTypes.IntegerType);
    session.read().parquet(dir.resolve("sales").toString()).createOrReplaceTempView("sales");
    session.read().parquet(dir.resolve("days").toString()).createOrReplaceTempView("days");
    assertTrue(workflows.isEmpty(), "nothing was read");
  }

  @AfterEach
  void reset() throws Exception {
    GATES.values().forEach(CountDownLatch::countDown);
    GATES.clear();
    session.catalog().clearCache();
    session.conf().unset("spark.sql.adaptive.enabled");
    session.conf().unset("spark.sql.sources.useV1SourceList");
    // A test that fails leaves nothing to the next one.
    runner.submit(() -> {}).get();
    session.sparkContext().listenerBus().waitUntilEmpty();
    CountDownLatch reached = new CountDownLatch(1);
    hints.execute(reached::countDown);
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    workflows.clear();
  }

  @AfterAll
  void stop() {
    session.stop();
    runner.shutdownNow();
  }

  private static void close(String gate) {
    GATES.put(gate, new CountDownLatch(1));
  }

  private static void open(String gate) {
    CountDownLatch latch = GATES.remove(gate);
    assertNotNull(latch);
    latch.countDown();
  }

  private Future<List<Row>> begin(Dataset<Row> query) {
    return runner.submit(query::collectAsList);
  }

  /** Runs a query that is held at gate a until it is hinted; returns what was submitted last. */
  private String hintedOf(Dataset<Row> query, int rows) throws Exception {
    close("a");
    Future<List<Row>> result = begin(query);
    String submitted = workflows.next();
    open("a");
    assertEquals(rows, result.get().size());
    String next = workflows.next();
    while (!next.equals("withdrawn")) { // Spark has changed the plan
      submitted = next;
      next = workflows.next();
    }
    return submitted;
  }

  private String hintedOf(String sql, int rows) throws Exception {
    return hintedOf(session.sql(sql), rows);
  }

  @Test
  void filesOfSelectedPartitions_areHinted() throws Exception {
    String two = hintedOf("select hold(v, 'a') from sales where day in (2, 3)", 20);
    // The longest file is the first.
    assertTrue(two.matches("reads (day=2/0\\* day=3/0\\*|day=3/0\\* day=2/0\\*)"), two);
    assertEquals("reads day=4/0", hintedOf("select hold(v, 'a'), w from sales where day = 4", 10));
  }

  @Test
  void withoutAdaptiveExecution_itIsTheSame() throws Exception {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    assertEquals(
        "reads day=2/0*", hintedOf("select sum(hold(v, 'a')) from sales where day = 2", 1));
  }

  @Test
  void version2OfTheSource_isTheSame() throws Exception {
    session.conf().set("spark.sql.sources.useV1SourceList", "");
    Dataset<Row> read = session.read().parquet(dir.resolve("sales").toString());
    assertEquals("reads day=2/0*", hintedOf(read.where("day = 2").selectExpr("hold(v, 'a')"), 10));
  }

  @Test
  void twoScansOfAFile_areTwoReads() throws Exception {
    assertEquals(
        "reads day=1/0* day=1/0*",
        hintedOf(
            "select /*+ shuffle_merge(y) */ hold(x.v, 'a') from sales x join sales y"
                + " on x.v = y.w where x.day = 1 and y.day = 1",
            1));
  }

  @Test
  void anExchangeThatIsReused_isReadOnce() throws Exception {
    String counted = "select v, count(hold(w, 'a')) from sales where day = 1 group by v";
    String both = counted + " union all " + counted;
    assertEquals("reads day=1/0", hintedOf(both, 20));
    session.conf().set("spark.sql.adaptive.enabled", "false");
    assertEquals("reads day=1/0", hintedOf(both, 20));
  }

  @Test
  void subqueries_areReadFirst() throws Exception {
    String scan = hintedOf("select hold(v, 'a') from sales where day = 1", 10);
    assertEquals("reads day=1/0*", scan);
    String both =
        hintedOf(
            "select hold(v, 'a') from sales where day = 1"
                + " and v > (select max(day) from days where flag < 2)",
            8);
    assertTrue(both.matches("reads days/0 day=1/0\\*"), both);
  }

  @Test
  void explain_isNoQuery_andAnExplainedQueryIs() throws Exception {
    Dataset<Row> query = session.sql("select hold(v, 'a') from sales where day = 3");
    session.sql("explain select v from sales where day = 1").collectAsList();
    assertNotNull(query.queryExecution().executedPlan());
    assertEquals("reads day=3/0*", hintedOf(query, 10));
    assertEquals("reads day=3/0*", hintedOf(query, 10), "the second run of the same plan");
  }

  /** A plan keeps the shuffle files of its stages: the second run does not read the table. */
  @Test
  void stagesThatAreDone_areNotRead() throws Exception {
    Dataset<Row> query = session.sql("select sum(hold(v, 'a')) from sales where day = 3");
    assertEquals("reads day=3/0*", hintedOf(query, 1));
    assertEquals(1, query.collectAsList().size());
    assertEquals("reads day=2/0*", hintedOf("select hold(v, 'a') from sales where day = 2", 10));
  }

  @Test
  void aCachedTable_isReadUntilItIsFilled() throws Exception {
    Dataset<Row> cached = session.sql("select hold(v, 'a') v from sales where day = 1").cache();
    assertEquals("reads day=1/0*", hintedOf(cached.groupBy("v").count(), 10));
    assertEquals(10, cached.collectAsList().size());
    assertEquals("reads day=2/0*", hintedOf("select hold(v, 'a') from sales where day = 2", 10));
  }

  /** Spark holds a lock of the cache while its plan runs its stages. */
  @Test
  void aCacheThatIsBeingFilled_holdsUpNoOtherQuery() throws Exception {
    String counted = "select v, count(hold(w, 'a')) n from sales where day = 1 group by v";
    assertHoldsUpNoOtherQuery(counted, "reads day=1/0", 10);
  }

  /** The same for a plan that is not adaptive and has a broadcast. */
  @Test
  void aCacheThatWaitsForABroadcast_holdsUpNoOtherQuery() throws Exception {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    String joined =
        "select /*+ broadcast(d) */ s.v from sales s join"
            + " (select flag from days where hold(day, 'a') = 1) d on s.v = d.flag where s.day = 2";
    assertHoldsUpNoOtherQuery(joined, "reads day=2/0* days/0", 1);
  }

  /**
   * @param sql of a query that is held at gate a before the first row is in the cache
   */
  private void assertHoldsUpNoOtherQuery(String sql, String reads, int rows) throws Exception {
    close("a");
    close("b");
    Dataset<Row> cached = session.sql(sql).cache();
    Future<List<Row>> filling = begin(cached);
    assertEquals(reads, workflows.next());
    while (session.sparkContext().statusTracker().getActiveJobIds().length == 0) {
      Thread.sleep(1);
    }
    hints.look(workflows.query());
    ExecutorService others = Executors.newSingleThreadExecutor();
    try {
      Dataset<Row> other = session.sql("select hold(v, 'b') from sales where day = 3");
      Future<List<Row>> result = others.submit(other::collectAsList);
      assertEquals("reads day=3/0*", workflows.next());
      open("b");
      assertEquals(10, result.get().size());
      assertEquals("withdrawn", workflows.next());
    } finally {
      others.shutdown();
    }
    open("a");
    assertEquals(rows, filling.get().size());
    assertEquals("withdrawn", workflows.next());
  }

  @Test
  void anEmptyCache_isReadOnce() throws Exception {
    String none = "select v, count(*) from sales where day = 1 and v < 0 group by v";
    Dataset<Row> cached = session.sql(none).cache();
    assertEquals(0, cached.collectAsList().size());
    assertEquals("reads day=1/0*", workflows.next());
    assertEquals("withdrawn", workflows.next());
    assertEquals(0, cached.collectAsList().size());
    assertEquals("reads day=2/0*", hintedOf("select hold(v, 'a') from sales where day = 2", 10));
  }

  @Test
  void aScanThatAdaptiveExecutionDrops_isHintedNoMore() throws Exception {
    close("last");
    close("a");
    Future<List<Row>> result =
        begin(
            session.sql(
                "select hold(v, 'last') v from sales where day = 1 union all"
                    + " select /*+ shuffle_merge(y) */ x.v from sales x join"
                    + " (select w from sales where day = 3 and hold(w, 'a') < 0) y"
                    + " on x.v = y.w where x.day = 2"));
    assertEquals("reads day=1/0* day=2/0* day=3/0*", workflows.next());
    open("a");
    assertEquals("reads day=1/0*", workflows.next());
    open("last");
    assertEquals(10, result.get().size());
    assertEquals("withdrawn", workflows.next());
  }

  @Test
  void dynamicPruning_isHintedWhenItIsKnown() throws Exception {
    close("last");
    close("a");
    Future<List<Row>> result =
        begin(
            session.sql(
                "select hold(s.v, 'last') from sales s join days d on s.day = d.day"
                    + " where d.flag = 1 and hold(d.day, 'a') < 3"));
    assertEquals("reads days/0", workflows.next());
    open("a");
    assertEquals("reads day=1/0*", workflows.next());
    open("last");
    assertEquals(10, result.get().size());
    assertEquals("withdrawn", workflows.next());
  }

  @Test
  void aScalarSubqueryThatPrunes_isHintedWhenItIsKnown() throws Exception {
    close("last");
    close("a");
    Future<List<Row>> result =
        begin(
            session.sql(
                "select hold(v, 'last') from sales where day ="
                    + " (select max(day) from days where flag = 1 and hold(day, 'a') > 0)"));
    assertEquals("reads days/0", workflows.next());
    open("a");
    assertEquals("reads day=3/0*", workflows.next());
    open("last");
    assertEquals(10, result.get().size());
    assertEquals("withdrawn", workflows.next());
  }

  @Test
  void anErrorOfOurs_leavesTheQuery() throws Exception {
    long failed = hints.counts().failed.sum();
    workflows.error = new NoClassDefFoundError("of a test");
    assertEquals("reads day=1/0*", hintedOf("select hold(v, 'a') from sales where day = 1", 10));
    assertEquals(failed + 1, hints.counts().failed.sum());
    assertEquals("reads day=2/0*", hintedOf("select hold(v, 'a') from sales where day = 2", 10));
    assertEquals(failed + 1, hints.counts().failed.sum());
  }

  @Test
  void aFileSystemThatHangs_holdsNoQueryUp() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    workflows.blockedBy = answered;
    close("a");
    Future<List<Row>> result = begin(session.sql("select hold(v, 'a') from sales where day = 1"));
    assertEquals("reads day=1/0*", workflows.next());
    open("a");
    assertEquals(10, result.get().size());
    assertEquals(40, session.sql("select v from sales").collectAsList().size());
    assertTrue(workflows.isEmpty(), "not withdrawn: the thread hangs");
    answered.countDown();
    assertEquals("withdrawn", workflows.next());
  }
}
