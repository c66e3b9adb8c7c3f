// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.bench.sim.Plots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Creates a second against the number of nodes, beside the published figures. */
final class MetadataPlot {
  /** Of the paper's middleware on 512 nodes, and of an HDFS whose 512 nodes all create files. */
  private static final double PAPER_NODES = 512;

  private static final double PAPER_MIDDLEWARE = 509_022;
  private static final double PAPER_NAMENODE = 57;

  /** From here on nothing is measured beside. */
  private static final int MANY_NODES = 16;

  private MetadataPlot() {}

  /**
   * Writes a PNG, and an SVG beside it.
   *
   * @param file with or without its ending
   */
  static void write(Path file, List<Row> rows) throws IOException {
    Map<String, SortedMap<Double, Double>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.operation.equals("create") && row.opsPerSecond > 0) {
        lines
            .computeIfAbsent(name(row), unused -> new TreeMap<>())
            .put((double) row.nodes, row.opsPerSecond);
      }
    }
    lines.put("paper: middleware", point(PAPER_MIDDLEWARE));
    lines.put("paper: HDFS NameNode", point(PAPER_NAMENODE));
    Path base = Path.of(file.toString().replaceAll("\\.(png|PNG)$", ""));
    Plots.lines(base, "Empty files created", "nodes", "files a second", lines);
  }

  private static String name(Row row) {
    if (row.system.equals(Row.SIMULATION)) {
      String cores = row.nodes < MANY_NODES ? "as measured" : "a core each";
      return "simulation, " + cores + ", " + row.batch + " in " + row.calls + " calls";
    }
    return row.system + ", measured" + (row.batch > 1 ? ", " + row.batch + " a call" : "");
  }

  private static SortedMap<Double, Double> point(double perSecond) {
    SortedMap<Double, Double> out = new TreeMap<>();
    out.put(PAPER_NODES, perSecond);
    return out;
  }
}
