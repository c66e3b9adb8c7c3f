// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.jspecify.annotations.Nullable;

/**
 * One tree of temp directories as a metrics2 source in context {@code yarn}, record {@code
 * HyCacheLocalDir}. Trouble is: {@code Running} 0; {@code MovesFailed}, {@code HddFull} or {@code
 * HddLooksFailed} rising; {@code InventoriesIncomplete} rising while {@code Inventories} stands
 * still, for then nothing is swept; {@code KeptFiles} or {@code HddsUnusable} above 0. Thread-safe.
 */
public final class LocalDirMetrics implements MetricsSource {
  private static final String RUNNING = "running";

  private final String name;
  private final Path ssd;

  /** Null if the tree is not served. */
  private final @Nullable Supplier<LocalDirStatus> status;

  private LocalDirMetrics(Path ssd, @Nullable Supplier<LocalDirStatus> status) {
    this.name = sourceName(ssd);
    this.ssd = ssd;
    this.status = status;
  }

  /**
   * Name of a tree's source: its path with {@code -} for {@code /}. If that stands for other
   * characters as well, so that another path might have the same name, a hash follows.
   */
  public static String sourceName(Path ssd) {
    String path = ssd.toString();
    String name = "HyCacheLocalDir" + path.replaceAll("[^A-Za-z0-9._]+", "-");
    return path.matches("(/[A-Za-z0-9._]+)+")
        ? name
        : name + "-" + Integer.toHexString(path.hashCode());
  }

  /**
   * Makes a source.
   *
   * @param ssd the root of the tree; stands in the source's name and in the record's tag {@code
   *     Ssd}
   */
  public static LocalDirMetrics of(Path ssd, Supplier<LocalDirStatus> status) {
    return new LocalDirMetrics(ssd, status);
  }

  /** Makes the source of a tree that could not be served: {@code Running} is 0, that is all. */
  public static LocalDirMetrics ofUnserved(Path ssd) {
    return new LocalDirMetrics(ssd, null);
  }

  /** Whether a source of the tree is entered: this one or another. */
  public boolean isRegistered() {
    return DefaultMetricsSystem.instance().getSource(name) != null;
  }

  /** Enters the source; one of the same tree is replaced. */
  public void register() {
    unregister();
    DefaultMetricsSystem.instance().register(name, "Temp directories on " + ssd, this);
  }

  /** Takes the tree's source out, if there is one. */
  public void unregister() {
    DefaultMetricsSystem.instance().unregisterSource(name);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    LocalDirStatus now = status == null ? null : status.get();
    MetricsRecordBuilder record =
        collector
            .addRecord("HyCacheLocalDir")
            .setContext("yarn")
            .tag(Interns.info("Ssd", "Root of the tree"), HyCacheMetrics.label(ssd.toString()))
            .addGauge(
                Interns.info("Running", "1 while files are moved and swept"),
                now != null && now.state().equals(RUNNING) ? 1 : 0);
    if (now == null) {
      return;
    }
    record.addGauge(
        Interns.info("AtomicExchange", "0 if files become links by a plain rename"),
        now.atomicExchange() ? 1 : 0);
    now.figures()
        .forEach(
            (figure, value) -> {
              if (figure.isGauge()) {
                record.addGauge(info(figure), value);
              } else {
                record.addCounter(info(figure), value);
              }
            });
  }

  private static MetricsInfo info(Figure figure) {
    String key = figure.key();
    return Interns.info(
        Character.toUpperCase(key.charAt(0)) + key.substring(1), "Figure " + key + " of status");
  }
}
