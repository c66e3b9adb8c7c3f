// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** The records of a registered metrics source, as a sink gets them. */
final class MetricRecords {
  private MetricRecords() {}

  /** A snapshot of the source of that name. */
  static List<MetricsRecord> of(String name) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    assertNotNull(source, name);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    return new ArrayList<>(collector.getRecords());
  }

  static Number value(MetricsRecord record, String metric) {
    for (AbstractMetric each : record.metrics()) {
      if (each.name().equals(metric)) {
        return each.value();
      }
    }
    throw new AssertionError("no metric " + metric + " in " + record);
  }

  static String tag(MetricsRecord record, String name) {
    for (MetricsTag each : record.tags()) {
      if (each.name().equals(name)) {
        return each.value();
      }
    }
    throw new AssertionError("no tag " + name + " in " + record);
  }
}
