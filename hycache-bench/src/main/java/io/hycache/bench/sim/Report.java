// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.Replay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Results as JSON for scripts and as a table for people. */
public final class Report {
  private Report() {}

  static String json(
      Trace trace,
      List<Simulation.Result> results,
      DiskTime disk,
      PartitionRule rule,
      @Nullable String tierRates) {
    return json(trace.name(), results, disk, rule, tierRates);
  }

  static String json(
      Trace trace, List<Simulation.Result> results, DiskTime disk, PartitionRule rule) {
    return json(trace.name(), results, disk, rule, null);
  }

  static String json(
      String trace, List<Simulation.Result> results, DiskTime disk, PartitionRule rule) {
    return json(trace, results, disk, rule, null);
  }

  /**
   * @param tierRates of {@code --tier-bw}; null if none are given
   */
  static String json(
      String trace,
      List<Simulation.Result> results,
      DiskTime disk,
      PartitionRule rule,
      @Nullable String tierRates) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Simulation.Result result : results) {
      Replay.Totals t = result.totals;
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("trace", trace);
      row.put("policy", result.policy);
      row.put("capacity_bytes", result.capacityBytes);
      row.put("accesses", t.accesses);
      row.put("hits", t.hits);
      row.put("hit_bytes", t.hitBytes);
      row.put("misses", t.misses);
      row.put("miss_bytes", t.missBytes);
      row.put("admitted_bytes", t.admittedBytes);
      row.put("evicted_bytes", t.evictedBytes);
      row.put("hdd_operations", t.hddOperations);
      row.put("hdd_bytes", t.hddBytes);
      row.put("disk_seconds", t.diskSeconds(disk));
      row.put("move_seconds", t.moveSeconds(disk));
      row.put("ssd_written_bytes", t.ssdWrittenBytes);
      TierPlaces tiers = result.tiers;
      if (tiers != null) {
        row.put("tier_capacity_bytes", tiers.capacityBytes());
        row.put("tier_hit_bytes", tiers.hitBytes());
        double[] rates = TierPlaces.rates("--tier-bw", tierRates, tiers.capacityBytes().length);
        if (rates != null) {
          row.put("tier_seconds", tiers.seconds(rates));
        }
      }
      if (result.hints != null) {
        row.put("hints", result.hints.toString());
      }
      if (result.admission != null) {
        row.put("admission", result.admission);
      }
      if (result.overRate) {
        row.put("over_write_rate", true);
      }
      if (result.load != null) {
        row.put("window_seconds", result.load.windowSeconds);
        row.put("peak_busy_disks", result.load.peak);
        row.put("peak_at_seconds", result.load.peakAtSeconds);
        row.put("mean_busy_disks", result.load.mean);
      }
      if (!rule.isShared()) {
        row.put("partition", rule.toString());
        row.put("partition_at_end", result.splits[result.splits.length - 1].toString());
      }
      rows.add(row);
    }
    return pretty(rows);
  }

  static String pretty(Object value) {
    try {
      return new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static String table(List<Simulation.Result> results, DiskTime disk) {
    return table(results, disk, null);
  }

  static String table(List<Simulation.Result> results, DiskTime disk, @Nullable String tierRates) {
    List<String[]> rows = new ArrayList<>();
    boolean timed = results.stream().anyMatch(result -> result.load != null);
    boolean tiered = results.stream().anyMatch(result -> result.tiers != null);
    boolean hinted = results.stream().anyMatch(result -> result.hints != null);
    List<String> titles =
        new ArrayList<>(List.of("policy", "capacity", "hit %", "byte hit %", "disk s", "move s"));
    titles.addAll(List.of("SSD written", "evicted", "M accesses/s"));
    if (hinted) {
      titles.add(1, "hints");
    }
    if (tiered) {
      titles.add("% by tier");
      if (tierRates != null) {
        titles.add("tiers s");
      }
    }
    if (timed) {
      titles.addAll(List.of("busy disks", "at the peak"));
    }
    rows.add(titles.toArray(new String[0]));
    for (Simulation.Result result : results) {
      Replay.Totals t = result.totals;
      List<String> row = new ArrayList<>();
      String name =
          result.admission == null ? result.policy : result.policy + " (" + result.admission + ")";
      row.add(result.overRate ? name + ", over the write rate" : name);
      if (hinted) {
        row.add(String.valueOf(result.hints));
      }
      row.add(Units.human(result.capacityBytes));
      row.add(percent((double) t.hits, (double) t.accesses));
      row.add(percent((double) t.hitBytes, (double) (t.hitBytes + t.missBytes)));
      row.add(String.format(Locale.ROOT, "%,.1f", t.diskSeconds(disk)));
      row.add(String.format(Locale.ROOT, "%,.1f", t.moveSeconds(disk)));
      row.add(Units.human(t.ssdWrittenBytes));
      row.add(Units.human(t.evictedBytes));
      row.add(
          String.format(Locale.ROOT, "%.2f", t.accesses / 1e6 / Math.max(1e-9, result.seconds)));
      if (tiered) {
        addTiers(row, result, tierRates);
      }
      if (result.load != null) {
        row.add(String.format(Locale.ROOT, "%.3f", result.load.mean));
        row.add(String.format(Locale.ROOT, "%.3f", result.load.peak));
      }
      rows.add(row.toArray(new String[0]));
    }
    return align(rows);
  }

  private static void addTiers(
      List<String> row, Simulation.Result result, @Nullable String tierRates) {
    TierPlaces tiers = result.tiers;
    if (tiers == null) {
      row.add("-");
      if (tierRates != null) {
        row.add("-");
      }
      return;
    }
    double all = (double) (result.totals.hitBytes + result.totals.missBytes);
    row.add(
        Arrays.stream(tiers.hitBytes())
            .mapToObj(bytes -> percent((double) bytes, all))
            .collect(Collectors.joining("+")));
    double[] rates = TierPlaces.rates("--tier-bw", tierRates, tiers.capacityBytes().length);
    if (rates != null) {
      row.add(String.format(Locale.ROOT, "%,.1f", tiers.seconds(rates)));
    }
  }

  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.2f", whole == 0 ? 0 : 100 * part / whole);
  }

  /** Columns as wide as they must be: the first to the left, the others to the right. */
  public static String align(List<String[]> rows) {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String format = i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s";
        line.append(String.format(Locale.ROOT, format, row[i]));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
