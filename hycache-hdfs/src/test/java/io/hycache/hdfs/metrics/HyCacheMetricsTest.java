// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.Golden;
import io.hycache.hdfs.SampleStatus;
import io.hycache.hdfs.metrics.HyCacheMetrics.Gauge;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

class HyCacheMetricsTest {

  private static String snapshot(HyCacheMetrics metrics) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    metrics.getMetrics(collector, true);
    StringBuilder out = new StringBuilder();
    for (MetricsRecord record : collector.getRecords()) {
      out.append("record ").append(record.name()).append(" in ").append(record.context());
      out.append('\n');
      for (AbstractMetric metric : record.metrics()) {
        out.append(metric.type())
            .append(' ')
            .append(metric.value().getClass().getSimpleName())
            .append(' ')
            .append(metric.name())
            .append(' ')
            .append(metric.value())
            .append('\n');
      }
    }
    return out.toString();
  }

  private static HyCacheMetrics metrics(DirectoryStatus directory) {
    Counters counters = new Counters();
    counters.add(Counter.BYTES_READ_FAST, 11);
    Map<Gauge, LongSupplier> gauges =
        Map.of(
            Gauge.PASS_THROUGH, () -> 1,
            Gauge.SSD_CLEAN_BYTES, () -> 12,
            Gauge.SSD_PINNED_BYTES, () -> 17,
            Gauge.SSD_PIN_CAPACITY_BYTES, () -> 18,
            Gauge.SSD_PINNED_BLOCKS, () -> 19,
            Gauge.SSD_ADVERTISED_BLOCKS, () -> 20,
            Gauge.SSD_WRITE_BYTES_IN_FLIGHT, () -> 13,
            Gauge.SSD_BYTES_WRITTEN_PER_100_READ, () -> 16,
            Gauge.SSDS_SICK, () -> 14,
            Gauge.PLANNER_STALLED_SECONDS, () -> 15);
    return new HyCacheMetrics(counters, gauges, SampleStatus::shadow, () -> directory);
  }

  @Test
  void names_types_andOrder_areAsRecorded() throws Exception {
    DirectoryStatus directory = new DirectoryStatus(21, 22, 23, 24, 25, 26, 27, 28, 29);
    Golden.assertRecorded("metrics.txt", snapshot(metrics(directory)));
  }
}
