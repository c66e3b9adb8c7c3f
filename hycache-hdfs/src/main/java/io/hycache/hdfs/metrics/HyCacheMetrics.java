// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import com.google.common.base.CaseFormat;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus.Figure;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one DataNode as a metrics2 source in context {@code dfs}, record {@code HyCache},
 * with names after the RAM_DISK counters. These values mean trouble: {@code PassThrough} 1; {@code
 * Failures} or {@code MovesFailed} rising; {@code EventsDropped} rising fast; {@code
 * SsdBlocksEvictedWithoutRead} near {@code SsdBlocksPromoted}. Thread-safe; a snapshot waits for no
 * other thread and takes no lock, and therefore has no figures that only the planner knows.
 */
public final class HyCacheMetrics implements MetricsSource {
  /** The gauges of every DataNode, in the order of the record. */
  public enum Gauge {
    PASS_THROUGH("PassThrough", "1 if HyCache has stepped aside after failures"),
    SSD_CLEAN_BYTES("SsdCleanBytes", "Bytes of clean copies on SSD"),
    SSD_PINNED_BYTES("SsdPinnedBytes", "Bytes reserved for blocks that cache directives pin"),
    SSD_PIN_CAPACITY_BYTES(
        "SsdPinCapacityBytes", "Bytes that pinned blocks may take; 0: directives are left to HDFS"),
    SSD_PINNED_BLOCKS("SsdPinnedBlocks", "Blocks that cache directives pin and that are on SSD"),
    SSD_ADVERTISED_BLOCKS(
        "SsdAdvertisedBlocks",
        "Clean copies that are reported to the NameNode as cached although nothing pins them"),
    SSD_WRITE_BYTES_IN_FLIGHT("SsdWriteBytesInFlight", "Bytes of replicas being written to SSD"),
    SSD_BYTES_WRITTEN_PER_100_READ(
        "SsdBytesWrittenPer100Read",
        "Bytes of clean copies written to SSD per 100 bytes read from SSD; 100 or more is trouble"),
    SSDS_SICK(
        "SsdsSick",
        "SSDs in quarantine or hanging, and cache directories that may not be used; more than 0"
            + " is trouble"),
    PLANNER_STALLED_SECONDS(
        "PlannerStalledSeconds",
        "Time since the planner should have completed a round; more than 0 is trouble");

    private final String label;
    private final String help;

    Gauge(String label, String help) {
      this.label = label;
      this.help = help;
    }

    private void add(MetricsRecordBuilder record, long value) {
      MetricsInfo info = Interns.info(label, help);
      if (this == PASS_THROUGH) {
        record.addGauge(info, (int) value); // a flag, and an Integer in JMX since its first version
      } else {
        record.addGauge(info, value);
      }
    }
  }

  private final Counters counters;
  private final Map<Gauge, LongSupplier> gauges;
  private final Supplier<Map<Figure, Number>> shadow;
  private final Supplier<@Nullable DirectoryStatus> directory;

  /**
   * Makes a source.
   *
   * @param gauges where each gauge is read, by any thread; gauges without an entry are left out
   * @param shadow figures of the shadow working set; empty while there are none
   * @param directory state of this DataNode's part in the directory; null while it has none
   */
  public HyCacheMetrics(
      Counters counters,
      Map<Gauge, LongSupplier> gauges,
      Supplier<Map<Figure, Number>> shadow,
      Supplier<@Nullable DirectoryStatus> directory) {
    this.counters = counters;
    this.gauges = new EnumMap<>(gauges);
    this.shadow = shadow;
    this.directory = directory;
  }

  /** Registers the source as {@code HyCache-<name>}, in place of a source of that name. */
  public void register(String name) {
    DefaultMetricsSystem.instance().unregisterSource(sourceName(name));
    DefaultMetricsSystem.instance().register(sourceName(name), "HyCache on this DataNode", this);
  }

  public static void unregister(String name) {
    DefaultMetricsSystem.instance().unregisterSource(sourceName(name));
  }

  private static String sourceName(String name) {
    return "HyCache-" + name;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord("HyCache").setContext("dfs");
    for (Counter counter : Counter.values()) {
      record.addCounter(Interns.info(counter.label(), counter.help()), counters.get(counter));
    }
    gauges.forEach((gauge, value) -> gauge.add(record, value.getAsLong()));
    shadow.get().forEach((figure, value) -> add(record, figure, value));
    DirectoryStatus part = directory.get();
    if (part != null) {
      add(record, part);
    }
  }

  private static void add(MetricsRecordBuilder record, Figure figure, Number value) {
    MetricsInfo info =
        Interns.info(
            CaseFormat.LOWER_CAMEL.to(CaseFormat.UPPER_CAMEL, figure.key()), figure.help());
    if (value instanceof Double) {
      record.addGauge(info, value.doubleValue());
    } else {
      record.addGauge(info, value.longValue());
    }
  }

  private static void add(MetricsRecordBuilder record, DirectoryStatus part) {
    record
        .addGauge(Interns.info("DirectoryMembers", "DataNodes in the directory"), part.members)
        .addGauge(
            Interns.info(
                "DirectoryMembersAgeMillis", "Since the NameNode listed them; minutes are trouble"),
            part.viewAgeMillis)
        .addGauge(
            Interns.info(
                "DirectoryShardsPulling", "Shards being filled from others; trouble if it stays"),
            part.pullingShards)
        .addGauge(Interns.info("DirectoryRecords", "Records held here"), part.records)
        .addGauge(Interns.info("DirectoryBytes", "Bytes of keys and values held"), part.bytes)
        .addCounter(Interns.info("DirectoryOperations", "Operations done here"), part.operations)
        .addCounter(
            Interns.info("DirectoryShed", "Operations turned away; a rising value is trouble"),
            part.shed)
        .addCounter(
            Interns.info("DirectoryReplicated", "Changes sent to other replicas"), part.replicated);
  }
}
