// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import java.util.function.LongConsumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the numbers of queries over. Does nothing else: Spark calls it on the thread that all
 * listeners share. An error would stop the application, so none leaves it.
 */
final class QueryListener extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(QueryListener.class);

  private final QueryHints hints;

  QueryListener(QueryHints hints) {
    this.hints = hints;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart) {
      handOver(hints::look, ((SparkListenerSQLExecutionStart) event).executionId());
    } else if (event instanceof SparkListenerSQLAdaptiveExecutionUpdate) {
      handOver(hints::look, ((SparkListenerSQLAdaptiveExecutionUpdate) event).executionId());
    } else if (event instanceof SparkListenerSQLExecutionEnd) {
      handOver(hints::ended, ((SparkListenerSQLExecutionEnd) event).executionId());
    }
  }

  /** The subqueries whose results prune partitions have run. */
  @Override
  public void onJobStart(SparkListenerJobStart job) {
    String query =
        job.properties() == null
            ? null
            : job.properties().getProperty(SQLExecution.EXECUTION_ID_KEY());
    if (query != null) {
      handOver(number -> hints.lookIfWaiting(Long.parseLong(query)), 0);
    }
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    handOver(number -> hints.close(), 0);
  }

  private void handOver(LongConsumer action, long query) {
    long begin = System.nanoTime();
    try {
      action.accept(query);
    } catch (Throwable e) {
      LOG.debug("not handed over: query={}", query, e);
    }
    hints.counts().handedOver(System.nanoTime() - begin);
  }
}
