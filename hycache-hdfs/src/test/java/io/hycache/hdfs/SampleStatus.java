// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs;

import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedDay;
import io.hycache.core.stats.ShadowSize;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statuses of DataNodes with a different value in each figure. */
public final class SampleStatus {
  private SampleStatus() {}

  /** A DataNode with two SSDs that takes part in the directory. */
  public static NodeStatus active() {
    return NodeStatus.builder()
        .put(NodeFigure.MODE, "active")
        .put(NodeFigure.POLICY, "lookahead")
        .put(NodeFigure.PARTITION, "auto reads=0.500 writes=0.250 free=0.250")
        .put(NodeFigure.PASS_THROUGH, false)
        .put(NodeFigure.CAPACITY_BYTES, (8L << 30) + 1)
        .put(NodeFigure.DIRTY_BYTES, (1L << 30) + 2)
        .put(NodeFigure.OWNER_BYTES, (512L << 20) + 3)
        .put(NodeFigure.CLEAN_BYTES, (2L << 30) + 4)
        .put(NodeFigure.CHECKSUM_BYTES, (16L << 20) + 5)
        .put(NodeFigure.FREE_BYTES, (4L << 30) + 6)
        .put(NodeFigure.TRACKED_BLOCKS, 123_456)
        .put(NodeFigure.MOVES_QUEUED, 7)
        .put(NodeFigure.HINTS_LEFT, 8_901)
        .put(NodeFigure.PLANNER_STALLED_SECONDS, 9)
        .put(NodeFigure.SSD_WRITTEN_PER_100_READ, 35)
        .put(NodeFigure.PINNED_BYTES, (256L << 20) + 36)
        .put(NodeFigure.PIN_CAPACITY_BYTES, (1L << 30) + 37)
        .put(NodeFigure.PINNED_BLOCKS, 38)
        .put(NodeFigure.ADVERTISED_BLOCKS, 39)
        .put(NodeFigure.OBSERVED_DIRTY_BYTES, (1L << 30) + 40)
        .put(NodeFigure.OBSERVED_CLEAN_BYTES, (2L << 30) + 41)
        .putAll(shadow())
        .devices(List.of(first(), second()))
        .counters(counters())
        .put(NodeFigure.VERSION, "1.2.3")
        .put(NodeFigure.WRITE_BYTES_IN_FLIGHT, (128L << 20) + 40)
        .put(NodeFigure.SSDS_SICK, 1)
        .put(NodeFigure.DIRECTORY_MEMBERS, 3)
        .put(NodeFigure.DIRECTORY_TROUBLE, "no answer from caf\u00e9:9867")
        .put(NodeFigure.DIRECTORY_MEMBERS_AGE_MILLIS, 41_000)
        .put(NodeFigure.DIRECTORY_SHARDS_PULLING, 42)
        .put(NodeFigure.DIRECTORY_RECORDS, 43)
        .put(NodeFigure.DIRECTORY_BYTES, 44)
        .put(NodeFigure.DIRECTORY_OPERATIONS, 45)
        .put(NodeFigure.DIRECTORY_SHED, 46)
        .put(NodeFigure.DIRECTORY_REPLICATED, 47)
        .put(NodeFigure.SSD_READ_MICROS_P50, 201)
        .put(NodeFigure.SSD_READ_MICROS_P95, 202)
        .put(NodeFigure.SSD_READ_MICROS_P99, 203)
        .put(NodeFigure.DISK_READ_MICROS_P50, 8_001)
        .put(NodeFigure.DISK_READ_MICROS_P95, 8_002)
        .put(NodeFigure.DISK_READ_MICROS_P99, 8_003)
        .put(NodeFigure.PROMOTION_MICROS_P50, 900_001)
        .put(NodeFigure.PROMOTION_MICROS_P95, 900_002)
        .put(NodeFigure.PROMOTION_MICROS_P99, 900_003)
        .put(NodeFigure.DEMOTION_MICROS_P50, 2_000_001)
        .put(NodeFigure.DEMOTION_MICROS_P95, 2_000_002)
        .put(NodeFigure.DEMOTION_MICROS_P99, 2_000_003)
        .put(NodeFigure.DATANODE_UUID, "dn-1")
        .build()
        .withWarnings(
            List.of("hycache.cache.dirs: /caf\u00e9 is not used", "no DISK: nothing is promoted"));
  }

  /** The figures of a shadow working set. */
  public static Map<NodeFigure, Number> shadow() {
    Map<NodeFigure, Number> shadow = new EnumMap<>(NodeFigure.class);
    shadow.put(NodeFigure.SHADOW_SECONDS, 100_000L);
    shadow.put(NodeFigure.SHADOW_READS, 50_001L);
    shadow.put(NodeFigure.SHADOW_READ_BYTES, (3L << 40) + 31);
    shadow.put(NodeFigure.SHADOW_STANDARD_ERROR, 0.0078);
    shadow.put(NodeFigure.SHADOW_SSD_BYTES, (8L << 30) + 1);
    shadow.put(NodeFigure.WORKING_SET_HOUR_BYTES, (1L << 30) + 32);
    shadow.put(NodeFigure.WORKING_SET_DAY_BYTES, (20L << 30) + 33);
    for (ShadowSize size : ShadowSize.values()) {
      shadow.put(size.readShare(), size.of(1000) / 10_000.0);
      shadow.put(size.byteShare(), (size.of(1000) + 1000) / 10_000.0);
    }
    return shadow;
  }

  private static DeviceStatus first() {
    return DeviceStatus.builder("/ssd0/caf\u00e9", true)
        .put(DeviceStatus.Figure.CAPACITY_BYTES, (8L << 30) + 11)
        .put(DeviceStatus.Figure.FREE_BYTES, (5L << 30) + 12)
        .put(DeviceStatus.Figure.DIRTY_BYTES, (1L << 30) + 13)
        .put(DeviceStatus.Figure.OWNER_BYTES, (256L << 20) + 14)
        .put(DeviceStatus.Figure.CLEAN_BYTES, (2L << 30) + 15)
        .put(DeviceStatus.Figure.CHECKSUM_BYTES, (16L << 20) + 16)
        .put(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY, (3L << 30) + 17)
        .put(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY, (6L << 30) + 18)
        .put(DeviceStatus.Figure.WRITE_BUDGET_LEFT_BYTES, -19)
        .put(DeviceStatus.Figure.WRITE_BUDGET_BYTES, (9L << 30) + 48)
        .build();
  }

  private static DeviceStatus second() {
    return DeviceStatus.builder("/ssd1", false)
        .put(DeviceStatus.Figure.DIRTY_BYTES, 20)
        .put(DeviceStatus.Figure.OWNER_BYTES, 21)
        .put(DeviceStatus.Figure.CLEAN_BYTES, 22)
        .put(DeviceStatus.Figure.CHECKSUM_BYTES, 23)
        .put(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY, 24)
        .put(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY, 25)
        .put(DeviceStatus.Figure.WRITE_BUDGET_LEFT_BYTES, Long.MAX_VALUE)
        .build();
  }

  private static Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("SsdBytesRead", 750L << 20);
    counters.put("DiskBytesRead", 250L << 20);
    counters.put("AnotherCounter", Long.MAX_VALUE);
    return counters;
  }

  /** What a DataNode in mode observe counted on two days. */
  public static List<ObservedDay> days() {
    Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    for (Counter counter : ObservedDay.COUNTERS) {
      counts.put(counter, (long) counter.label().length() << (counts.size() % 2 == 0 ? 3 : 27));
    }
    return List.of(new ObservedDay("2026-11-25", counts), new ObservedDay("2026-11-26", counts));
  }

  /** A DataNode in pass-through, without an SSD and outside the directory. */
  public static NodeStatus passThrough() {
    return NodeStatus.builder()
        .put(NodeFigure.MODE, "observe")
        .put(NodeFigure.POLICY, "lru")
        .put(NodeFigure.PASS_THROUGH, true)
        .put(NodeFigure.NOT_COUNTED, "HyCache is in pass-through")
        .observedDays(days())
        .build();
  }

  /** A DataNode whose planner does not answer. */
  public static NodeStatus stalled() {
    return NodeStatus.withoutPlanner("active", "lookahead").toBuilder()
        .put(NodeFigure.PLANNER_STALLED_SECONDS, 77)
        .put(NodeFigure.NOT_COUNTED, "the planner makes no progress")
        .counters(counters())
        .build();
  }
}
