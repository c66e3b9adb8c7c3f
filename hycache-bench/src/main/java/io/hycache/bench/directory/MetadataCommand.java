// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.bench.sim.Plots;
import io.hycache.core.directory.Ring;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Metadata operations a second: the directory beside a NameNode. */
@Command(
    name = "metadata",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description =
        "Metadata operations a second of the directory in 1 to 16 processes on this machine, beside a"
            + " real NameNode with the same clients.",
    footer = {
      "",
      "Each node is a process: a share of the directory behind a Hadoop RPC server, and --clients",
      "threads that each do their next call of --batch operations when the last one has ended. The",
      "NameNode is a process of its own, with an empty namespace and its edit log in /dev/shm if there",
      "is one, so that no disk holds it back; as many clients in as many processes ask it through HDFS's",
      "own client. All processes share this machine's cores. Created files stay: half of the machine's",
      "memory is heap of the processes, so --seconds ends where that is full.",
      "",
      "create  a record that must not be there yet, under a name of its own; HDFS: create and close",
      "stat    a record created before, from its owner; HDFS: getFileStatus",
      "list    the client's own directory of 32 files; HDFS: listStatus",
      "cas     takes or clears the mark \"being written\" of an own file; HDFS has none",
      "append  a name to one directory record that all clients share, and at the end the record must",
      "        have as many different entries as were acknowledged; HDFS: create in one directory",
      "",
      "--simulate runs the same nodes and clients in virtual time, with the CPU time of a call and of an",
      "operation as measured before with one client: first with this machine's cores and the measured",
      "numbers of nodes, to hold against what was measured; then with a core for each node and 64",
      "operations that each of 2 clients splits over their owners, or that each of 8 gathers and sends in",
      "full calls. 4096 nodes need java -Xmx12g.",
      "",
      "ops/s are those of the measured time, us the latency of a call of --batch operations. Exit code",
      "1 if an operation failed. If a process fails, the points measured before are printed.",
      "",
      "Example: experiment metadata --nodes 1,4 --operations create --json"
    })
public final class MetadataCommand implements Callable<Integer> {
  /** Measures points. */
  interface Points {
    /** Adds a row for each point as it is measured. Returns what is said below the table. */
    String measure(List<Row> rows, PrintWriter err) throws IOException;
  }

  private static final int MAX_NODES = 16;

  @Option(
      names = "--nodes",
      paramLabel = "LIST",
      defaultValue = "1,2,4,8",
      description = "Numbers of nodes, each 1 to 16 (default: ${DEFAULT-VALUE}).")
  private String nodes = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured time of a point, 1 to 600 (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Seconds before it, 0 to 600, and once more with new processes (default:"
              + " ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--batch",
      paramLabel = "LIST",
      defaultValue = "1,64",
      description = "Operations in a call, each 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private String batches = "";

  @Option(
      names = "--operations",
      paramLabel = "LIST",
      defaultValue = "create,stat,list,cas,append",
      description = "What is done (default: ${DEFAULT-VALUE}).")
  private String operations = "";

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      defaultValue = "hycache,namenode",
      description = "What it is done with (default: ${DEFAULT-VALUE}).")
  private String systems = "";

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "Client threads in each node, 1 to 256 (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "2",
      description = "Copies of each record, 1 to 8 (default: ${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of what is drawn (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--simulate",
      paramLabel = "LIST",
      defaultValue = "",
      description =
          "Numbers of nodes to simulate, each 1 to 16384, such as 16,64,256,1024,4096; and every"
              + " measured number beside (default: none).")
  private String simulated = "";

  @Option(
      names = "--latency-us",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Of a message in the simulated network, 0 to 1000000 microseconds one way (default:"
              + " ${DEFAULT-VALUE}).")
  private int latencyMicros;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description = "Gets creates a second against nodes, and FILE.svg too.")
  private @Nullable Path plot;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Gets the JSON form, whatever is printed.")
  private @Nullable Path file;

  @Option(names = "--json", description = "An array with an object for each point.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    return call(this::measure);
  }

  /** The same with points from elsewhere. */
  int call(Points points) throws IOException {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path plots = plot == null ? null : plot.toAbsolutePath().getParent();
    if (plots != null) {
      Plots.makeDirectory("--plot", plots);
    }
    List<Row> rows = new ArrayList<>();
    String summary = "";
    try {
      summary = points.measure(rows, err);
    } finally {
      // What was measured before a failure took its time, too.
      if (!rows.isEmpty()) {
        print(rows, summary, out);
      }
    }
    if (plot != null) {
      MetadataPlot.write(plot, rows);
    }
    return rows.stream().allMatch(row -> row.errors == 0) ? 0 : 1;
  }

  private void print(List<Row> rows, String summary, PrintWriter out) throws IOException {
    String text = Row.json(rows);
    if (file != null) {
      Files.writeString(file, text + "\n", StandardCharsets.UTF_8);
    }
    out.print(json ? text + "\n" : Row.table(rows) + summary);
    out.flush();
  }

  private String measure(List<Row> rows, PrintWriter err) throws IOException {
    List<Integer> sizes = Numbers.of("--nodes", nodes, 1, MAX_NODES);
    List<Integer> large =
        simulated.isBlank() ? List.of() : Numbers.of("--simulate", simulated, 1, Ring.SHARDS);
    Numbers.checked("--latency-us", latencyMicros, 0, 1_000_000);
    List<Integer> calls = Numbers.of("--batch", batches, 1, 10_000);
    List<Phase.Operation> kinds = new ArrayList<>();
    Numbers.texts(operations).forEach(text -> kinds.add(Phase.Operation.parse(text)));
    List<String> with = Numbers.texts(systems);
    for (String system : with) {
      if (!system.equals(Row.HYCACHE) && !system.equals(Row.NAMENODE)) {
        throw new IllegalArgumentException(
            "--systems: expected hycache or namenode, found " + system);
      }
    }
    Phase form =
        new Phase(
            Phase.Operation.CREATE,
            "",
            Numbers.checked("--clients", clients, 1, 256),
            1,
            1000L * Numbers.checked("--warmup", warmup, 0, 600),
            1000L * Numbers.checked("--seconds", seconds, 1, 600),
            seed);
    Numbers.checked("--replicas", replicas, 1, 8);
    try (Launcher launcher = Launcher.create()) {
      Row.Setting setting = new Row.Setting(replicas, seed, Commit.of(launcher.home()));
      Measurement measurement = new Measurement(launcher, err, setting, form);
      for (int size : sizes) {
        if (with.contains(Row.HYCACHE)) {
          measurement.directory(size, kinds, calls, rows::add);
        }
        if (with.contains(Row.NAMENODE)) {
          measurement.nameNode(size, kinds, rows::add);
        }
      }
      return large.isEmpty()
          ? ""
          : simulate(rows, large, new Calibration(launcher, err, form).measure(), setting, err);
    }
  }

  private String simulate(
      List<Row> rows, List<Integer> large, Costs costs, Row.Setting setting, PrintWriter err) {
    List<Row> measured = List.copyOf(rows);
    Scale scale = new Scale(costs, latencyMicros, setting, err);
    List<Row> beside = scale.beside(measured);
    List<Row> alone = scale.large(large);
    rows.addAll(beside);
    rows.addAll(alone);
    return Scale.summary(measured, beside, alone);
  }
}
