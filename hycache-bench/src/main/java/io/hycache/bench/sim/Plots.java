// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.Partition;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots of results, as PNG and SVG. */
public final class Plots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  /** Lines of one plot: more can't be told apart. */
  static final int MAX_LINES = 10;

  /** Points of a line over the whole trace. */
  private static final int POINTS = 50;

  /** Pixels from label to label of an axis of accesses, whose labels are long. */
  private static final int LABEL_PIXELS = 130;

  /** Largest by smallest value of a logarithmic axis from which powers of ten are labels enough. */
  private static final double WIDE = 100;

  /** A number with more than one digit behind the point. */
  private static final Pattern DIGITS = Pattern.compile("(\\d\\.\\d)\\d+");

  /**
   * Colours that people with any colour vision tell apart (Okabe and Ito, Color Universal Design,
   * 2008), the strongest on white first.
   */
  private static final Color[] OKABE_ITO = {
    new Color(0x0072B2), // blue
    new Color(0xD55E00), // vermillion
    new Color(0x009E73), // bluish green
    new Color(0xCC79A7), // reddish purple
    new Color(0x000000),
    new Color(0xE69F00), // orange
    new Color(0x56B4E9), // sky blue
    new Color(0xF0E442) // yellow
  };

  private static final float STROKE_WIDTH = 2;

  /** Of the first eight lines, and of those that have their colours once more. */
  private static final BasicStroke[] STROKES = {
    new BasicStroke(STROKE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND),
    new BasicStroke(
        STROKE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {5, 4}, 0)
  };

  /** Degrees; names of qualities are longer than their distance. */
  private static final int QUALITY_ROTATION = 30;

  /** The policy that others are compared with. */
  static final String LRU = "lru";

  private Plots() {}

  /**
   * Makes a directory for plots, so that a long run does not end with an error that was there at
   * its start.
   *
   * @param option that names it, for the message
   * @throws IllegalArgumentException if plots can't be written there
   */
  public static void makeDirectory(String option, Path dir) {
    String found;
    try {
      Files.createDirectories(dir);
      if (Files.isWritable(dir)) {
        return;
      }
      found = "one that is not writable";
    } catch (FileAlreadyExistsException e) {
      found = "a file";
    } catch (IOException e) {
      found = "none that could be made (" + e + ")";
    }
    throw new IllegalArgumentException(
        option + ": expected a directory to write to, found " + found + " at " + dir);
  }

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
    Map<String, double[][]> drawn = new LinkedHashMap<>();
    lines.forEach(
        (name, points) ->
            drawn.put(name, new double[][] {of(points.keySet()), of(points.values())}));
    draw(
        file,
        drawn,
        () -> {
          XYChart chart = chart(title, x, y);
          chart.getStyler().setYAxisMin(null);
          chart.getStyler().setXAxisLogarithmic(logarithmic);
          chart.getStyler().setYAxisLogarithmic(logarithmic);
          chart.getStyler().setXAxisLogarithmicDecadeOnly(isWide(drawn, 0));
          chart.getStyler().setYAxisLogarithmicDecadeOnly(isWide(drawn, 1));
          return chart;
        });
  }

  private static double[] of(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Whether a logarithmic axis has labels enough if powers of ten alone have one. */
  private static boolean isWide(Map<String, double[][]> lines, int axis) {
    DoubleSummaryStatistics values =
        lines.values().stream()
            .flatMapToDouble(line -> Arrays.stream(line[axis]))
            .summaryStatistics();
    return values.getMax() >= WIDE * values.getMin();
  }

  static void write(Path dir, Trace trace, List<Simulation.Result> results, DiskTime disk)
      throws IOException {
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
    style(chart.getStyler());
    chart.getStyler().setMarkerSize(5);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  /** Of shares of the SSD over the accesses of a trace. */
  private static XYChart overTime(String title) {
    XYChart chart = chart(title, "accesses", "% of the SSD");
    chart.getStyler().setYAxisMax(100.0);
    chart.getStyler().setXAxisTickMarkSpacingHint(LABEL_PIXELS);
    chart.getStyler().setSeriesMarkers(new Marker[] {SeriesMarkers.NONE});
    return chart;
  }

  private static void style(AxesChartStyler styler) {
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setSeriesColors(OKABE_ITO.clone());
    styler.setSeriesLines(STROKES.clone());
    styler.setChartBackgroundColor(Color.WHITE);
  }

  /**
   * Draws lines, at most {@link #MAX_LINES} in a file, all files with the same axis of values: the
   * others are in FILE-2, FILE-3.
   *
   * @param lines x and y by name
   */
  private static void draw(Path file, Map<String, double[][]> lines, Supplier<XYChart> empty)
      throws IOException {
    double top =
        lines.values().stream().flatMapToDouble(line -> Arrays.stream(line[1])).max().orElse(0);
    List<String> names = List.copyOf(lines.keySet());
    for (int first = 0; first < names.size(); first += MAX_LINES) {
      XYChart chart = empty.get();
      if (names.size() > MAX_LINES && chart.getStyler().getYAxisMax() == null && top > 0) {
        chart.getStyler().setYAxisMax(top);
      }
      for (String name : names.subList(first, Math.min(names.size(), first + MAX_LINES))) {
        double[][] line = Objects.requireNonNull(lines.get(name));
        chart.addSeries(name, line[0], line[1]);
      }
      save(chart, numbered(file, first));
    }
  }

  private static Path numbered(Path file, int firstLine) {
    return firstLine == 0
        ? file
        : file.resolveSibling(file.getFileName() + "-" + (firstLine / MAX_LINES + 1));
  }

  private static void save(Chart<?, ?> chart, Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, file.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    // Outlines of letters are most of it, to a millionth of a pixel.
    Path svg = file.resolveSibling(file.getFileName() + ".svg");
    Files.writeString(svg, DIGITS.matcher(Files.readString(svg)).replaceAll("$1"));
  }

  /** Lines over the sizes of the SSD: equal steps, each with its label. */
  private static void bySize(
      Path file,
      String title,
      String y,
      List<Simulation.Result> results,
      double footprint,
      ToDoubleFunction<Simulation.Result> value)
      throws IOException {
    long[] sizes = results.stream().mapToLong(r -> r.capacityBytes).distinct().sorted().toArray();
    Map<String, SortedMap<Integer, Double>> points = new LinkedHashMap<>();
    for (Simulation.Result result : results) {
      points
          .computeIfAbsent(result.policy, p -> new TreeMap<>())
          .put(Arrays.binarySearch(sizes, result.capacityBytes), value.applyAsDouble(result));
    }
    Map<String, double[][]> lines = new LinkedHashMap<>();
    points.forEach(
        (policy, line) ->
            lines.put(
                policy,
                new double[][] {
                  line.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
                  of(line.values())
                }));
    draw(
        file,
        lines,
        () -> {
          XYChart chart = chart(title, "SSD, % of the footprint", y);
          chart
              .getStyler()
              .setxAxisTickLabelsFormattingFunction(at -> sizeLabel(at, sizes, footprint));
          return chart;
        });
  }

  /** The name of a size: three digits and a unit, or the bytes if another size has these. */
  private static String sizeName(long bytes, List<Simulation.Result> results) {
    String human = Units.human(bytes);
    boolean shared =
        results.stream()
            .mapToLong(result -> result.capacityBytes)
            .anyMatch(other -> other != bytes && Units.human(other).equals(human));
    return shared ? bytes + " B" : human;
  }

  /** The label of a tick; none between two sizes. */
  private static String sizeLabel(double at, long[] sizes, double footprint) {
    int index = (int) Math.rint(at);
    return Math.abs(at - index) > 1e-6 || index < 0 || index >= sizes.length
        ? ""
        : new BigDecimal(100 * (double) sizes[index] / footprint)
            .round(new MathContext(3))
            .stripTrailingZeros()
            .toPlainString();
  }

  /**
   * Disk seconds of each policy as a part of those of lru by quality of the hints, a plot for each
   * size.
   *
   * @param results of each of the qualities, in their order, with lru among the policies
   */
  static void hints(Path dir, Trace trace, List<Simulation.Result> results, DiskTime disk)
      throws IOException {
    Map<Long, Map<String, Map<String, Double>>> plots = new LinkedHashMap<>();
    for (Simulation.Result result : results) {
      plots
          .computeIfAbsent(result.capacityBytes, size -> new LinkedHashMap<>())
          .computeIfAbsent(result.policy, policy -> new LinkedHashMap<>())
          .put(String.valueOf(result.hints), result.totals.diskSeconds(disk));
    }
    for (Map.Entry<Long, Map<String, Map<String, Double>>> plot : plots.entrySet()) {
      String size = sizeName(plot.getKey(), results);
      Path file = dir.resolve("hints-" + size.replaceAll("[^A-Za-z0-9.-]+", "-"));
      List<String> policies = List.copyOf(plot.getValue().keySet());
      for (int first = 0; first < policies.size(); first += MAX_LINES) {
        CategoryChart chart = hintsChart(trace.name() + ": hints, " + size);
        Map<String, Double> lru = plot.getValue().getOrDefault(LRU, Map.of());
        for (String policy :
            policies.subList(first, Math.min(policies.size(), first + MAX_LINES))) {
          Map<String, Double> seconds = plot.getValue().getOrDefault(policy, Map.of());
          List<Double> ratios = new ArrayList<>();
          seconds.forEach((quality, value) -> ratios.add(value / lru.getOrDefault(quality, 1.0)));
          chart.addSeries(policy, new ArrayList<>(seconds.keySet()), ratios);
        }
        save(chart, numbered(file, first));
      }
    }
  }

  private static CategoryChart hintsChart(String title) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("hints")
            .yAxisTitle("disk seconds / lru")
            .build();
    style(chart.getStyler());
    chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Line);
    chart.getStyler().setOverlapped(true);
    chart.getStyler().setXAxisLabelRotation(QUALITY_ROTATION);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  /** Where the borders were, a plot for each policy and size. */
  static void partition(Path dir, Trace trace, List<Simulation.Result> results) throws IOException {
    for (Simulation.Result result : results) {
      if (result.capacityBytes <= 0 || result.policy.equals(Simulation.NONE)) {
        continue;
      }
      String what = result.policy + ", " + sizeName(result.capacityBytes, results);
      XYChart chart = overTime(trace.name() + ": partition, " + what);
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
    int step = Math.max(1, result.splits.length / POINTS);
    double[] x = new double[result.splits.length / step];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = (double) trace.length() * (i + 1.0) / x.length;
      y[i] = 100 * share.applyAsDouble(result.splits[step * (i + 1) - 1]);
    }
    chart.addSeries(name, x, y);
  }

  private static void occupancy(Path file, Trace trace, List<Simulation.Result> results)
      throws IOException {
    Map<String, double[][]> lines = new LinkedHashMap<>();
    for (Simulation.Result result : results) {
      if (result.capacityBytes <= 0 || result.policy.equals(Simulation.NONE)) {
        continue;
      }
      int step = Math.max(1, result.occupancy.length / POINTS);
      double[] x = new double[result.occupancy.length / step];
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = (double) trace.length() * (i + 1.0) / x.length;
        y[i] =
            100.0 * (double) result.occupancy[step * (i + 1) - 1] / (double) result.capacityBytes;
      }
      String name = result.policy + ", " + sizeName(result.capacityBytes, results);
      lines.put(name, new double[][] {x, y});
    }
    draw(file, lines, () -> overTime(trace.name() + ": occupancy"));
  }
}
