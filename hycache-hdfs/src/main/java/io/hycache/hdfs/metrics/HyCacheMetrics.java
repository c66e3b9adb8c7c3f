// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeFigure.Kind;
import io.hycache.core.stats.NodeStatus;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The metrics of one DataNode in context {@code dfs}: what {@code hycache status} shows, by the
 * same lists ({@link Counter}, {@link NodeFigure}, {@link DeviceStatus.Figure}), which also say
 * which values mean trouble. Three sources, so that each has a bean of its own:
 *
 * <ul>
 *   <li>{@code HyCache}: record {@code HyCache}, all counters and figures of the node;
 *   <li>{@code HyCacheDevices}: a record {@code HyCacheDevice} for each fast device, with the tags
 *       {@code Device} and {@code StorageType};
 *   <li>{@code HyCacheInfo}: {@code Info}, always 1, with the figures that are names (version,
 *       mode, policy) as tags. They are on no other metric, whose series would end with each
 *       change.
 * </ul>
 *
 * <p>Thread-safe. A snapshot waits for no other thread; what only the planner knows is some seconds
 * old.
 */
public final class HyCacheMetrics {
  private static final MetricsInfo DEVICE = Interns.info("Device", "Directory of the SSD");
  private static final MetricsInfo STORAGE_TYPE = Interns.info("StorageType", "Its storage type");
  private static final MetricsInfo USABLE =
      Interns.info(
          "Usable", "0 if it is sick, failed, not answering or refused, which is trouble; else 1");
  private static final MetricsInfo INFO = Interns.info("Info", "Version and settings, as labels");

  private final Counters counters;
  private final Supplier<NodeStatus> status;

  /**
   * Makes the sources.
   *
   * @param status supplies the present state without waiting; any thread calls it. Its counters are
   *     not read
   */
  public HyCacheMetrics(Counters counters, Supplier<NodeStatus> status) {
    this.counters = counters;
    this.status = status;
  }

  private Map<String, MetricsSource> sources(String name) {
    return Map.of(
        "HyCache-" + name, (collector, all) -> node(collector),
        "HyCacheDevices-" + name, (collector, all) -> devices(collector),
        "HyCacheInfo-" + name, (collector, all) -> info(collector));
  }

  /** Registers the sources as {@code <source>-<name>}, in place of sources of these names. */
  public void register(String name) {
    unregister(name);
    MetricsSystem system = DefaultMetricsSystem.instance();
    sources(name).forEach((id, source) -> system.register(id, "HyCache on this DataNode", source));
  }

  /** Unregisters the sources of that name, if there are any. */
  public void unregister(String name) {
    sources(name).keySet().forEach(DefaultMetricsSystem.instance()::unregisterSource);
  }

  /** Adds the record of the node. */
  void node(MetricsCollector collector) {
    MetricsRecordBuilder record = collector.addRecord("HyCache").setContext("dfs");
    for (Counter counter : Counter.values()) {
      record.addCounter(Interns.info(counter.label(), counter.help()), counters.get(counter));
    }
    NodeStatus now = status.get();
    for (NodeFigure figure : NodeFigure.values()) {
      String metric = figure.metric();
      if (metric != null && figure.kind() != Kind.NAME) {
        add(record, Interns.info(metric, figure.help()), figure, now);
      }
    }
  }

  private static void add(
      MetricsRecordBuilder record, MetricsInfo info, NodeFigure figure, NodeStatus now) {
    switch (figure.kind()) {
      case FLAG:
        record.addGauge(info, now.flag(figure) ? 1 : 0);
        return;
      case TEXT:
        record.addGauge(info, (int) now.text(figure).lines().count());
        return;
      case SIZE:
        record.addGauge(info, (int) now.figure(figure));
        return;
      case SHARE:
        record.addGauge(info, now.share(figure));
        return;
      case TOTAL:
        record.addCounter(info, now.figure(figure));
        return;
      default:
        record.addGauge(info, now.figure(figure));
    }
  }

  /** Adds a record for each fast device. */
  void devices(MetricsCollector collector) {
    for (DeviceStatus device : status.get().devices()) {
      MetricsRecordBuilder record =
          collector
              .addRecord("HyCacheDevice")
              .setContext("dfs")
              .tag(DEVICE, label(device.device()))
              .tag(STORAGE_TYPE, label(device.storageType()))
              .addGauge(USABLE, device.isUsable() ? 1 : 0);
      for (DeviceStatus.Figure figure : DeviceStatus.Figure.values()) {
        if (device.has(figure)) {
          record.addGauge(Interns.info(figure.metric(), figure.help()), device.figure(figure));
        }
      }
    }
  }

  /** Adds the record whose tags are names. */
  void info(MetricsCollector collector) {
    MetricsRecordBuilder record = collector.addRecord("HyCache").setContext("dfs");
    NodeStatus now = status.get();
    for (NodeFigure figure : NodeFigure.values()) {
      String tag = figure.metric();
      if (tag != null && figure.kind() == Kind.NAME) {
        record.tag(Interns.info(tag, figure.help()), label(now.text(figure)));
      }
    }
    record.addGauge(INFO, 1);
  }

  /** Hadoop writes labels to {@code /prom} as they are: one with a quote would break the page. */
  static String label(String text) {
    return text.replaceAll("[\"\\\\\\p{Cntrl}]", "_");
  }
}
