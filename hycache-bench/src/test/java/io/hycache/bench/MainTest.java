// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line, as a user calls it. */
class MainTest {
  private static final String BELADY_NOTE =
      "note: belady and belady-size know the future with --hints perfect only; with others they are"
          + " no measure of what can be saved";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path dir = Path.of("");

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private Path trace() throws Exception {
    return Files.writeString(
        dir.resolve("t.csv"),
        "seq,object,size_bytes,op,request_bytes\n"
            + "1,a,100,R,100\n2,b,100,R,100\n3,a,100,R,50\n4,c,100,W,100\n5,a,100,R,100\n");
  }

  @Test
  void simulate_json_hasAllFieldsForEachPolicyAndCapacity() throws Exception {
    int code =
        run(
            "simulate",
            "--trace",
            trace().toString(),
            "--policy",
            "lru,belady",
            "--capacity",
            "200B,34%",
            "--json");

    assertEquals(0, code, err.toString());
    JsonNode rows = new ObjectMapper().readTree(out.toString());
    assertEquals(4, rows.size());
    List<String> names = new ArrayList<>();
    rows.get(0).fieldNames().forEachRemaining(names::add);
    assertEquals(
        List.of(
            "trace",
            "policy",
            "capacity_bytes",
            "accesses",
            "hits",
            "hit_bytes",
            "misses",
            "miss_bytes",
            "admitted_bytes",
            "evicted_bytes",
            "hdd_operations",
            "hdd_bytes",
            "disk_seconds",
            "move_seconds",
            "ssd_written_bytes"),
        names);
    JsonNode lru = rows.get(0);
    assertEquals("t.csv", lru.get("trace").asText());
    assertEquals("lru", lru.get("policy").asText());
    assertEquals(200, lru.get("capacity_bytes").asLong());
    assertEquals(2, lru.get("hits").asLong());
    assertEquals(150, lru.get("hit_bytes").asLong());
    assertEquals(3, lru.get("hdd_operations").asLong(), "a, b, and c at the end");
    assertEquals(3 * 0.008 + 300 / 144e6, lru.get("disk_seconds").asDouble(), 1e-12);
    assertEquals(102, rows.get(1).get("capacity_bytes").asLong());
  }

  /** Bytes that reuse writes to the SSD. */
  private long written(String... price) throws Exception {
    out.getBuffer().setLength(0);
    List<String> args = new ArrayList<>(List.of("simulate", "--workload", "zipf:200:4000"));
    args.addAll(List.of("--policy", "reuse", "--capacity", "5%", "--json"));
    args.addAll(List.of(price));
    assertEquals(0, run(args.toArray(new String[0])), err.toString());
    return new ObjectMapper().readTree(out.toString()).get(0).get("ssd_written_bytes").asLong();
  }

  @Test
  void simulate_writePrice_decidesWhatIsWritten() throws Exception {
    long free = written("--write-price", "0");
    long byDefault = written();
    long dear = written("--write-price", "1");
    String found = free + " " + byDefault + " " + dear;
    assertTrue(free > byDefault && byDefault > dear, found);
    assertEquals(byDefault, written("--write-price", "0.05"));
    assertEquals(
        (long) (0.05 * 200 * 128e6), written("--write-price", "1000"), "fills what is free once");
  }

  @Test
  void simulate_writePriceOutOfRange_saysWhatIsExpected() throws Exception {
    for (String price : List.of("-0.1", "NaN", "Infinity")) {
      err.getBuffer().setLength(0);
      assertEquals(2, run("simulate", "--trace", trace().toString(), "--write-price", price));
      assertTrue(
          err.toString()
              .contains("--write-price: expected 0 or more, such as 0.05, found " + price),
          err.toString());
    }
    assertEquals(2, run("simulate", "--trace", trace().toString(), "--write-price", "x"));
  }

  @Test
  void simulate_tableAndPlots_areWritten() throws Exception {
    Path plots = dir.resolve("plots");
    int code =
        run(
            "simulate",
            "--workload",
            "zipf:50:500",
            "--policy",
            "none,lru,lookahead",
            "--capacity",
            "5%,20%",
            "--plot",
            plots.toString());

    assertEquals(0, code, err.toString());
    assertTrue(out.toString().startsWith("zipf-50x500-seed1: 500 accesses to "), out.toString());
    assertEquals(2 + 6, out.toString().lines().count(), out.toString());
    for (String name : List.of("hit-ratio", "disk-time", "occupancy")) {
      assertTrue(Files.size(plots.resolve(name + ".png")) > 1000, name);
      assertTrue(Files.readString(plots.resolve(name + ".svg")).contains("<svg"), name);
    }
  }

  @Test
  void simulate_capacityWithoutUnit_offersBoth() throws Exception {
    assertEquals(2, run("simulate", "--trace", "no.csv", "--capacity", "20%,5"));
    assertEquals(
        "error: --capacity: expected a size with its unit, such as 5%, 256MB or 10GiB, found 5."
            + " Fix: 5% for a part of the footprint, 5B for bytes\n",
        err.toString(), "and before the trace is looked for");
  }

  @Test
  void simulate_plotsNowhere_isAnErrorBeforeTheRun() throws Exception {
    String file = Files.writeString(dir.resolve("file"), "").toString();
    assertEquals(2, run("simulate", "--trace", "no.csv", "--plot", file));
    assertEquals(
        "error: --plot: expected a directory to write to, found a file at " + file + "\n",
        err.toString());
    err.getBuffer().setLength(0);
    String plot = dir.resolve("file/x.png").toString();
    assertEquals(2, run("experiment", "metadata", "--plot", plot));
    assertTrue(
        err.toString().contains("--plot: expected a directory to write to, found "),
        err.toString());
  }

  @Test
  void simulate_allPolicies_plotsHaveTenLinesEachAndAreSmall() throws Exception {
    Path plots = dir.resolve("plots");
    int code =
        run(
            "simulate",
            "--workload",
            "zipf:50:2000",
            "--policy",
            "all",
            "--capacity",
            "1%,5%,20%",
            "--plot",
            plots.toString());

    assertEquals(0, code, err.toString());
    long policies = (out.toString().lines().count() - 2) / 3;
    assertTrue(policies > 10, "policies=" + policies);
    List<String> expected = new ArrayList<>();
    for (String name : List.of("disk-time", "hit-ratio")) {
      for (int plot = 2; plot <= (policies + 9) / 10; plot++) {
        expected.add(name + "-" + plot + ".svg");
      }
      expected.add(name + ".svg");
    }
    List<String> found = new ArrayList<>();
    try (var files = Files.list(plots)) {
      for (Path file : files.sorted().collect(Collectors.toList())) {
        String name = file.getFileName().toString();
        if (name.endsWith(".svg")) {
          assertTrue(Files.size(file) < 300_000, name + " bytes=" + Files.size(file));
          if (!name.startsWith("occupancy")) {
            found.add(name);
          }
        }
      }
    }
    assertEquals(expected, found);
    String svg = Files.readString(plots.resolve("hit-ratio.svg"));
    assertTrue(svg.contains("stroke:rgb(0,114,178)"), "the first line is blue");
    assertTrue(svg.contains("stroke-dasharray"), "the ninth is dashed");
  }

  @Test
  void simulate_severalHints_rowsAndPlotsHaveEachInOrder() throws Exception {
    Path plots = dir.resolve("plots");
    int code =
        run(
            "simulate",
            "--workload",
            "zipf:50:2000",
            "--policy",
            "lru,lookahead",
            "--capacity",
            "5%,20%",
            "--hints",
            "perfect;wrong=100%,chunk=10",
            "--hints",
            "none",
            "--plot",
            plots.toString(),
            "--json");

    assertEquals(0, code, err.toString());
    List<String> found = new ArrayList<>();
    List<Long> lru = new ArrayList<>();
    List<Long> lookahead = new ArrayList<>();
    for (JsonNode row : new ObjectMapper().readTree(out.toString())) {
      found.add(row.get("policy").asText() + " " + row.get("hints").asText());
      (row.get("policy").asText().equals("lru") ? lru : lookahead).add(row.get("hits").asLong());
    }
    assertEquals(
        List.of(
            "lru perfect",
            "lru perfect",
            "lookahead perfect",
            "lookahead perfect",
            "lru wrong=100%,chunk=10",
            "lru wrong=100%,chunk=10",
            "lookahead wrong=100%,chunk=10",
            "lookahead wrong=100%,chunk=10",
            "lru none",
            "lru none",
            "lookahead none",
            "lookahead none"),
        found);
    assertEquals(lru.subList(0, 2), lru.subList(2, 4));
    assertEquals(lru.subList(0, 2), lru.subList(4, 6));
    assertTrue(lookahead.get(0) > lookahead.get(2), lookahead.toString());
    assertTrue(lookahead.get(0) > lookahead.get(4), lookahead.toString());
    try (var files = Files.list(plots)) {
      assertEquals(
          List.of("hints-1.28-GB.png", "hints-1.28-GB.svg", "hints-320-MB.png", "hints-320-MB.svg"),
          files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList()));
    }
    assertTrue(Files.size(plots.resolve("hints-320-MB.png")) > 1000);
    assertTrue(Files.readString(plots.resolve("hints-320-MB.svg")).contains("<svg"));
  }

  @Test
  void simulate_hintsOfOneQuality_areInTheTable() throws Exception {
    assertEquals(
        0, run("simulate", "--trace", trace().toString(), "--policy", "lru", "--hints", "late=2"));
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertTrue(lines.get(1).matches("policy +hints +capacity .*"), out.toString());
    assertTrue(lines.get(2).matches("lru +late=2 +\\d+ B .*"), out.toString());
  }

  @Test
  void simulate_hintsThatCannotBe_saysWhatIsExpected() throws Exception {
    String file = trace().toString();
    assertEquals(2, run("simulate", "--trace", file, "--hints", "none;late=1;none"));
    assertTrue(
        err.toString().contains("--hints: expected each quality once, found twice none"),
        err.toString());
    assertEquals(2, run("simulate", "--trace", file, "--hints", "none;late"));
    assertTrue(err.toString().contains("found late="), err.toString());
    String plots = dir.resolve("plots").toString();
    assertEquals(
        2,
        run(
            "simulate",
            "--trace",
            file,
            "--policy",
            "adaptive",
            "--hints",
            "none;late=1",
            "--plot",
            plots));
    assertTrue(
        err.toString().contains("--plot: expected lru in --policy, which plots by --hints compare"),
        err.toString());
  }

  @Test
  void generate_output_canBeSimulated() throws Exception {
    assertEquals(0, run("generate", "writes:20:200", "--seed", "3"));
    Path file = Files.writeString(dir.resolve("w.csv"), out.toString());
    out.getBuffer().setLength(0);

    assertEquals(
        0, run("simulate", "--trace", file.toString(), "--policy", "lru", "--capacity", "10%"));
    assertTrue(out.toString().startsWith("w.csv: 200 accesses to 20 objects"), out.toString());
  }

  @Test
  void advise_target_findsTheSmallestSize() throws Exception {
    int code =
        run(
            "advise",
            "--workload",
            "loop:40:2000",
            "--policy",
            "lru,lookahead",
            "--target-hit-ratio",
            "50%",
            "--days",
            "2",
            "--hints",
            "perfect",
            "--json");

    assertEquals(0, code, err.toString());
    JsonNode rows = new ObjectMapper().readTree(out.toString());
    assertEquals(2, rows.size());
    for (JsonNode row : rows) {
      assertTrue(row.get("reached").asBoolean());
      assertTrue(row.get("hit_ratio").asDouble() >= 0.5);
      assertEquals(
          row.get("ssd_written_bytes").asDouble() / 2,
          row.get("ssd_written_bytes_per_day").asDouble());
    }
    assertTrue(
        rows.get(1).get("capacity_bytes").asLong() <= rows.get(0).get("capacity_bytes").asLong());
  }

  private JsonNode adaptive(String... args) throws Exception {
    out.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--workload", "zipf:200:4000", "--policy", "adaptive", "--json"));
    assertEquals(0, run(all.toArray(new String[0])), err.toString());
    return new ObjectMapper().readTree(out.toString()).get(0);
  }

  @Test
  void advise_byDefault_knowsNothingOfTheFuture() throws Exception {
    JsonNode found = adaptive("advise", "--target-hit-ratio", "40%");
    assertEquals("none", found.get("hints").asText());
    String capacity = found.get("capacity_bytes").asLong() + "B";
    JsonNode blind = adaptive("simulate", "--hints", "none", "--capacity", capacity);
    assertEquals(blind.get("ssd_written_bytes").asLong(), found.get("ssd_written_bytes").asLong());
    assertEquals(blind.get("hits").asLong() / 4000.0, found.get("hit_ratio").asDouble());

    JsonNode seeing = adaptive("advise", "--target-hit-ratio", "40%", "--hints", "perfect");
    assertEquals("perfect", seeing.get("hints").asText());
    long smaller = seeing.get("capacity_bytes").asLong();
    assertTrue(smaller < found.get("capacity_bytes").asLong(), found + " " + seeing);
  }

  @Test
  void advise_daysThatCannotBe_areRefused() throws Exception {
    for (String days : List.of("0.0", "-7.0", "NaN")) {
      err.getBuffer().setLength(0);
      List<String> args = new ArrayList<>(List.of("advise", "--workload", "zipf:5:50"));
      args.addAll(List.of("--target-hit-ratio", "40%", "--days"));
      assertEquals(2, run(concat(args, days)), err.toString());
      assertEquals("error: --days: expected more than 0, found " + days + "\n", err.toString());
    }
  }

  @Test
  void advise_targetThatCannotBe_isRefusedBeforeTheTraceIsRead() throws Exception {
    for (String option : List.of("--target-hit-ratio", "--target-disk-time")) {
      List<String> args = new ArrayList<>(List.of("advise", "--trace", "no.csv", option));
      err.getBuffer().setLength(0);
      assertEquals(2, run(concat(args, "150%")), err.toString());
      assertEquals("error: " + option + ": expected 0% to 100%, found 150%\n", err.toString());
      err.getBuffer().setLength(0);
      assertEquals(2, run(concat(args, "60")), err.toString());
      assertEquals(
          "error: " + option + ": expected something like 5% or 0.1%, found 60\n", err.toString());
    }
  }

  @Test
  void advise_table_namesTheHints() throws Exception {
    List<String> args = new ArrayList<>(List.of("advise", "--trace", trace().toString()));
    args.addAll(List.of("--target-hit-ratio", "40%", "--hints", "late=2", "--policy"));
    assertEquals(0, run(concat(args, "lru")), err.toString());
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertTrue(lines.get(0).matches("policy +hints +SSD .*"), out.toString());
    assertTrue(lines.get(1).matches("lru +late=2 +\\d+ B .*"), out.toString());
  }

  @Test
  void advise_nothingReached_exitsWith1() throws Exception {
    List<String> args = new ArrayList<>(List.of("advise", "--trace", trace().toString()));
    args.addAll(List.of("--policy", "lru", "--target-hit-ratio"));
    assertEquals(0, run(concat(args, "40%")), err.toString());
    assertEquals(1, run(concat(args, "99%")), out.toString());
    assertTrue(out.toString().contains("not reached"), out.toString());
    assertTrue(err.toString().contains("no policy reaches the target"), err.toString());
  }

  private static String[] concat(List<String> args, String last) {
    List<String> all = new ArrayList<>(args);
    all.add(last);
    return all.toArray(new String[0]);
  }

  @Test
  void mistakes_sayWhatIsExpected() throws Exception {
    assertEquals(2, run("simulate", "--trace", dir.resolve("no.csv").toString()));
    assertTrue(
        err.toString().contains("--trace: expected a readable file, found none at "),
        err.toString());
    assertEquals(2, run("simulate"));
    assertTrue(err.toString().contains("expected either --trace FILE or --workload"));
    assertEquals(2, run("simulate", "--workload", "zipf:5", "--policy", "lru"));
    assertTrue(err.toString().contains("--workload: expected NAME:OBJECTS:ACCESSES"));
    assertEquals(2, run("simulate", "--trace", trace().toString(), "--policy", "best"));
    assertTrue(err.toString().contains("--policy: expected lru, "), err.toString());
    assertEquals(
        2, run("simulate", "--trace", trace().toString(), "--policy", "lru", "--capacity", "5q"));
    assertTrue(err.toString().contains("--capacity: expected something like"));
    assertEquals(2, run("simulate", "--polcy", "lru"));
    assertEquals(2, run());
    assertEquals(
        2, run("simulate", "--workload", "zipf:1000:20000", "--policy", "lru", "--capacity", "5"));
    assertEquals(2, run("simulate", "--workload", "zopf:1000:20000", "--policy", "lru"));
    assertTrue(err.toString().contains("workload: expected one of round-robin, "), err.toString());
    assertEquals(2, run("memory", "--policy", "best"));
    assertTrue(err.toString().contains("policy: expected lru, "), err.toString());
  }

  @Test
  void simulate_optionsThatASimulationRefuses_areWrongArguments() throws Exception {
    List<String> args = new ArrayList<>(List.of("simulate", "--workload", "zipf:10:100"));
    args.addAll(List.of("--policy", "rejectx", "--partition", "auto", "--capacity"));
    assertEquals(2, run(concat(args, "100%")), err.toString());
    assertTrue(
        err.toString()
            .contains("error: --partition: expected shared with --policy rejectx, found auto\n"),
        err.toString());
  }

  @Test
  void traceThatCannotBeRead_isAFailure() throws Exception {
    Path broken =
        Files.writeString(dir.resolve("broken.csv"), "seq,object,size_bytes,op\n1,a,x,R\n");
    assertEquals(1, run("simulate", "--trace", broken.toString(), "--policy", "lru"));
    assertTrue(err.toString().contains("broken.csv line 2: size_bytes: "), err.toString());
    Path swim = Files.writeString(dir.resolve("swim.tsv"), "j\t1\t1\tx\t0\t0\tp1");
    assertEquals(
        1, run("simulate", "--trace", swim.toString(), "--format", "swim", "--policy", "lru"));
  }

  @Test
  void packedTraceThatIsCutOff_isNamed() throws Exception {
    assertEquals(0, run("generate", "zipf:500:20000"), err.toString());
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(out.toString().getBytes(UTF_8));
    }
    byte[] all = packed.toByteArray();
    for (int length : List.of(all.length / 2, 8)) {
      Path file = Files.write(dir.resolve("t.gz"), Arrays.copyOf(all, length));
      for (String format : List.of("csv", "baleen", "clienttrace")) {
        err.getBuffer().setLength(0);
        String[] args = {"simulate", "--trace", file.toString(), "--format", format};
        assertEquals(1, run(args), err.toString());
        assertEquals(
            "error: can't read or write "
                + file
                + ": expected a whole packed file, found one that is cut off. Fix: copy it again\n",
            err.toString(),
            format + " " + length);
      }
    }
  }

  @Test
  void outputThatCannotBeWritten_isAFailure() throws Exception {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    String log = clientTrace(1).toString();
    for (List<String> args : List.of(List.of("generate", "zipf:5:50"), List.of("trace", log))) {
      err.getBuffer().setLength(0);
      PrintWriter out = new PrintWriter(full, true, UTF_8);
      int code = Main.run(out, new PrintWriter(err, true), args.toArray(new String[0]));
      assertEquals(1, code, args.get(0));
      assertTrue(
          err.toString().endsWith("error: can't write to the standard output\n"), err.toString());
    }
  }

  @Test
  void charset_ofATrace_isUtf8WhateverTheTerminalHas() {
    assertEquals(UTF_8, Main.charsetOf("trace", "dn.log", "--keep-names"));
    assertEquals(Charset.defaultCharset(), Main.charsetOf("simulate"));
    assertEquals(Charset.defaultCharset(), Main.charsetOf());
  }

  @Test
  void help_saysHowItIsCounted() {
    assertEquals(0, run("simulate", "--help"));
    assertTrue(out.toString().contains("disk_seconds = HDD operations"), out.toString());
  }

  @Test
  void help_ofACommand_isWhatItsHelpOptionPrints() throws Exception {
    assertEquals(0, run("simulate", "--help"));
    String wanted = out.toString();
    out.getBuffer().setLength(0);
    assertEquals(0, run("help", "simulate"));
    assertEquals(wanted, out.toString());
    assertEquals(2, run("help", "simulat"));
  }

  @Test
  void help_ofJmh_isJmhsOwn() throws Exception {
    for (String[] args : new String[][] {{"jmh", "--help"}, {"jmh", "-h"}, {"help", "jmh"}}) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      PrintStream before = System.out;
      System.setOut(new PrintStream(printed, true, UTF_8));
      try {
        Main.main(args);
      } finally {
        System.setOut(before);
      }
      assertTrue(printed.toString(UTF_8).startsWith("Usage: java -jar"), printed.toString(UTF_8));
    }
  }

  @Test
  void help_everyCommand_printsWithoutAWarning() {
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(warnings, true, UTF_8));
    try {
      for (String command :
          List.of("simulate", "advise", "generate", "trace", "memory", "plot-jmh")) {
        assertEquals(0, run(command, "--help"));
      }
    } finally {
      System.setErr(before);
    }

    assertEquals("", warnings.toString(UTF_8));
  }

  private static String firstColumn(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  private Path clientTrace(int lines) throws Exception {
    StringBuilder log = new StringBuilder("2026-11-26 00:00:00,000 INFO DataNode: started\n");
    for (int i = 0; i < lines; i++) {
      log.append(
          String.format(
              "2026-11-26 00:%02d:00,000 INFO DataNode.clienttrace: src: /a, dest: /b, volume: ,"
                  + " bytes: %d, op: HDFS_READ, cliID: DFSClient_attempt_1_0007_m_0_0_1_1, offset:"
                  + " 0, srvID: s, blockid: BP-1:blk_%d_1, duration(ns): 1%n",
              i, 1 << 20, i % 3));
    }
    return Files.writeString(dir.resolve("dn.log"), log);
  }

  @Test
  void trace_clientTrace_isAnonymousAndCanBeSimulated() throws Exception {
    Path day = dir.resolve("day.trace.gz");
    int code = run("trace", clientTrace(6).toString(), "--salt", "s", "--out", day.toString());

    assertEquals(0, code, err.toString());
    assertEquals("", out.toString());
    assertTrue(err.toString().contains("note: 1 lines of other loggers"), err.toString());
    assertTrue(err.toString().contains("6 requests written"), err.toString());
    List<String> lines;
    try (var in = new GZIPInputStream(Files.newInputStream(day))) {
      lines = new String(in.readAllBytes(), UTF_8).lines().collect(Collectors.toList());
    }
    assertEquals(7, lines.size());
    assertEquals(
        "# block_id io_offset io_size op_time op_name pipeline user_namespace user_name op_count",
        lines.get(0));
    assertTrue(
        lines.get(1).matches("\\d+ 0 1048576 1795651200\\.000 2 \\d+ \\d+ \\d+ 1"), lines.get(1));
    assertEquals(
        firstColumn(lines.get(1)), firstColumn(lines.get(4)), "the same block, the same number");
    assertFalse(firstColumn(lines.get(1)).equals(firstColumn(lines.get(2))));

    code =
        run(
            "simulate",
            "--trace",
            day.toString(),
            "--format",
            "baleen",
            "--policy",
            "lru,rejectx",
            "--capacity",
            "100%",
            "--window",
            "60s",
            "--json");
    assertEquals(0, code, err.toString());
    JsonNode rows = new ObjectMapper().readTree(out.toString());
    assertEquals(3, rows.get(0).get("hits").asInt());
    assertEquals(60, rows.get(0).get("window_seconds").asInt());
    double block = 0.008 + (1 << 20) / 144e6;
    assertEquals(block / 60, rows.get(0).get("peak_busy_disks").asDouble(), 1e-12);
    assertEquals(3 * block / 300, rows.get(0).get("mean_busy_disks").asDouble(), 1e-12);
    assertEquals("rejects=1 history=3", rows.get(1).get("admission").asText());
    assertEquals(0, rows.get(1).get("hits").asInt());
  }

  @Test
  void trace_keepNames_showsTheJobAndSaltsDiffer() throws Exception {
    Path log = clientTrace(1);
    assertEquals(0, run("trace", log.toString(), "--keep-names", "--op-names"));
    assertEquals(
        "BP-1:blk_0/s 0 1048576 1795651200.000 getChunkData.Permanent job_1_0007 BP-1 NOT_SET 1",
        out.toString().lines().skip(1).findFirst().orElse(""));
    List<String> blocks = new ArrayList<>();
    for (String salt : List.of("a", "a", "b")) {
      out.getBuffer().setLength(0);
      assertEquals(0, run("trace", log.toString(), "--salt", salt));
      blocks.add(firstColumn(out.toString().lines().skip(1).findFirst().orElse(" ")));
    }
    assertEquals(blocks.get(0), blocks.get(1));
    assertFalse(blocks.get(0).equals(blocks.get(2)));
  }

  /** The names in HDFS may hold what separates columns of a trace. */
  @Test
  void trace_keepNames_namesStayDifferentAndInOneColumn() throws Exception {
    List<String> names = List.of("/a b", "/a_b", "/a%20b", "/a,b", "/a\u3000b", "/a#b");
    StringBuilder csv = new StringBuilder("object,size_bytes,op,time\n");
    names.forEach(name -> csv.append('"').append(name).append("\",5,R,1\n"));
    Path file = Files.writeString(dir.resolve("names.csv"), csv);
    Path day = dir.resolve("day.trace");
    List<String> args = new ArrayList<>(List.of("trace", "--format", "csv", file.toString()));
    args.addAll(List.of("--keep-names", "--out"));
    assertEquals(0, run(concat(args, day.toString())), err.toString());
    assertEquals(
        List.of("/a%20b", "/a_b", "/a%2520b", "/a%2Cb", "/a%E3%80%80b", "/a%23b"),
        Files.readAllLines(day).stream()
            .skip(1)
            .map(MainTest::firstColumn)
            .collect(Collectors.toList()));
    args = new ArrayList<>(List.of("simulate", "--trace", day.toString(), "--format", "baleen"));
    args.add("--policy");
    assertEquals(0, run(concat(args, "lru")), err.toString());
    assertTrue(out.toString().contains("6 accesses to 6 objects"), out.toString());
  }

  @Test
  void trace_auditLog_keepsUserAndContextAndCountsWhatItSkips() throws Exception {
    Path sizes = Files.writeString(dir.resolve("sizes.tsv"), "/d/a\t700\n");
    String line =
        "2026-11-26 00:00:0%d,500 INFO FSNamesystem.audit: allowed=%s\tugi=%s\tip=/1.2.3.4"
            + "\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%s\n";
    String context = "\tcallerContext=mr_attempt_17_0042_m_000001_0,clientIp:10.0.0.1";
    Path log =
        Files.writeString(
            dir.resolve("audit.log"),
            String.format(line, 1, "true", "al@REALM (auth:KERBEROS)", "/d/a", context)
                + String.format(line, 2, "false", "al", "/d/a", "")
                + String.format(line, 3, "true", "al", "/d/b", "")
                + String.format(line, 4, "true", "bo via hive/h@R (auth:PROXY)", "/d/a", "")
                + "garbage\n");
    int code =
        run(
            "trace",
            log.toString(),
            "--format",
            "audit",
            "--sizes",
            sizes.toString(),
            "--keep-names",
            "--op-names");

    assertEquals(0, code, err.toString());
    assertEquals(
        List.of(
            "/d/a 0 700 1795651201.500 getChunkData.Permanent job_17_0042 /d al 1",
            "/d/a 0 700 1795651204.500 getChunkData.Permanent NOT_SET /d bo 1"),
        out.toString().lines().skip(1).collect(Collectors.toList()));
    for (String reason :
        List.of("not allowed", "a file that --sizes does not list", "no line of an audit log")) {
      assertTrue(err.toString().contains("skipped 1 lines: " + reason), err.toString());
    }
  }

  /** As the shell lists rolled logs: the youngest closed one first. */
  @Test
  void trace_logsInAWrongOrder_saysHowFarTheyGoBack() throws Exception {
    Path log = clientTrace(3);
    Path older = dir.resolve("dn.log.1");
    Files.writeString(older, Files.readString(log).replace("2026-11-26 0", "2026-11-25 1"));

    assertEquals(0, run("trace", older.toString(), log.toString()), err.toString());
    assertFalse(err.toString().contains("earlier"), err.toString());
    assertEquals(0, run("trace", log.toString(), older.toString()), err.toString());
    assertTrue(
        err.toString()
            .contains(
                "note: 1 requests are earlier than the one before, and one is 14h2m earlier than"
                    + " another before it. Fix: "),
        err.toString());
  }

  /** Renames are followed in the order of the lines, so sorting the trace mends nothing. */
  @Test
  void trace_auditLogInAWrongOrder_isAnError() throws Exception {
    Path sizes = Files.writeString(dir.resolve("sizes.tsv"), "/a\t700\n");
    String line =
        "2026-11-26 %s,500 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/1.2.3.4"
            + "\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\n";
    for (boolean wrong : new boolean[] {false, true}) {
      Path log =
          Files.writeString(
              dir.resolve("audit.log"),
              String.format(line, "10:00:00")
                  + String.format(line, wrong ? "09:58:59" : "09:59:59"));
      int code = run("trace", log.toString(), "--format", "audit", "--sizes", sizes.toString());
      assertEquals(wrong ? 1 : 0, code, err.toString());
      assertEquals(
          wrong,
          err.toString()
              .contains(
                  "error: expected an audit log in the order of its times, because renames are"
                      + " followed in the order of the lines, found lines up to 1m1s earlier than"
                      + " one before. Fix: "),
          err.toString());
    }
  }

  @Test
  void trace_swimFromTheStandardInput_takesOnePass() throws Exception {
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream(
            "job0\t1\t1\t100\t0\t5\tinputPath1\tout7\njob1\t2\t1\t50\t0\t5\tinputPath2\t\n"
                .getBytes(UTF_8)));
    try {
      assertEquals(0, run("trace", "--format", "swim", "--keep-names", "-"), err.toString());
    } finally {
      System.setIn(before);
    }
    assertEquals(
        List.of(
            "inputPath0 0 100 1.000 2 job0 NOT_SET NOT_SET 1",
            "out7 0 5 1.000 4 job0 NOT_SET NOT_SET 1",
            "inputPath1 0 50 2.000 2 job1 NOT_SET NOT_SET 1"),
        out.toString().lines().skip(1).collect(Collectors.toList()));
  }

  @Test
  void simulate_formatThatIsReadTwice_refusesWhatIsNoFile() throws Exception {
    for (String format : List.of("swim", "baleen", "clienttrace")) {
      err.getBuffer().setLength(0);
      assertEquals(2, run("simulate", "--trace", dir.toString(), "--format", format));
      assertTrue(
          err.toString()
              .startsWith(
                  "error: --trace: expected a regular file, which can be read twice, with --format="
                      + format),
          err.toString());
    }
  }

  @Test
  void simulate_beladyWithHintsThatAreNotPerfect_isNoted() {
    List<String> args =
        List.of("simulate", "--workload", "zipf:9:90", "--policy", "belady", "--capacity", "5%");
    for (String hints : List.of("", "perfect", "none", "perfect;wrong=10%")) {
      List<String> given = new ArrayList<>(args);
      if (!hints.isEmpty()) {
        given.addAll(List.of("--hints", hints));
      }
      err.getBuffer().setLength(0);
      assertEquals(0, run(given.toArray(new String[0])), err.toString());
      boolean perfect = hints.isEmpty() || hints.equals("perfect");
      assertEquals(
          perfect ? "" : BELADY_NOTE, err.toString().lines().findFirst().orElse(""), hints);
    }
  }

  @Test
  void trace_mistakes_sayWhatIsExpected() throws Exception {
    String log = clientTrace(1).toString();
    assertEquals(2, run("trace", log, "--keep-names", "--salt", "x"));
    assertTrue(err.toString().contains("expected one of --keep-names and --salt TEXT"));
    assertEquals(2, run("trace", dir.resolve("no.log").toString()));
    assertTrue(err.toString().contains("FILE: expected a readable file, found none at "));
    assertEquals(2, run("trace", log, "--format", "audit"));
    assertTrue(err.toString().contains("--sizes: expected a FILE with --format=audit"));
    assertEquals(1, run("trace", trace().toString(), "--format", "csv"));
    assertTrue(err.toString().contains("CSV needs a column time"), err.toString());
    assertEquals(2, run("trace"));
  }

  /** What is in the directory. */
  private List<String> names() throws Exception {
    try (var all = Files.list(dir)) {
      return all.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }

  @Test
  void trace_outIsAnInput_isRefusedAndTheInputIsAsBefore() throws Exception {
    Path log = clientTrace(3);
    String before = Files.readString(log);
    Path link = Files.createSymbolicLink(dir.resolve("link.log"), log);
    for (Path out : List.of(log, link)) {
      err.getBuffer().setLength(0);
      assertEquals(2, run("trace", log.toString(), "--out", out.toString()), err.toString());
      assertEquals(
          "error: --out: expected another file than those that are read, found "
              + out
              + ". Fix: another name\n",
          err.toString());
    }
    Path sizes = Files.writeString(dir.resolve("sizes.tsv"), "/a\t700\n");
    List<String> args = new ArrayList<>(List.of("trace", log.toString(), "--format", "audit"));
    args.addAll(List.of("--sizes", sizes.toString(), "--out"));
    assertEquals(2, run(concat(args, sizes.toString())), err.toString());
    assertEquals(before, Files.readString(log));
    assertEquals("/a\t700\n", Files.readString(sizes));
  }

  @Test
  void trace_whatFails_leavesTheOldTraceAndNoPart() throws Exception {
    String log = clientTrace(3).toString();
    Path timeless = trace();
    String open =
        "2026-11-26 %s:00:00,500 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/1.2.3.4"
            + "\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\n";
    Path unordered =
        Files.writeString(
            dir.resolve("audit.log"), String.format(open, 10) + String.format(open, "09"));
    Path out = Files.writeString(dir.resolve("old.trace.gz"), "old");
    Path sizes = Files.writeString(dir.resolve("sizes.tsv"), "/a\t700\n");
    List<String> names = names();
    for (List<String> wrong :
        List.of(
            List.of(log, "--format", "bogus"),
            List.of(log, "--format", "audit"),
            List.of(log, log, "--format", "audit", "--sizes", sizes.toString()),
            List.of(log, "--salt", ""),
            List.of(unordered.toString(), "--format", "audit", "--sizes", sizes.toString()),
            List.of(timeless.toString(), "--format", "csv"))) {
      List<String> args = new ArrayList<>(List.of("trace"));
      args.addAll(wrong);
      args.add("--out");
      int expected = wrong.contains("csv") || wrong.contains(unordered.toString()) ? 1 : 2;
      assertEquals(expected, run(concat(args, out.toString())), err.toString());
      assertEquals("old", Files.readString(out), wrong.toString());
      assertEquals(names, names(), wrong.toString());
    }
    Path link = Files.createSymbolicLink(dir.resolve("link.gz"), out);
    assertEquals(0, run("trace", log, "--out", link.toString()), err.toString());
    assertTrue(Files.isSymbolicLink(link), "the file that it names is replaced");
    try (var in = new GZIPInputStream(Files.newInputStream(out))) {
      assertEquals(4, new String(in.readAllBytes(), UTF_8).lines().count());
    }
  }

  /** Names are in it with --keep-names, so it must not be for everyone while it is written. */
  @Test
  void trace_outThatIsThere_keepsItsPermissions() throws Exception {
    String log = clientTrace(3).toString();
    Path old = Files.writeString(dir.resolve("old.trace"), "old");
    for (String permissions : List.of("rw-------", "rw-rw-rw-")) {
      Files.setPosixFilePermissions(old, PosixFilePermissions.fromString(permissions));
      assertEquals(0, run("trace", log, "--out", old.toString()), err.toString());
      assertEquals(4, Files.readAllLines(old).size());
      assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(old)));
    }
    Path other = Files.writeString(dir.resolve("other"), "");
    Path made = dir.resolve("new.trace");
    assertEquals(0, run("trace", log, "--out", made.toString()), err.toString());
    assertEquals(
        Files.getPosixFilePermissions(other),
        Files.getPosixFilePermissions(made),
        "as the umask says");
  }

  /** As a container has it, whose process has the same number each time, after a kill. */
  @Test
  void trace_partThatWasLeft_isInNobodysWay() throws Exception {
    String log = clientTrace(3).toString();
    Path out = dir.resolve("day.trace");
    Files.writeString(dir.resolve("day.trace." + ProcessHandle.current().pid() + ".tmp"), "left");
    assertEquals(0, run("trace", log, "--out", out.toString()), err.toString());
    assertEquals(4, Files.readAllLines(out).size());
  }

  @Test
  void trace_outIsALinkToNoFile_makesThatFile() throws Exception {
    Path file = dir.resolve("day.trace");
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    assertEquals(
        0, run("trace", clientTrace(3).toString(), "--out", link.toString()), err.toString());
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(4, Files.readAllLines(file).size());
  }

  @Test
  void simulate_partitionAuto_plotsTheBordersAndTellsWhereTheyEnd() throws Exception {
    int code =
        run(
            "simulate",
            "--workload",
            "turning:50:2000",
            "--policy",
            "lru",
            "--capacity",
            "20%",
            "--partition",
            "auto",
            "--plot",
            dir.toString(),
            "--json");

    assertEquals(0, code, err.toString());
    JsonNode row = new ObjectMapper().readTree(out.toString()).get(0);
    assertEquals("auto", row.get("partition").asText());
    assertTrue(row.get("partition_at_end").asText().endsWith(" of 32"), row.toString());
    try (var files = Files.list(dir)) {
      assertEquals(
          2, files.filter(f -> f.getFileName().toString().startsWith("partition-lru-")).count());
    }
  }

  @Test
  void simulate_sizesThatDifferBehindThreeDigits_havePlotsOfTheirOwn() throws Exception {
    List<String> args = new ArrayList<>(List.of("simulate", "--workload", "turning:50:2000"));
    args.addAll(List.of("--policy", "lru", "--capacity", "1001MB,1004MB,2GB"));
    args.addAll(List.of("--plot", dir.toString()));
    for (List<String> more :
        List.of(List.of("--hints", "perfect;none"), List.of("--partition", "auto"))) {
      List<String> all = new ArrayList<>(args);
      all.addAll(more);
      assertEquals(0, run(all.toArray(new String[0])), err.toString());
    }
    List<String> plots = names();
    plots.removeIf(name -> !name.matches("(hints|partition).*png"));
    assertEquals(
        List.of(
            "hints-1001000000-B.png",
            "hints-1004000000-B.png",
            "hints-2.00-GB.png",
            "partition-lru-1001000000-B.png",
            "partition-lru-1004000000-B.png",
            "partition-lru-2.00-GB.png"),
        plots);
  }

  @ParameterizedTest
  @CsvSource({
    "--hints, none, --hints",
    "--write-rate, 1MB/access, --write-rate",
    "--tier-bw, 1MB/s, --tier-bw",
    "--partition-period, 5, --partition-period",
    "--partition, 0.5:0.5, --partition 0.5:0.5",
    "--plot, plots, --plot"
  })
  void simulate_streamWithWhatItIgnores_isRefused(String option, String value, String found)
      throws Exception {
    List<String> args = new ArrayList<>(List.of("simulate", "--trace", trace().toString()));
    args.addAll(List.of("--policy", "lru", "--stream", option));
    assertEquals(2, run(concat(args, value)), err.toString());
    assertEquals(
        "error: --stream: expected --trace FILE without --plot, --partition, --partition-period,"
            + " --hints, --write-rate and --tier-bw, found "
            + found
            + "\n",
        err.toString());
  }

  @Test
  void simulate_streamWithTiers_isRefusedBeforeTheTraceIsRead() throws Exception {
    List<String> args = new ArrayList<>(List.of("simulate", "--trace", "no.csv", "--stream"));
    args.addAll(List.of("--policy", "lru", "--capacity"));
    assertEquals(2, run(concat(args, "5%,5%+20%")), err.toString());
    assertEquals(
        "error: --stream: expected --capacity of one tier, found 5%+20%\n", err.toString());
    err.getBuffer().setLength(0);
    assertEquals(2, run(concat(args, "5%,5%+")), err.toString());
    assertTrue(err.toString().contains("a size on each side of +"), err.toString());
  }

  @Test
  void simulate_nothingToRun_isAWrongArgumentInBothWays() throws Exception {
    Path writes = Files.writeString(dir.resolve("w.csv"), "seq,object,size_bytes,op\n1,a,100,W\n");
    for (String file : List.of(writes.toString(), trace().toString())) {
      for (List<String> way : List.of(List.<String>of(), List.of("--stream"))) {
        boolean noReads = file.endsWith("w.csv");
        List<String> args = new ArrayList<>(List.of("simulate", "--trace", file, "--reads-only"));
        args.addAll(way);
        args.addAll(List.of("--policy", "lru", "--capacity"));
        err.getBuffer().setLength(0);
        assertEquals(2, run(concat(args, noReads ? "1B" : ",")), err.toString());
        assertEquals(
            noReads
                ? "error: --reads-only: expected reads, found writes alone\n"
                : "error: --capacity: expected one or more sizes, found none\n",
            err.toString());
      }
    }
  }

  @Test
  void simulate_moreWindowsThanAreOfUse_isRefused() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("times.csv"),
            "object,size_bytes,op,time\na,1,R,0\na,1,R,9999.999\na,1,R,10000\n");
    List<String> args = new ArrayList<>(List.of("simulate", "--trace", file.toString()));
    args.addAll(List.of("--policy", "lru", "--capacity", "1B", "--window"));
    for (String way : List.of("--json", "--stream")) {
      args.add(1, way);
      assertEquals(2, run(concat(args, "1ms")), err.toString());
      assertTrue(
          err.toString()
              .endsWith(
                  "error: --window: expected at most 10,000,000 windows in the time of the trace,"
                      + " found spanMillis=10000000 windowMillis=1. Fix: a longer --window, or a"
                      + " trace without wrong times\n"),
          err.toString());
      assertEquals(0, run(concat(args, "2ms")), err.toString());
    }
  }

  @Test
  void simulate_partitionThatIsNone_saysWhatIsAllowed() throws Exception {
    assertEquals(
        2,
        run("simulate", "--trace", trace().toString(), "--partition", "0.7:0.4"),
        out.toString());
    assertTrue(
        err.toString().contains("--partition: expected shared, auto, or READS:WRITES"),
        err.toString());
  }

  private static String jmhResult(String mode, String n, String skew, String score) {
    return String.format(
        "{\"benchmark\":\"a.b.Some.decide\",\"mode\":\"%s\",\"params\":{\"n\":\"%s\","
            + "\"policy\":\"lru\",\"skew\":\"%s\"},"
            + "\"primaryMetric\":{\"score\":%s,\"scoreUnit\":\"ns/op\"}}",
        mode, n, skew, score);
  }

  private String plotJmh(String... results) throws Exception {
    err.getBuffer().setLength(0);
    Path json = Files.writeString(dir.resolve("r.json"), "[" + String.join(",", results) + "]");
    List<String> args = new ArrayList<>(List.of("plot-jmh", json.toString(), "--x", "n"));
    args.addAll(List.of("--series", "policy", "--out"));
    assertEquals(2, run(concat(args, dir.resolve("plots").toString())), err.toString());
    return err.toString();
  }

  @Test
  void plotJmh_secondValueOfAPoint_saysWhatDiffers() throws Exception {
    String first = jmhResult("avgt", "10", "0.9", "3.5");
    String two = "found two of Some.decide at n=10 policy=lru, which differ in ";
    String other = plotJmh(first, jmhResult("avgt", "10", "1.1", "4.5"));
    assertTrue(other.contains(two + "skew. Fix: leave one out"), other);
    other = plotJmh(first, jmhResult("thrpt", "10", "0.9", "4.5"));
    assertTrue(other.contains(two + "mode."), other);
    other = plotJmh(first, first);
    assertTrue(other.contains(two + "no parameter."), other);
  }

  @Test
  void plotJmh_textForANumber_isRefused() throws Exception {
    String refused = plotJmh(jmhResult("avgt", "many", "0.9", "3.5"));
    assertTrue(
        refused.contains("--x n: expected a number, found \"many\" of Some.decide"), refused);
    refused = plotJmh(jmhResult("avgt", "10", "0.9", "\"NaN\""));
    assertTrue(refused.contains("primaryMetric.score: expected a number, found \"NaN\""), refused);
  }

  @Test
  void plotJmh_drawsABenchmarkEach() throws Exception {
    Path json =
        Files.writeString(
            dir.resolve("r.json"),
            "[{\"benchmark\":\"a.b.Some.decide\",\"params\":{\"n\":\"10\",\"policy\":\"lru\"},"
                + "\"primaryMetric\":{\"score\":3.5,\"scoreUnit\":\"ns/op\"}},"
                + "{\"benchmark\":\"a.b.Some.decide\",\"params\":{\"n\":\"100\",\"policy\":\"lru\"},"
                + "\"primaryMetric\":{\"score\":4.5,\"scoreUnit\":\"ns/op\"}}]");
    String out = dir.resolve("plots").toString();

    assertEquals(
        0, run("plot-jmh", json.toString(), "--x", "n", "--series", "policy", "--out", out));
    assertTrue(Files.size(dir.resolve("plots/Some.decide.png")) > 1000);
    assertTrue(Files.size(dir.resolve("plots/Some.decide.svg")) > 1000);
    long logarithmic = Files.size(dir.resolve("plots/Some.decide.svg"));
    assertEquals(
        0,
        run(
            "plot-jmh",
            json.toString(),
            "--linear",
            "--x",
            "n",
            "--series",
            "policy",
            "--out",
            out));
    assertTrue(Files.size(dir.resolve("plots/Some.decide.svg")) != logarithmic, "other ticks");
    assertEquals(
        2, run("plot-jmh", json.toString(), "--x", "m", "--series", "policy", "--out", out));
    assertTrue(
        err.toString().contains("the parameters m and policy, found a.b.Some.decide without"));
  }
}
