// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.bench.sim.Plots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plots a JMH result against one of its parameters. */
@Command(
    name = "plot-jmh",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description = "Plots the scores of a JMH run against a numeric parameter.",
    footer = {
      "",
      "Example: jmh PolicyDecisionBenchmark.decide -p n=1000,1000000 -rf json -rff d.json",
      "         plot-jmh d.json --x n --series policy --out plots"
    })
public final class PlotJmhCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "What -rf json -rff FILE wrote.")
  private Path file = Path.of("");

  @Option(names = "--x", paramLabel = "PARAM", required = true, description = "A numeric one.")
  private String x = "";

  @Option(
      names = "--series",
      paramLabel = "PARAM",
      required = true,
      description = "A line for each value of this one.")
  private String series = "";

  @Option(names = "--linear", description = "Linear axes instead of logarithmic ones.")
  private boolean linear;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Gets a PNG and an SVG for each benchmark; it is made.")
  private Path out = Path.of("");

  @Override
  public Integer call() throws IOException {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(file + ": expected a readable file, found none");
    }
    Map<String, Map<String, SortedMap<Double, Double>>> plots = new LinkedHashMap<>();
    Map<String, String> units = new LinkedHashMap<>();
    Map<List<Object>, JsonNode> points = new HashMap<>();
    for (JsonNode run : new ObjectMapper().readTree(file.toFile())) {
      JsonNode params = run.path("params");
      if (!params.has(x) || !params.has(series)) {
        throw new IllegalArgumentException(
            file
                + ": expected results with the parameters "
                + x
                + " and "
                + series
                + ", found "
                + run.path("benchmark").asText()
                + " without. Fix: leave its results out");
      }
      String name = run.path("benchmark").asText().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1");
      units.put(name, run.path("primaryMetric").path("scoreUnit").asText());
      double at = number("--x " + x, params.path(x), name);
      double score = number("primaryMetric.score", run.path("primaryMetric").path("score"), name);
      String line = params.path(series).asText();
      JsonNode before = points.put(List.of(name, line, at), run);
      if (before != null) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: expected one result for each %s and %s, found two of %s at %s=%s %s=%s, which"
                    + " differ in %s. Fix: leave one out",
                file,
                x,
                series,
                name,
                x,
                params.path(x).asText(),
                series,
                line,
                difference(before, run)));
      }
      plots
          .computeIfAbsent(name, n -> new LinkedHashMap<>())
          .computeIfAbsent(line, s -> new TreeMap<>())
          .put(at, score);
    }
    Files.createDirectories(out);
    for (Map.Entry<String, Map<String, SortedMap<Double, Double>>> plot : plots.entrySet()) {
      Plots.lines(
          out.resolve(plot.getKey()),
          plot.getKey(),
          x,
          units.getOrDefault(plot.getKey(), ""),
          plot.getValue(),
          !linear);
    }
    return 0;
  }

  /** The number that JSON has there, as a number or as a text. */
  private double number(String what, JsonNode node, String benchmark) {
    try {
      double value = Double.parseDouble(node.asText());
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        file + ": " + what + ": expected a number, found " + node + " of " + benchmark);
  }

  /** In what two results of one benchmark differ besides their figures. */
  private static String difference(JsonNode one, JsonNode other) {
    List<String> names = new ArrayList<>();
    one.path("params")
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!one.path("params").path(name).equals(other.path("params").path(name))) {
                names.add(name);
              }
            });
    for (String name : List.of("mode", "threads", "jvm", "jvmArgs")) {
      if (!one.path(name).equals(other.path(name))) {
        names.add(name);
      }
    }
    return names.isEmpty() ? "no parameter" : String.join(", ", names);
  }
}
