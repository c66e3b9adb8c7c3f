package io.hycache.hdfs;

import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statuses of DataNodes with a different value in each figure. */
public final class SampleStatus {
  private SampleStatus() {}

  /** A DataNode with two SSDs that takes part in the directory. */
  public static NodeStatus active() {
    return new NodeStatus(
            "active",
            "lookahead",
            "auto reads=0.500 writes=0.250 free=0.250",
            false,
            (8L << 30) + 1,
            (1L << 30) + 2,
            (512L << 20) + 3,
            (2L << 30) + 4,
            (16L << 20) + 5,
            (4L << 30) + 6,
            123_456,
            7,
            8_901,
            9,
            devices(),
            counters())
        .withDirectory(3, "no answer from caf\u00e9:9867");
  }

  private static List<DeviceStatus> devices() {
    return List.of(
        new DeviceStatus(
            "/ssd0/caf\u00e9",
            true,
            (8L << 30) + 11,
            (5L << 30) + 12,
            (1L << 30) + 13,
            (256L << 20) + 14,
            (2L << 30) + 15,
            (16L << 20) + 16,
            (3L << 30) + 17,
            (6L << 30) + 18,
            -19),
        new DeviceStatus("/ssd1", false, 0, 0, 20, 21, 22, 23, 24, 25, Long.MAX_VALUE));
  }

  private static Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("SsdBytesRead", 750L << 20);
    counters.put("DiskBytesRead", 250L << 20);
    counters.put("AnotherCounter", Long.MAX_VALUE);
    return counters;
  }

  /** A DataNode in pass-through, without an SSD and outside the directory. */
  public static NodeStatus passThrough() {
    return new NodeStatus(
        "observe", "lru", "shared", true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), Map.of());
  }

  /** A DataNode whose planner does not answer. */
  public static NodeStatus stalled() {
    return NodeStatus.withoutPlanner("active", "lookahead", false, 77, counters());
  }
}
