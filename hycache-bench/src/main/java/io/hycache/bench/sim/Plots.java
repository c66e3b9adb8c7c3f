// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;

/** Plots of results, as PNG and SVG. */
public final class Plots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  /** Degrees; names of qualities are longer than their distance. */
  private static final int QUALITY_ROTATION = 30;

  /** The policy that others are compared with. */
  static final String LRU = "lru";

  private Plots() {}

  /** Lines by name, on logarithmic axes. */
  public static void lines(
      Path file, String title, String x, String y, Map<String, SortedMap<Double, Double>> lines)
      throws IOException {
    lines(file, title, x, y, lines, true);
  }

  /** Lines by name. */
  public static void lines(
      Path file,
      String title,
      String x,
      String y,
      Map<String, SortedMap<Double, Double>> lines,
      boolean logarithmic)
      throws IOException {
    XYChart chart = chart(title, x, y);
    chart.getStyler().setYAxisMin(null);
    chart.getStyler().setXAxisLogarithmic(logarithmic);
    chart.getStyler().setYAxisLogarithmic(logarithmic);
    lines.forEach(
        (name, points) ->
            chart.addSeries(
                name,
                points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                points.values().stream().mapToDouble(Double::doubleValue).toArray()));
    save(chart, file);
  }

  static void write(Path dir, Trace trace, List<Simulation.Result> results, DiskTime disk)
      throws IOException {
    Files.createDirectories(dir);
    double footprint = Math.max(1, trace.footprintBytes());
    bySize(
        dir.resolve("hit-ratio"),
        trace.name() + ": hits",
        "hits, % of accesses",
        results,
        footprint,
        r -> 100.0 * r.totals.hits / Math.max(1, r.totals.accesses));
    bySize(
        dir.resolve("disk-time"),
        trace.name() + ": disk time",
        "disk seconds",
        results,
        footprint,
        r -> r.totals.diskSeconds(disk));
    occupancy(dir.resolve("occupancy"), trace, results);
  }

  private static XYChart chart(String title, String x, String y) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setMarkerSize(5);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  private static void save(Chart<?, ?> chart, Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, file.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
  }

  private static void bySize(
      Path file,
      String title,
      String y,
      List<Simulation.Result> results,
      double footprint,
      ToDoubleFunction<Simulation.Result> value)
      throws IOException {
    XYChart chart = chart(title, "SSD, % of the footprint", y);
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (Simulation.Result result : results) {
      lines
          .computeIfAbsent(result.policy, p -> new ArrayList<>())
          .add(new double[] {100 * result.capacityBytes / footprint, value.applyAsDouble(result)});
    }
    boolean spread =
        lines.values().stream().allMatch(points -> points.stream().allMatch(p -> p[0] > 0))
            && lines.values().stream().anyMatch(points -> points.size() > 1);
    chart.getStyler().setXAxisLogarithmic(spread);
    lines.forEach(
        (policy, points) -> {
          points.sort((a, b) -> Double.compare(a[0], b[0]));
          chart.addSeries(
              policy,
              points.stream().mapToDouble(p -> p[0]).toArray(),
              points.stream().mapToDouble(p -> p[1]).toArray());
        });
    save(chart, file);
  }

  /**
   * Disk seconds of each policy as a part of those of lru by quality of the hints, a plot for each
   * size.
   *
   * @param results of each of the qualities, in their order, with lru among the policies
   */
  static void hints(Path dir, Trace trace, List<Simulation.Result> results, DiskTime disk)
      throws IOException {
    Files.createDirectories(dir);
    Map<Long, Map<String, Map<String, Double>>> plots = new LinkedHashMap<>();
    for (Simulation.Result result : results) {
      plots
          .computeIfAbsent(result.capacityBytes, size -> new LinkedHashMap<>())
          .computeIfAbsent(result.policy, policy -> new LinkedHashMap<>())
          .put(String.valueOf(result.hints), result.totals.diskSeconds(disk));
    }
    for (Map.Entry<Long, Map<String, Map<String, Double>>> plot : plots.entrySet()) {
      String size = Units.human(plot.getKey());
      CategoryChart chart =
          new CategoryChartBuilder()
              .width(WIDTH)
              .height(HEIGHT)
              .title(trace.name() + ": hints, " + size)
              .xAxisTitle("hints")
              .yAxisTitle("disk seconds / lru")
              .build();
      chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
      chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Line);
      chart.getStyler().setOverlapped(true);
      chart.getStyler().setXAxisLabelRotation(QUALITY_ROTATION);
      chart.getStyler().setYAxisMin(0.0);
      Map<String, Double> lru = plot.getValue().getOrDefault(LRU, Map.of());
      plot.getValue()
          .forEach(
              (policy, seconds) -> {
                List<Double> ratios = new ArrayList<>();
                seconds.forEach(
                    (quality, value) -> ratios.add(value / lru.getOrDefault(quality, 1.0)));
                chart.addSeries(policy, new ArrayList<>(seconds.keySet()), ratios);
              });
      save(chart, dir.resolve("hints-" + size.replaceAll("[^A-Za-z0-9.-]+", "-")));
    }
  }

  /** Where the borders were, a plot for each policy and size. */
  static void partition(Path dir, Trace trace, List<Simulation.Result> results) throws IOException {
    for (Simulation.Result result : results) {
      if (result.capacityBytes <= 0 || result.policy.equals(Simulation.NONE)) {
        continue;
      }
      String what = result.policy + ", " + Units.human(result.capacityBytes);
      XYChart chart = chart(trace.name() + ": partition, " + what, "accesses", "% of the SSD");
      chart.getStyler().setYAxisMax(100.0);
      chart.getStyler().setMarkerSize(0);
      share(chart, trace, "reads", result, Partition::readShare);
      share(chart, trace, "writes", result, Partition::writeShare);
      share(chart, trace, "free", result, Partition::reserveShare);
      save(chart, dir.resolve("partition-" + what.replaceAll("[^A-Za-z0-9.-]+", "-")));
    }
  }

  private static void share(
      XYChart chart,
      Trace trace,
      String name,
      Simulation.Result result,
      ToDoubleFunction<Partition> share) {
    double[] x = new double[result.splits.length];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = (double) trace.length() * (i + 1.0) / x.length;
      y[i] = 100 * share.applyAsDouble(result.splits[i]);
    }
    chart.addSeries(name, x, y);
  }

  private static void occupancy(Path file, Trace trace, List<Simulation.Result> results)
      throws IOException {
    XYChart chart = chart(trace.name() + ": occupancy", "accesses", "% of the SSD");
    chart.getStyler().setYAxisMax(100.0);
    chart.getStyler().setMarkerSize(0);
    for (Simulation.Result result : results) {
      if (result.capacityBytes <= 0 || result.policy.equals(Simulation.NONE)) {
        continue;
      }
      double[] x = new double[result.occupancy.length];
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = (double) trace.length() * (i + 1.0) / x.length;
        y[i] = 100.0 * (double) result.occupancy[i] / (double) result.capacityBytes;
      }
      chart.addSeries(result.policy + ", " + Units.human(result.capacityBytes), x, y);
    }
    if (!chart.getSeriesMap().isEmpty()) {
      save(chart, file);
    }
  }
}
