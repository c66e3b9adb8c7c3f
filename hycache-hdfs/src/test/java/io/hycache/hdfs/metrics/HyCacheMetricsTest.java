// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.Golden;
import io.hycache.hdfs.SampleStatus;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;

class HyCacheMetricsTest {
  private static MetricsCollectorImpl collected(NodeStatus status) {
    Counters counters = new Counters();
    counters.add(Counter.BYTES_READ_FAST, 11);
    HyCacheMetrics metrics = new HyCacheMetrics(counters, () -> status);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    metrics.node(collector);
    metrics.devices(collector);
    metrics.info(collector);
    return collector;
  }

  @Test
  void names_types_tagsAndOrder_areAsRecorded() throws Exception {
    StringBuilder out = new StringBuilder();
    for (MetricsRecord record : collected(SampleStatus.active()).getRecords()) {
      out.append("record ").append(record.name()).append(" in ").append(record.context());
      for (MetricsTag tag : record.tags()) {
        if (!tag.name().equals("Context")) {
          out.append(' ').append(tag.name()).append('=').append(tag.value());
        }
      }
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
    Golden.assertRecorded("metrics.txt", out.toString());
  }

  /** What {@code /prom} shows. */
  private static List<String> prometheus(NodeStatus status) throws Exception {
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    for (MetricsRecord record : collected(status).getRecords()) {
      sink.putMetrics(record);
    }
    sink.flush();
    StringWriter out = new StringWriter();
    sink.writeMetrics(out);
    return List.of(out.toString().split("\n"));
  }

  @Test
  void prometheus_namesAndLabels_areOnThePage() throws Exception {
    List<String> lines = prometheus(SampleStatus.active());
    for (String expected :
        List.of(
            "hy_cache_ssd_bytes_read{context=\"dfs\"} 11",
            "hy_cache_ssd_dirty_bytes{context=\"dfs\"} 1073741826",
            "hy_cache_warnings{context=\"dfs\"} 2",
            "hy_cache_directory_trouble{context=\"dfs\"} 1",
            "hy_cache_ssd_read_micros_p99{context=\"dfs\"} 203",
            "hy_cache_device_usable{context=\"dfs\",device=\"/ssd1\",storagetype=\"SSD\"} 0",
            "hy_cache_info{context=\"dfs\",mode=\"active\",policy=\"lookahead\",version=\"1.2.3\"}"
                + " 1")) {
      assertTrue(lines.contains(expected), () -> expected + " is not in " + lines);
    }
    assertFalse(
        lines.stream().anyMatch(line -> line.matches("hy_cache_device_write_budget.*ssd1.*")),
        "no budget");
  }

  /** A label that Hadoop wrote as it is would end the page for Prometheus, HDFS's part included. */
  @Test
  void prometheus_labelWithQuotes_doesNotBreakThePage() throws Exception {
    NodeStatus status =
        SampleStatus.passThrough().toBuilder()
            .devices(List.of(DeviceStatus.builder("/a\"b\\c\nd", true).build()))
            .build();
    assertTrue(
        prometheus(status)
            .contains(
                "hy_cache_device_usable{context=\"dfs\",device=\"/a_b_c_d\",storagetype=\"SSD\"}"
                    + " 1"));
  }

  @Test
  void lists_haveOneNameEachAndAHelpOfOneLine() {
    Set<String> metrics = new HashSet<>();
    for (Counter counter : Counter.values()) {
      assertTrue(metrics.add(counter.label()), counter.label());
      assertTrue(counter.help().matches("[^\n\\\\]+"), counter.help());
    }
    for (NodeFigure figure : NodeFigure.values()) {
      if (figure.metric() != null) {
        assertTrue(metrics.add(figure.metric()), figure.metric());
        assertTrue(figure.help().matches("[^\n\\\\]+"), figure.key());
      }
    }
    for (DeviceStatus.Figure figure : DeviceStatus.Figure.values()) {
      assertTrue(figure.help().matches("[^\n\\\\]+"), figure.key());
    }
    assertEquals(
        List.of(NodeFigure.PARTITION, NodeFigure.DATANODE_UUID),
        Arrays.stream(NodeFigure.values())
            .filter(figure -> figure.metric() == null)
            .collect(Collectors.toList()),
        "shares that change too often for a label, and what the instance says");
  }
}
