// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.policy.Policies;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays a trace with policies and capacities. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description = "Replays a trace with the DataNode's own policies on a virtual clock.",
    footer = {
      "",
      "Accounting. An access that finds its object on the SSD is a hit; the one that causes the"
          + " fetch is",
      "a miss; an object larger than the capacity is never admitted. disk_seconds = HDD operations"
          + " x",
      "seek + HDD bytes / bandwidth. A bypassed miss is one operation of the request's bytes, an"
          + " admitted",
      "one is one of the whole object; a write that covers the object needs no read. A dirty"
          + " victim, and",
      "at the end each dirty object, costs one write of the object; clean victims are free. An"
          + " object",
      "that has grown since it came to the SSD, by more than the access writes, is evicted and"
          + " missed.",
      "move_seconds: the same with a single copy of each object: every victim costs a write of the",
      "object, and nothing is flushed at the end. hit_bytes and miss_bytes are what requests asked"
          + " for;",
      "ssd_written_bytes are admitted objects and the requests of write hits.",
      "",
      "Of a trace with times, disk-head seconds in each second (busy disks) are reported, over the"
          + " whole",
      "trace and in the busiest --window; an operation counts when the access that causes it comes,"
          + " and",
      "what is written at the end counts in neither. Baleen (FAST'24) counts --seek 11.5ms and"
          + " --hdd-bw",
      "143MiB/s with chunks of 128KiB.",
      "",
      "Capacities: bytes with a unit (256MB = 256,000,000; 256MiB = 268,435,456; 5B) or n%% of the",
      "footprint, the sum of the objects' sizes, rounded down.",
      "",
      "Policies: none (no SSD at all) and those of hycache.policy; all = every one. adaptive,"
          + " heuristic,",
      "pro-rata, lookahead, belady and belady-size get hints (--hints). Baleen's baselines,"
          + " admission in front of lru:",
      "rejectx[:X] (at miss X + 1, X = 1), coinflip[:P], offline (knows the future: the most"
          + " disk-head",
      "time saved by byte written); --write-rate tunes them to what may be written.",
      "",
      "Examples: simulate --trace t.csv.gz --policy lru,heuristic,belady --capacity 1%%,5%%,256MB",
      "          simulate --trace t.csv.gz --policy lru,adaptive --plot d --hints"
          + " 'perfect;wrong=10%%;none'"
    })
public final class SimulateCommand implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      defaultValue = "none,lru,adaptive,heuristic,lookahead,belady",
      description = "Policies, separated by commas, or all (default: ${DEFAULT-VALUE}).")
  private String policies = "";

  @Option(
      names = "--capacity",
      paramLabel = "LIST",
      defaultValue = "1%,5%,20%",
      description =
          "Sizes of the SSD, separated by commas (default: 1%%,5%%,20%%). 5%%+20%%: two fast tiers,"
              + " the fastest first; the share of the bytes that each serves is reported.")
  private String capacities = "";

  @Option(
      names = "--tier-bw",
      paramLabel = "LIST",
      description =
          "Transfer rates of the tiers of --capacity 5%%+20%%, such as 500MB/s,110MB/s: the seconds"
              + " that they take for what they serve are reported.")
  private @Nullable String tierRates;

  @Option(
      names = "--partition",
      paramLabel = "RULE",
      defaultValue = "shared",
      description =
          "shared: one cache; READS:WRITES, such as 0.6:0.3: one for each, the rest stays free;"
              + " auto: these follow the load (default: ${DEFAULT-VALUE}).")
  private String partition = "";

  @Option(
      names = "--partition-period",
      paramLabel = "N",
      description =
          "Accesses between two steps of the borders of --partition auto (default: a hundredth of"
              + " the trace).")
  private @Nullable Integer period;

  @Option(
      names = "--hints",
      paramLabel = "QUALITY",
      split = ";",
      description =
          "How good the hints are of policies that use them: perfect, none, or a list such as"
              + " wrong=10%%,part=50%%,late=N,shuffle=N,chunk=N,ttl=N,seed=N (default: perfect)."
              + " perfect: the time of an object's next access and the number of all that it has"
              + " left, and the whole sequence for lookahead. wrong: name another object; part: so"
              + " many objects have hints; late, shuffle, ttl: accesses; chunk: manifests of N"
              + " accesses. Without chunk, a list means single hints, for an object's next access:"
              + " wrong=0%% is less than perfect. Given several times, or several separated by"
              + " semicolons: each in turn.")
  private List<String> hints = List.of();

  @Option(
      names = "--write-rate",
      paramLabel = "RATE",
      description =
          "What rejectx, coinflip and offline may write to the SSD: such as 20MB/s, 1MB/access, or"
              + " a policy whose writes at the same capacity are the limit (default: no limit).")
  private @Nullable String writeRate;

  @Option(
      names = "--stream",
      description =
          "Reads the trace file in one pass (two if a capacity is n%%) and never holds it, so that"
              + " memory depends on the number of objects alone; for policies that need no future,"
              + " without --plot, --partition, --hints, --write-rate and --tier-bw, and for one tier.")
  private boolean stream;

  @Option(names = "--json", description = "An array with an object for each policy and capacity.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "DIR",
      description =
          "Writes hit-ratio, disk-time and occupancy plots there, and with --partition auto where"
              + " the borders are, as PNG and SVG; with several --hints instead disk seconds / lru"
              + " by hints, a plot for each capacity. At most ten lines a plot: the others are in"
              + " NAME-2, NAME-3. The directory is made.")
  private @Nullable Path plots;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Simulations at a time (default: one for each core).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Spec private @Nullable CommandSpec spec;

  /** The tiers of each of the capacities. */
  private final List<List<Long>> tiers = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<String> names = Runs.policies(policies);
    if (threads <= 0) {
      throw new IllegalArgumentException("--threads: expected 1 or more, found " + threads);
    }
    if (Units.list(capacities).isEmpty()) {
      throw new IllegalArgumentException("--capacity: expected one or more sizes, found none");
    }
    // Before the trace, which may take long.
    Units.list(capacities).forEach(capacity -> TierPlaces.parse("--capacity", capacity, 1));
    if (stream) {
      stream(names, out, err);
      return 0;
    }
    if (plots != null) {
      Plots.makeDirectory("--plot", plots);
    }
    Trace trace = source.read(note -> err.println("note: " + note));
    List<Long> sizes = new ArrayList<>();
    tiers.clear();
    for (String capacity : Units.list(capacities)) {
      List<Long> of = TierPlaces.parse("--capacity", capacity, trace.footprintBytes());
      var unusedRates = TierPlaces.rates("--tier-bw", tierRates, of.size());
      tiers.add(of);
      sizes.add(of.stream().mapToLong(Long::longValue).sum());
    }
    int steps = period == null ? Math.max(1, trace.length() / 100) : period;
    if (steps <= 0) {
      throw new IllegalArgumentException("--partition-period: expected 1 or more, found " + period);
    }
    PartitionRule rule = PartitionRule.parse("--partition", partition);
    List<HintQuality> qualities = HintQuality.parse("--hints", hints);
    boolean byHints = qualities.size() > 1;
    if (names.stream().anyMatch(Policies::isClairvoyant)
        && !qualities.stream().allMatch(HintQuality::isPerfect)) {
      err.println(
          "note: belady and belady-size know the future with --hints perfect only; with others they"
              + " are no measure of what can be saved");
    }
    if (byHints && plots != null && !names.contains(Plots.LRU)) {
      throw new IllegalArgumentException(
          "--plot: expected lru in --policy, which plots by --hints compare with, found "
              + policies);
    }
    List<Simulation.Result> results =
        run(
            trace,
            qualities,
            names,
            sizes,
            err,
            quality -> simulation(trace, rule, steps, quality));
    if (json) {
      out.println(Report.json(trace, results, source.disk(), rule, tierRates));
    } else {
      out.println(title(trace.name(), trace.length(), trace.objects(), trace.footprintBytes()));
      out.print(Report.table(results, source.disk(), tierRates));
    }
    out.flush();
    if (plots != null && byHints) {
      Plots.hints(plots, trace, results, source.disk());
    } else if (plots != null) {
      Plots.write(plots, trace, results, source.disk());
      if (rule.isAuto()) {
        Plots.partition(plots, trace, results);
      }
    }
    return 0;
  }

  private Simulation simulation(Trace trace, PartitionRule rule, int steps, HintQuality quality) {
    Simulation simulation = new Simulation(trace, source.disk(), source.seed, rule, steps, quality);
    simulation.window(source.windowMillis());
    tiers.forEach(simulation::tiers);
    simulation.writeRate(writeRate == null ? null : new WriteRate(writeRate));
    return simulation;
  }

  /**
   * All policies and capacities with each quality of hints in turn. Policies that hints do not
   * change run once; their results stand for all qualities.
   *
   * @param qualities empty: perfect, and results do not name it
   */
  private List<Simulation.Result> run(
      Trace trace,
      List<HintQuality> qualities,
      List<String> names,
      List<Long> sizes,
      PrintWriter err,
      Function<HintQuality, Simulation> made)
      throws InterruptedException {
    if (qualities.isEmpty()) {
      return new Runs(trace, made.apply(HintQuality.PERFECT), threads, err).run(names, sizes);
    }
    List<String> hinted =
        names.stream().filter(SimulateCommand::isHinted).collect(Collectors.toList());
    List<Simulation.Result> results = new ArrayList<>();
    for (HintQuality quality : qualities) {
      boolean first = results.isEmpty();
      List<Simulation.Result> fresh =
          new Runs(trace, made.apply(quality), threads, err).run(first ? names : hinted, sizes);
      int next = 0;
      for (int i = 0; i < names.size() * sizes.size(); i++) {
        boolean known = !first && !isHinted(names.get(i / sizes.size()));
        results.add((known ? results.get(i) : fresh.get(next++)).withHints(quality));
      }
    }
    return results;
  }

  /** Whether hints may change its results; those of a baseline through the rate it is tuned to. */
  private static boolean isHinted(String policy) {
    return Policies.needsFuture(policy) || Baselines.isName(policy);
  }

  private static String title(String name, long accesses, int objects, long footprintBytes) {
    return String.format(
        Locale.ROOT,
        "%s: %,d accesses to %,d objects, footprint %s",
        name,
        accesses,
        objects,
        Units.human(footprintBytes));
  }

  /** An option that a stream has no use for; null if there is none. */
  private @Nullable String notWithStream() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--workload", source.workload != null);
    given.put("--plot", plots != null);
    given.put("--partition " + partition, !partition.equals("shared"));
    given.put("--partition-period", period != null);
    given.put("--hints", !hints.isEmpty());
    given.put("--write-rate", writeRate != null);
    given.put("--tier-bw", tierRates != null);
    given.values().removeIf(is -> !is);
    return given.isEmpty() ? null : given.keySet().iterator().next();
  }

  private void stream(List<String> names, PrintWriter out, PrintWriter err) throws Exception {
    String refused = notWithStream();
    if (refused != null) {
      throw new IllegalArgumentException(
          "--stream: expected --trace FILE without --plot, --partition, --partition-period,"
              + " --hints, --write-rate and --tier-bw, found "
              + refused);
    }
    for (String capacity : Units.list(capacities)) {
      if (Units.tiers(capacity).size() > 1) {
        throw new IllegalArgumentException(
            "--stream: expected --capacity of one tier, found " + capacity);
      }
    }
    StreamedRuns runs = new StreamedRuns(source, err);
    List<Simulation.Result> results = runs.run(names, Units.list(capacities), threads);
    if (json) {
      out.println(Report.json(source.name(), results, source.disk(), PartitionRule.SHARED));
    } else {
      out.println(title(source.name(), runs.accesses(), runs.objects(), runs.footprintBytes()));
      out.print(Report.table(results, source.disk()));
    }
    out.flush();
  }
}
