// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeFigure.Kind;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.junit.jupiter.api.Test;

/** The metrics of a DataNode have what its status has. */
class StatusMetricsIT {
  private static final int BLOCKS = 4;

  /** Differ from one moment to the next. */
  private static final List<NodeFigure> PASSING =
      List.of(
          NodeFigure.SHADOW_SECONDS,
          NodeFigure.DIRECTORY_MEMBERS_AGE_MILLIS,
          NodeFigure.DIRECTORY_OPERATIONS,
          NodeFigure.DIRECTORY_REPLICATED);

  private static Number number(NodeStatus status, NodeFigure figure) {
    switch (figure.kind()) {
      case FLAG:
        return status.flag(figure) ? 1 : 0;
      case TEXT:
        return status.text(figure).lines().count();
      case SHARE:
        return status.share(figure);
      default:
        return status.figure(figure);
    }
  }

  private static boolean isSame(NodeStatus status, MetricsRecord node) {
    for (NodeFigure figure : NodeFigure.values()) {
      String metric = figure.metric();
      if (metric != null
          && figure.kind() != Kind.NAME
          && !PASSING.contains(figure)
          && number(status, figure).doubleValue()
              != MetricRecords.value(node, metric).doubleValue()) {
        return false;
      }
    }
    return true;
  }

  @Test
  void metrics_afterWritesReadsAndMoves_areTheStatus() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.SSD_WRITE_BUDGET, "3");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0.001");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      String uuid = c.dataNode(0).getDatanodeUuid();
      byte[] data = c.write("/a", 27, BLOCKS * EmbeddedCluster.BLOCK);
      c.await("demoted", () -> c.node(0).status().dirtyBytes() == 0);
      c.await(
          "clean", () -> c.node(0).status().cleanBytes() == BLOCKS * (long) EmbeddedCluster.BLOCK);
      assertArrayEquals(data, c.read("/a"));
      c.await(
          "timed",
          () ->
              c.node(0).status().figure(NodeFigure.SSD_READ_MICROS_P99) > 0
                  && c.node(0).status().figure(NodeFigure.DEMOTION_MICROS_P99) > 0);
      c.await(
          "metrics and status agree",
          () -> isSame(c.node(0).status(), MetricRecords.of("HyCache-" + uuid).get(0)));

      NodeStatus status = c.node(0).status();
      List<MetricsRecord> devices = MetricRecords.of("HyCacheDevices-" + uuid);
      assertEquals(1, devices.size());
      DeviceStatus device = status.devices().get(0);
      MetricsRecord shown = devices.get(0);
      assertEquals(device.device(), MetricRecords.tag(shown, "Device"));
      assertEquals("SSD", MetricRecords.tag(shown, "StorageType"));
      assertEquals(
          3 * device.figure(DeviceStatus.Figure.CAPACITY_BYTES),
          MetricRecords.value(shown, "WriteBudgetBytes").longValue());
      long left = MetricRecords.value(shown, "WriteBudgetLeftBytes").longValue();
      long written = BLOCKS * (long) EmbeddedCluster.BLOCK;
      long budget = device.figure(DeviceStatus.Figure.WRITE_BUDGET_BYTES);
      assertTrue(left <= budget && left >= budget - 2 * written, "left=" + left);

      MetricsRecord info = MetricRecords.of("HyCacheInfo-" + uuid).get(0);
      assertEquals(
          Map.of(
              "Mode",
              "active",
              "Policy",
              status.policy(),
              "Version",
              status.text(NodeFigure.VERSION)),
          Map.of(
              "Mode", MetricRecords.tag(info, "Mode"),
              "Policy", MetricRecords.tag(info, "Policy"),
              "Version", MetricRecords.tag(info, "Version")));
      assertFalse(status.text(NodeFigure.VERSION).isEmpty());
    }
  }
}
