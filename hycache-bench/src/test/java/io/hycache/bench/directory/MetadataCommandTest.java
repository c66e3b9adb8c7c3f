// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line and what comes out of it, without processes. */
class MetadataCommandTest {
  @TempDir private Path dir = Path.of("");

  private static String refused(String... args) {
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new MetadataCommand());
    line.setErr(new PrintWriter(err, true));
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          command.getErr().println("error: " + e.getMessage());
          return 1;
        });
    assertEquals(1, line.execute(args), String.join(" ", args));
    return err.toString().strip();
  }

  @Test
  void call_wrongArguments_saysWhatIsAllowed() {
    assertEquals("error: --nodes: expected 1 to 16, found 0", refused("--nodes", "1,0"));
    assertEquals(
        "error: --nodes: expected whole numbers from 1 to 16, found x", refused("--nodes", "x"));
    assertEquals(
        "error: --nodes: expected one or more numbers, found none", refused("--nodes", ","));
    assertEquals("error: --batch: expected 1 to 10000, found 10001", refused("--batch", "10001"));
    assertEquals(
        "error: --operations: expected create, stat, list, cas or append, found rename",
        refused("--operations", "rename"));
    assertEquals(
        "error: --systems: expected hycache or namenode, found nfs", refused("--systems", "nfs"));
    assertEquals("error: --seconds: expected 1 to 600, found 0", refused("--seconds", "0"));
    assertEquals("error: --clients: expected 1 to 256, found 0", refused("--clients", "0"));
    assertEquals("error: --replicas: expected 1 to 8, found 9", refused("--replicas", "9"));
    assertEquals(
        "error: --simulate: expected 1 to 16384, found 20000", refused("--simulate", "20000"));
  }

  @Test
  void create_notPackaged_saysHowTo() throws Exception {
    Path jar = Files.createFile(dir.resolve("hycache-bench.jar"));

    Exception e = assertThrows(IllegalStateException.class, () -> Launcher.create(jar));

    assertTrue(String.valueOf(e.getMessage()).contains("run `mvn package`"), e.getMessage());
  }

  private static Row row() {
    Histogram latency = PhaseResult.newHistogram();
    latency.recordValue(1_000_000);
    Phase phase = new Phase(Phase.Operation.CREATE, "", 8, 64, 0, 1000, 1);
    return new Row(
        Row.HYCACHE,
        phase,
        4,
        Row.Calls.SPLIT,
        1234.56,
        latency,
        0,
        2,
        new Row.Setting(2, 1, "abc1234"));
  }

  @Test
  void json_rows_haveAllFields() throws Exception {
    JsonNode rows = Lines.JSON.readTree(Row.json(List.of(row())));

    List<String> names = new ArrayList<>();
    rows.get(0).fieldNames().forEachRemaining(names::add);
    assertEquals(
        List.of(
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
            "commit"),
        names);
    assertEquals("hycache", rows.get(0).path("system").asText());
    assertEquals("create", rows.get(0).path("operation").asText());
    assertEquals(1234.6, rows.get(0).path("ops_per_s").asDouble());
    assertEquals(1000, rows.get(0).path("p50_us").asDouble(), 10);
  }

  @Test
  void call_aProcessFails_keepsWhatWasMeasuredBefore() throws Exception {
    StringWriter out = new StringWriter();
    Path file = dir.resolve("rows.json");
    MetadataCommand command = new MetadataCommand();
    CommandLine line = new CommandLine(command).setOut(new PrintWriter(out, true));
    var unused = line.parseArgs("--json", "--out", file.toString());

    IOException e =
        assertThrows(
            IOException.class,
            () ->
                command.call(
                    (rows, err) -> {
                      rows.add(row());
                      throw new IOException("process n0: ended");
                    }));

    assertEquals("process n0: ended", e.getMessage());
    assertEquals(1, Lines.JSON.readTree(Files.readString(file)).size());
    assertEquals(Files.readString(file), out.toString());
  }

  @Test
  void timeoutSeconds_ofALongPhase_isLongerThanThePhase() {
    Phase phase = new Phase(Phase.Operation.CREATE, "", 8, 64, 600_000, 600_000, 1);
    assertTrue(Cluster.timeoutSeconds(phase) > 1200, "s=" + Cluster.timeoutSeconds(phase));
  }

  @Test
  void sum_ofNodes_addsRatesAndErrors() throws Exception {
    Histogram latency = PhaseResult.newHistogram();
    latency.recordValue(5_000);
    PhaseResult one = new PhaseResult(10, PhaseResult.encode(latency), 7, 20, 1, "what");
    PhaseResult read = Lines.JSON.treeToValue(Lines.JSON.valueToTree(one), PhaseResult.class);

    PhaseResult sum = PhaseResult.sum(List.of(one, read));

    assertEquals(20, sum.operationsPerSecond);
    assertEquals(40, sum.acknowledged);
    assertEquals(2, sum.errors);
    assertEquals("what", sum.error);
    assertEquals(2, sum.histogram().getTotalCount());
  }

  @Test
  void checked_namesThatAreMissingOrThereTwice_areErrors() {
    AppendedNames names = new AppendedNames();
    List.of("n0-0/0", "n0-0/1", "n0-1/0", "n0-0/1", "n0-0-12").forEach(names::add);
    assertEquals(4, names.different());
    assertEquals(1, names.again());

    String latency = PhaseResult.encode(PhaseResult.newHistogram());
    PhaseResult sum = new PhaseResult(10, latency, 0, 4, 0, "");
    assertEquals(0, Cluster.checked(sum, 4, 0).errors);
    PhaseResult twice = Cluster.checked(sum, 4, 1);
    assertEquals(1, twice.errors);
    assertEquals("append: 4 names were acknowledged, 4 are there, 1 once more", twice.error);
    assertEquals(1, Cluster.checked(sum, 3, 0).errors);
  }

  @Test
  void write_plot_makesBothFiles() throws Exception {
    MetadataPlot.write(dir.resolve("p.png"), List.of(row()));

    assertTrue(Files.size(dir.resolve("p.png")) > 1000);
    assertTrue(Files.exists(dir.resolve("p.svg")));
  }
}
