// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import com.google.common.annotations.VisibleForTesting;
import io.hycache.hdfs.client.FileWorkflows;
import io.hycache.hdfs.client.FileWorkflows.FileRead;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.runtime.BoxedUnit;

/**
 * Submits what each query of Spark SQL reads as a workflow, without a manifest. Spark 3.5 and 4
 * find it by themselves if the JAR is on the driver's class path; {@code spark.sql.extensions} may
 * name it, too, and has to for PySpark 3.5, which makes sessions without looking for extensions.
 * {@code spark.hycache.hints=off} when the application starts switches it off.
 *
 * <p>It changes no plan. With the first query of a session it registers a listener, once for each
 * application. When a query has started, a thread of its own ({@link QueryHints}) takes the query's
 * physical plan from Spark, and finds the scans in it and their files after partition pruning. A
 * rule of the planner could not do that: Spark calls it for {@code EXPLAIN}, too, on the thread
 * that waits for the plan, and not again when the same data set runs a second time.
 *
 * <p>The workflow has the name {@code APPLICATION_query_NUMBER}, and belongs to the user whom the
 * driver's file systems have when the session begins. Each file is one read for each scan; {@code
 * random} if some columns of Parquet or ORC files are read. When adaptive execution has changed the
 * scans, the workflow is submitted again; when the query has ended, it is withdrawn. Files of other
 * file systems than HDFS, and tables whose index might start a job, are not hinted.
 *
 * <p>Thread-safe. A failure is logged once, and leaves Spark as without.
 */
public final class HyCacheSparkExtension implements SparkSessionExtensionsProvider {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheSparkExtension.class);

  /** A property of Spark's: {@code auto}, the default, or {@code off}. */
  static final String HINTS = "spark.hycache.hints";

  /** Extensions are loaded for each session, and twice if they are also in Spark's properties. */
  private static final Set<SparkContext> SEEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Called by reflection. */
  public HyCacheSparkExtension() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectColumnar(
        session -> {
          attach(session.sparkContext(), null);
          return new ColumnarRule(); // which changes nothing
        });
    return BoxedUnit.UNIT;
  }

  /**
   * Begins to hint the queries of an application. Does nothing if it has begun.
   *
   * @param workflows null: those of HyCache
   * @return null if it does nothing
   */
  @VisibleForTesting
  static @Nullable QueryHints attach(
      SparkContext context, QueryHints.@Nullable Workflows workflows) {
    try {
      if (!SEEN.add(context) || !isOn(context)) {
        return null;
      }
      QueryHints hints =
          new QueryHints(
              context.applicationId(),
              HyCacheSparkExtension::scans,
              workflows != null ? workflows : new Lazily(context),
              System::nanoTime);
      context.addSparkListener(new QueryListener(hints));
      return hints;
    } catch (Throwable e) { // whatever it is, the session goes on
      LOG.warn("Spark queries of this application run without hints: {}", e.toString());
      return null;
    }
  }

  private static boolean isOn(SparkContext context) {
    String text = context.getConf().get(HINTS, "auto").trim();
    if (!text.equalsIgnoreCase("auto") && !text.equalsIgnoreCase("off")) {
      throw new IllegalArgumentException(
          HINTS + ": expected auto or off, found \"" + text + "\". Fix: set one of them");
    }
    return text.equalsIgnoreCase("auto");
  }

  private static @Nullable PlannedScans scans(long query) {
    QueryExecution execution = SQLExecution.getQueryExecution(query);
    return execution == null ? null : PlanWalk.of(execution.executedPlan());
  }

  /** Connects with the first submission. Used by one thread. */
  private static final class Lazily implements QueryHints.Workflows {
    private final SparkContext context;
    private final UserGroupInformation user;
    private @Nullable FileWorkflows workflows;

    Lazily(SparkContext context) throws IOException {
      this.context = context;
      this.user = UserGroupInformation.getCurrentUser();
    }

    @Override
    public FileWorkflows.Outcome submit(String name, List<FileRead> reads, BooleanSupplier isNeeded)
        throws IOException {
      FileWorkflows to = workflows;
      if (to == null) {
        to = new FileWorkflows(context.hadoopConfiguration(), user, "spark");
        workflows = to;
      }
      return to.submit(name, reads, isNeeded);
    }

    @Override
    public void withdraw(String name) throws IOException {
      if (workflows != null) {
        workflows.withdraw(name);
      }
    }
  }
}
