// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;

/** Trees of temp directories whose paths are unusual. */
class LocalDirMetricsTest {
  @Test
  void register_pathsThatDifferInSeparatorsOnly_haveASourceEach() {
    List<LocalDirMetrics> all = new ArrayList<>();
    for (String path : List.of("/ssd0/yarn", "/ssd0-yarn", "/ssd0 yarn")) {
      all.add(LocalDirMetrics.ofUnserved(Path.of(path)));
    }
    assertEquals("HyCacheLocalDir-ssd0-yarn", LocalDirMetrics.sourceName(Path.of("/ssd0/yarn")));
    all.forEach(LocalDirMetrics::register);
    try {
      while (!all.isEmpty()) {
        assertTrue(all.stream().allMatch(LocalDirMetrics::isRegistered), all.size() + " left");
        all.remove(0).unregister();
      }
    } finally {
      all.forEach(LocalDirMetrics::unregister);
    }
  }

  @Test
  void prom_quoteInThePath_isNotInTheLabel() throws Exception {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    LocalDirMetrics.ofUnserved(Path.of("/ssd0/a\"b\\c")).getMetrics(collector, true);
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    for (MetricsRecord record : collector.getRecords()) {
      sink.putMetrics(record);
    }
    sink.flush();
    StringWriter page = new StringWriter();
    sink.writeMetrics(page);
    assertTrue(page.toString().contains("ssd=\"/ssd0/a_b_c\""), page.toString());
  }
}
