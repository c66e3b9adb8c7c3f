// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hycache.bench.sim.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One measured or simulated point. Immutable; its fields are those of the JSON form. */
@JsonPropertyOrder({
  "system",
  "operation",
  "nodes",
  "clients",
  "batch",
  "calls",
  "ops_per_s",
  "p50_us",
  "p99_us",
  "errors",
  "cores",
  "replicas",
  "seed",
  "commit"
})
@JsonInclude(JsonInclude.Include.NON_NULL)
final class Row {
  static final String HYCACHE = "hycache";
  static final String NAMENODE = "namenode";
  static final String SIMULATION = "simulation";

  /** How a client's operations go to their owners. */
  enum Calls {
    /** {@code batch} operations are split over their owners. */
    SPLIT,
    /** Each owner is sent {@code batch} operations at a time. */
    FULL
  }

  /** What all points of a run have in common. Immutable. */
  static final class Setting {
    final int replicas;
    final long seed;
    final @Nullable String commit;

    Setting(int replicas, long seed, @Nullable String commit) {
      this.replicas = replicas;
      this.seed = seed;
      this.commit = commit;
    }
  }

  public final String system;
  public final String operation;
  public final int nodes;

  /** Client threads in each node. */
  public final int clients;

  public final int batch;
  public final String calls;

  @JsonProperty("ops_per_s")
  public final double opsPerSecond;

  @JsonProperty("p50_us")
  public final double p50Micros;

  @JsonProperty("p99_us")
  public final double p99Micros;

  public final long errors;

  /** That all nodes share. */
  public final int cores;

  public final int replicas;
  public final long seed;
  public final @Nullable String commit;

  /**
   * @param latency of the calls, in nanoseconds
   */
  Row(
      String system,
      Phase phase,
      int nodes,
      Calls calls,
      double opsPerSecond,
      Histogram latency,
      long errors,
      int cores,
      Setting setting) {
    this.system = system;
    this.operation = phase.operation.label();
    this.nodes = nodes;
    this.clients = phase.clients;
    this.batch = phase.batch;
    this.calls = calls.name().toLowerCase(Locale.ROOT);
    this.opsPerSecond = Math.round(opsPerSecond * 10) / 10.0;
    this.p50Micros = micros(latency, 50);
    this.p99Micros = micros(latency, 99);
    this.errors = errors;
    this.cores = cores;
    this.replicas = setting.replicas;
    this.seed = setting.seed;
    this.commit = setting.commit;
  }

  private static double micros(Histogram latency, double percentile) {
    return Math.round(latency.getValueAtPercentile(percentile) / 100.0) / 10.0;
  }

  /** An array, an object for each. */
  static String json(List<Row> rows) {
    try {
      return Lines.JSON.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(rows);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For people. */
  static String table(List<Row> rows) {
    List<String[]> lines = new ArrayList<>();
    lines.add(
        new String[] {
          "system",
          "operation",
          "nodes",
          "cores",
          "clients",
          "batch",
          "calls",
          "ops/s",
          "p50 us",
          "p99 us",
          "errors"
        });
    for (Row row : rows) {
      lines.add(
          new String[] {
            row.system,
            row.operation,
            String.valueOf(row.nodes),
            String.valueOf(row.cores),
            String.valueOf(row.clients),
            String.valueOf(row.batch),
            row.calls,
            String.format(Locale.ROOT, "%,.0f", row.opsPerSecond),
            String.format(Locale.ROOT, "%,.0f", row.p50Micros),
            String.format(Locale.ROOT, "%,.0f", row.p99Micros),
            String.valueOf(row.errors)
          });
    }
    return Report.align(lines);
  }
}
