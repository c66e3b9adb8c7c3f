// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.FileSourceScanLike;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SubqueryAdaptiveBroadcastExec;
import org.apache.spark.sql.execution.SubqueryBroadcastExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.CachedRDDBuilder;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.datasources.v2.FileScan;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * The scans of a physical plan, by the types of its nodes, those of subqueries before those of the
 * node that needs them. What Spark runs once is there once:
 *
 * <ul>
 *   <li>an exchange that is reused, or will be: one that equals another. A plan that is adaptive
 *       finds that out only when it runs;
 *   <li>a cached table; one that is filled is done;
 *   <li>the subquery of a dynamic filter, which is the build side of a join.
 * </ul>
 *
 * <p>Nodes that hold a plan that is not their child are leaves to Spark, and passed over but for
 * adaptive plans, their stages and cached tables. O(nodes). Used once.
 */
final class PlanWalk {
  private final List<PlannedScans.Scan> all = new ArrayList<>();
  private final List<PlannedScans.Scan> ahead = new ArrayList<>();
  private Set<Object> exchanges = new HashSet<>();
  private final Set<Object> caches = new HashSet<>();
  private boolean waiting;

  private PlanWalk() {}

  static PlannedScans of(SparkPlan plan) {
    PlanWalk walk = new PlanWalk();
    walk.walk(plan, false);
    return new PlannedScans(walk.all, walk.ahead, walk.waiting);
  }

  private void walk(SparkPlan plan, boolean done) {
    if (plan instanceof AdaptiveSparkPlanExec) {
      walk(((AdaptiveSparkPlanExec) plan).executedPlan(), done);
      return;
    }
    if (plan instanceof QueryStageExec) {
      QueryStageExec stage = (QueryStageExec) plan;
      walk(stage.plan(), done || stage.isMaterialized());
      return;
    }
    if (plan instanceof InMemoryTableScanExec) {
      InMemoryTableScanExec cached = (InMemoryTableScanExec) plan;
      if (caches.add(cached.relation().cacheBuilder())) {
        Set<Object> ofQuery = exchanges;
        exchanges = new HashSet<>(); // another plan shares none
        walk(cached.relation().cachedPlan(), done || isFilled(cached));
        exchanges = ofQuery;
      }
      return;
    }
    if (plan instanceof Exchange && !exchanges.add(plan.canonicalized())) {
      return;
    }
    for (SparkPlan subquery : ScalaCalls.subqueries(plan, SparkPlan.class)) {
      if (!(subquery instanceof SubqueryBroadcastExec)
          && !(subquery instanceof SubqueryAdaptiveBroadcastExec)) {
        walk(subquery, done);
      }
    }
    if (plan instanceof FileSourceScanLike) {
      FileSourceScanLike scan = (FileSourceScanLike) plan;
      if (FileSourceFiles.isKnown(scan)) {
        FileSourceFiles files = FileSourceFiles.of(scan);
        if (files != null) {
          add(files, done);
        } else {
          waiting |= !done;
        }
      }
    } else if (plan instanceof BatchScanExec) {
      Object scan = ((BatchScanExec) plan).scan();
      if (scan instanceof FileScan) {
        add(new FileScanFiles((FileScan) scan), done);
      }
    }
    for (SparkPlan child : ScalaCalls.children(plan, SparkPlan.class)) {
      walk(child, done);
    }
  }

  /**
   * Spark holds the cache's lock while it starts the cache's plan, which waits for its shuffles,
   * broadcasts and subqueries. Nothing is in the cache then, so the lock is taken only if something
   * is, or the plan is adaptive and has no stages left to wait for: an empty table has nothing.
   */
  private static boolean isFilled(InMemoryTableScanExec cached) {
    CachedRDDBuilder cache = cached.relation().cacheBuilder();
    SparkPlan plan = cache.cachedPlan();
    boolean isStarted =
        !cache.sizeInBytesStats().isZero()
            || (plan instanceof AdaptiveSparkPlanExec
                && ((AdaptiveSparkPlanExec) plan).isFinalPlan());
    return isStarted && cached.isMaterialized();
  }

  private void add(PlannedScans.Scan scan, boolean done) {
    all.add(scan);
    if (!done) {
      ahead.add(scan);
    }
  }
}
