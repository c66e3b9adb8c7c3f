// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.Replay;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds the SSD that a workload needs. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description =
        "Finds, for each policy, the smallest SSD that reaches a target, and what it would be"
            + " written.",
    footer = {
      "",
      "Sizes are tried from 0.1%% to 100%% of the footprint; then the last step is halved six times.",
      "More SSD does not help every policy on every trace (Belady's anomaly): what is found reaches the",
      "target, and the next smaller size that was tried does not. If no policy reaches it, the exit code",
      "is 1.",
      "",
      "Without --hints no policy gets hints, as in a cluster whose jobs submit none. perfect is what",
      "hints could bring at most, not what to size an SSD by. offline knows the future without hints.",
      "",
      "Example: advise --trace t.csv --target-hit-ratio 60%% --days 7"
    })
public final class AdviseCommand implements Callable<Integer> {
  /** What an SSD is to reach. */
  private interface Target {
    /**
     * Returns true if it is reached.
     *
     * @param without disk seconds without an SSD
     */
    boolean reached(Replay.Totals totals, double without);
  }

  private static final double[] STEPS = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
  private static final int HALVINGS = 6;

  @Mixin private Source source = new Source();

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      defaultValue = "lru,adaptive,heuristic,reuse",
      description = "Policies, separated by commas, or all (default: ${DEFAULT-VALUE}).")
  private String policies = "";

  @Option(
      names = "--target-hit-ratio",
      paramLabel = "P%",
      description = "Accesses that are to be served by the SSD, for example 60%%.")
  private @Nullable String targetHits;

  @Option(
      names = "--target-disk-time",
      paramLabel = "P%",
      description = "Disk time that may be left, of what it is without an SSD, for example 50%%.")
  private @Nullable String targetDisk;

  @Option(
      names = "--days",
      paramLabel = "N",
      description =
          "Time that the trace covers, for the SSD writes per day (default: what the trace says).")
  private @Nullable Double days;

  @Option(
      names = "--hints",
      paramLabel = "QUALITY",
      defaultValue = "none",
      description =
          "How good the hints are of policies that use them: none, perfect, or a list, see 'simulate"
              + " --help' (default: ${DEFAULT-VALUE}).")
  private String hints = "none";

  @Option(names = "--json", description = "An array with an object for each policy.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    if ((targetHits == null) == (targetDisk == null)) {
      throw new IllegalArgumentException(
          "expected one of --target-hit-ratio P% and --target-disk-time P%, found "
              + (targetHits == null ? "none" : "both"));
    }
    Target target =
        targetHits != null
            ? hits(percent("--target-hit-ratio", targetHits) / 100)
            : diskTime(percent("--target-disk-time", targetDisk == null ? "" : targetDisk) / 100);
    List<String> names = Runs.policies(policies);
    if (days != null && (!(days > 0) || Double.isInfinite(days))) {
      throw new IllegalArgumentException("--days: expected more than 0, found " + days);
    }
    HintQuality quality = HintQuality.parse("--hints", hints);
    PrintWriter err = spec.commandLine().getErr();
    Trace trace = source.read(note -> err.println("note: " + note));
    DiskTime disk = source.disk();
    double span = days == null ? trace.days() : days;
    Simulation simulation =
        new Simulation(trace, disk, source.seed, PartitionRule.SHARED, 1, quality)
            .window(source.windowMillis());
    double without = simulation.run(Simulation.NONE, 0, at -> {}).totals.diskSeconds(disk);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String policy : names) {
      err.println("trying " + policy);
      err.flush();
      Simulation.Result found = smallest(simulation, trace, policy, target, without);
      rows.add(row(policy, quality, found, without, span));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? Report.pretty(rows) + "\n" : table(rows));
    out.flush();
    if (rows.stream().noneMatch(row -> Boolean.TRUE.equals(row.get("reached")))) {
      err.println("no policy reaches the target, however large the SSD is");
      return 1;
    }
    return 0;
  }

  private static Target hits(double wanted) {
    return (totals, without) -> totals.hits >= wanted * totals.accesses;
  }

  private Target diskTime(double left) {
    DiskTime disk = source.disk();
    return (totals, without) -> totals.diskSeconds(disk) <= without * left;
  }

  private static double percent(String option, String text) {
    double percent = Units.percent(option, text).doubleValue();
    if (percent > 100) {
      throw new IllegalArgumentException(option + ": expected 0% to 100%, found " + text);
    }
    return percent;
  }

  private Simulation.@Nullable Result smallest(
      Simulation simulation, Trace trace, String policy, Target target, double without) {
    double footprint = trace.footprintBytes();
    double low = 0;
    Simulation.Result found = null;
    for (double step : STEPS) {
      found = simulation.run(policy, (long) (footprint * step), at -> {});
      if (target.reached(found.totals, without)) {
        break;
      }
      low = step;
      found = null;
    }
    if (found == null) {
      return null;
    }
    double high = found.capacityBytes / footprint;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      Simulation.Result tried = simulation.run(policy, (long) (footprint * middle), at -> {});
      if (target.reached(tried.totals, without)) {
        found = tried;
        high = middle;
      } else {
        low = middle;
      }
    }
    return found;
  }

  private Map<String, Object> row(
      String policy,
      HintQuality quality,
      Simulation.@Nullable Result found,
      double without,
      double span) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("policy", policy);
    row.put("hints", quality.toString());
    row.put("reached", found != null);
    if (found != null) {
      Replay.Totals t = found.totals;
      row.put("capacity_bytes", found.capacityBytes);
      row.put("hit_ratio", (double) t.hits / Math.max(1, t.accesses));
      row.put("disk_seconds", t.diskSeconds(source.disk()));
      row.put("disk_seconds_without", without);
      row.put("ssd_written_bytes", t.ssdWrittenBytes);
      if (span > 0) {
        double perDay = t.ssdWrittenBytes / span;
        row.put("ssd_written_bytes_per_day", perDay);
        row.put("drive_writes_per_day", perDay / Math.max(1, found.capacityBytes));
      }
    }
    return row;
  }

  private static String table(List<Map<String, Object>> rows) {
    List<String[]> lines = new ArrayList<>();
    lines.add(
        new String[] {
          "policy",
          "hints",
          "SSD",
          "hit %",
          "disk time %",
          "SSD written",
          "a day",
          "drive writes a day"
        });
    for (Map<String, Object> row : rows) {
      String policy = String.valueOf(row.get("policy"));
      String quality = String.valueOf(row.get("hints"));
      if (Boolean.FALSE.equals(row.get("reached"))) {
        lines.add(new String[] {policy, quality, "not reached", "", "", "", "", ""});
        continue;
      }
      boolean perDay = row.containsKey("drive_writes_per_day");
      lines.add(
          new String[] {
            policy,
            quality,
            Units.human((long) number(row, "capacity_bytes")),
            Report.percent(number(row, "hit_ratio"), 1),
            Report.percent(number(row, "disk_seconds"), number(row, "disk_seconds_without")),
            Units.human((long) number(row, "ssd_written_bytes")),
            perDay ? Units.human((long) number(row, "ssd_written_bytes_per_day")) : "no --days",
            perDay ? String.format(Locale.ROOT, "%.2f", number(row, "drive_writes_per_day")) : ""
          });
    }
    return Report.align(lines);
  }

  private static double number(Map<String, Object> row, String name) {
    Object value = row.get(name);
    return value instanceof Number ? ((Number) value).doubleValue() : 0;
  }
}
