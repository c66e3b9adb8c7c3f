// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.quickstart;

import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.FilePlaces;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.quickstart.Cluster.BytesRead;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/**
 * The quick start's driver: the same work on a cluster with the policy {@code lru} and on one with
 * {@code adaptive}, and a table of what share of the bytes came from SSD.
 *
 * <p>Two workloads. <em>nightly</em> is TeraSort between a checksum of its input and TeraValidate,
 * on files written through the plugin. <em>report</em> reads a table of twice the SSD space four
 * times from beginning to end, the worst case of every cache that knows the past only; its block
 * size is below {@code hycache.write.min-block-size}, so it is all on DISK at first.
 */
public final class Quickstart {
  private static final int MB = 1 << 20;
  private static final long TERA_ROWS = 960_000; // of 100 bytes
  private static final int TABLE_FILES = 8;
  private static final int TABLE_FILE_BYTES = 32 * MB;
  private static final long TABLE_BYTES = (long) TABLE_FILES * TABLE_FILE_BYTES;
  private static final int TABLE_BLOCK_BYTES = 4 * MB;
  private static final int ROUNDS = 4;

  /** Of the bytes of rounds 2 to 4, what the manifest is worth at least on a busy machine. */
  private static final double LEAST_ADAPTIVE_SHARE = 0.3;

  private final Path work;
  private final Map<String, Map<String, BytesRead>> results = new LinkedHashMap<>();
  private final List<String> broken = new ArrayList<>();

  private Quickstart(Path work) {
    this.work = work;
  }

  /** Runs in a folder to work in, which holds the manifests and the job. */
  public static void main(String[] args) {
    int code = 1;
    try {
      Quickstart quickstart = new Quickstart(Path.of("").toAbsolutePath());
      quickstart.run("lru");
      quickstart.run("adaptive");
      code = quickstart.conclude() ? 0 : 1;
    } catch (Exception e) {
      System.err.println("Quick start failed:");
      e.printStackTrace();
    }
    System.exit(code);
  }

  private void run(String policy) throws Exception {
    title("Policy " + policy + ": starting HDFS with HyCache");
    try (Cluster cluster = Cluster.start(policy, work.resolve(policy))) {
      Class<?> dataset = cluster.datasetClass();
      say(
          "The DataNodes run %s of %s",
          dataset.getSimpleName(),
          new File(dataset.getProtectionDomain().getCodeSource().getLocation().getPath())
              .getName());
      nightly(policy, cluster);
      report(policy, cluster);
      health(policy, cluster);
    } finally {
      FileSystem.closeAll();
    }
  }

  // ---- nightly: TeraGen, TeraSort with its manifest, TeraValidate

  private void nightly(String policy, Cluster cluster) throws Exception {
    title("Policy " + policy + ": TeraGen writes %d MB", TERA_ROWS * 100 / 1_000_000);
    cluster.tool(new TeraGen(), Long.toString(TERA_ROWS), "/tera/in");
    cluster.awaitQuiet();
    say("New replicas went to SSD; above half of its space they drift to DISK:");
    printPlaces(cluster, "/tera/in");

    title("Policy " + policy + ": TeraSort with its manifest");
    cluster.hycache("validate", "nightly.json");
    cluster.hycache("submit", "nightly.json", "--dry-run");
    BytesRead before = cluster.bytesRead();
    int code = runWithManifest(cluster, "nightly.json", "./nightly.sh");
    check(code == 0, policy + ": hycache run ended with " + code);
    cluster.awaitQuiet();
    record(policy, "nightly", cluster.bytesRead().minus(before));

    String validation = text(cluster, "/tera/report");
    check(!validation.contains("error"), policy + ": TeraValidate found errors: " + validation);
    String checksum = text(cluster, "/tera/in-checksum");
    check(
        validation.equals("checksum\t" + checksum),
        policy + ": sorted are other rows: in=" + checksum + " out=" + validation);
    say("TeraValidate found no error; input and output have the checksum %s", checksum);
    printPlaces(cluster, "/tera/in", "/tera/out/part-*");
  }

  /** {@code hycache run} in a process of its own: it starts and waits for the job's process. */
  private int runWithManifest(Cluster cluster, String manifest, String job) throws Exception {
    System.out.println("\n$ hycache run " + manifest + " -- " + job);
    String classPath =
        cluster.clientConf + File.pathSeparator + System.getProperty("java.class.path");
    ProcessBuilder builder =
        new ProcessBuilder(
            "java",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dquickstart.log=" + System.getProperty("quickstart.log"),
            "-cp",
            classPath,
            "io.hycache.hdfs.cli.HyCache",
            "run",
            manifest,
            "--",
            job);
    builder.environment().put("HADOOP_CLASSPATH", classPath);
    builder.environment().put("JOB_LOG", System.getProperty("quickstart.log"));
    Process process = builder.inheritIO().start();
    Thread stop = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(stop);
    int code = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(stop);
    return code;
  }

  private static String text(Cluster cluster, String directory) throws IOException {
    StringBuilder out = new StringBuilder();
    for (FileStatus file : cluster.fs.globStatus(hdfs(directory + "/part-*"))) {
      try (InputStream in = cluster.fs.open(file.getPath())) {
        out.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return out.toString().strip();
  }

  // ---- report: a table of twice the SSD space, read four times with its manifest

  private void report(String policy, Cluster cluster) throws Exception {
    title(
        "Policy %s: a table of %d MB, twice the SSD space, read %d times",
        policy, TABLE_BYTES / MB, ROUNDS);
    long[] checksums = writeTable(cluster);
    cluster.awaitQuiet();
    say("Written with blocks too small for SSD, it is all on DISK:");
    printPlaces(cluster, "/table");

    cluster.hycache("submit", "report.json");
    BytesRead later = new BytesRead(0, 0);
    for (int round = 1; round <= ROUNDS; round++) {
      BytesRead before = cluster.bytesRead();
      readTable(policy, cluster, checksums);
      cluster.await(
          "all reads to be counted",
          () -> cluster.bytesRead().minus(before).total() >= TABLE_BYTES);
      BytesRead read = cluster.bytesRead().minus(before);
      say("round %d: %s from SSD", round, percent(read));
      if (round == 1) {
        record(policy, "report, round 1", read);
      } else {
        later = later.plus(read);
      }
    }
    record(policy, "report, rounds 2 to 4", later);
    // The four rounds have used up all references: no workflow is left once the last reads are
    // applied.
    cluster.hycache("workflows");
    cluster.hycache("locate", "/table/part-0");
    printPlaces(cluster, "/table");
    cluster.hycache("status");
  }

  private static long[] writeTable(Cluster cluster) throws IOException {
    byte[] data = new byte[TABLE_FILE_BYTES];
    long[] checksums = new long[TABLE_FILES];
    for (int i = 0; i < TABLE_FILES; i++) {
      new Random(i).nextBytes(data);
      checksums[i] = checksum(data);
      try (OutputStream out =
          cluster.fs.create(hdfs("/table/part-" + i), true, MB, (short) 1, TABLE_BLOCK_BYTES)) {
        out.write(data);
      }
    }
    return checksums;
  }

  private void readTable(String policy, Cluster cluster, long[] checksums) throws IOException {
    for (int i = 0; i < TABLE_FILES; i++) {
      try (InputStream in = cluster.fs.open(hdfs("/table/part-" + i))) {
        check(
            checksum(in.readAllBytes()) == checksums[i],
            policy + ": /table/part-" + i + " is not what was written");
      }
    }
  }

  private static long checksum(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    return crc.getValue();
  }

  // ---- checks and tables

  private void health(String policy, Cluster cluster) throws Exception {
    System.out.println("\n$ hdfs fsck /");
    ByteArrayOutputStream fsck = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(fsck, true, StandardCharsets.UTF_8);
    int code = ToolRunner.run(new DFSck(cluster.fs.getConf(), out), new String[] {"/"});
    String text = fsck.toString(StandardCharsets.UTF_8);
    check(code == 0 && text.contains("is HEALTHY"), policy + ": fsck says:\n" + text);
    text.lines().filter(line -> line.contains("is HEALTHY")).forEach(System.out::println);
    for (NodeStatus status : cluster.status()) {
      check(!status.passThrough(), policy + ": the plugin has stepped aside on a DataNode");
    }
    check(cluster.count("Failures") == 0, policy + ": the plugin counted failures; see the log");
  }

  /** One line for each path: its blocks by storage and state, as locate shows them. */
  private static void printPlaces(Cluster cluster, String... paths) throws IOException {
    for (String path : paths) {
      Map<String, Integer> blocks = new TreeMap<>();
      for (FilePlaces file : cluster.client().locate(path)) {
        for (FilePlaces.BlockPlaces block : file.blocks()) {
          for (NodeAnswer<BlockStatus> replica : block.replicas()) {
            BlockStatus s = replica.value();
            String place =
                s.cleanData
                    ? "on DISK with a clean copy on SSD"
                    : s.storage.equals("SSD") ? "on SSD only (dirty)" : "on DISK only";
            blocks.merge(place, 1, Integer::sum);
          }
        }
      }
      List<String> parts = new ArrayList<>();
      blocks.forEach((place, count) -> parts.add(count + " " + place));
      say("%-17s  blocks: %s", path, String.join(", ", parts));
    }
  }

  private void record(String policy, String workload, BytesRead read) {
    results.computeIfAbsent(workload, w -> new LinkedHashMap<>()).put(policy, read);
  }

  private boolean conclude() {
    Map<String, BytesRead> reports = Objects.requireNonNull(results.get("report, rounds 2 to 4"));
    BytesRead lru = Objects.requireNonNull(reports.get("lru"));
    BytesRead adaptive = Objects.requireNonNull(reports.get("adaptive"));
    check(
        share(adaptive) > share(lru) && share(adaptive) >= LEAST_ADAPTIVE_SHARE,
        "the manifest did not pay: adaptive " + percent(adaptive) + ", lru " + percent(lru));

    title("Bytes read, by where they came from");
    String row = "  %-22s  %-9s  %10s  %10s  %15s%n";
    System.out.printf(row, "WORKLOAD", "POLICY", "FROM SSD", "FROM DISK", "SHARE OF SSD");
    results.forEach(
        (workload, byPolicy) ->
            byPolicy.forEach(
                (policy, read) ->
                    System.out.printf(
                        Locale.ROOT,
                        row,
                        workload,
                        policy,
                        read.ssd() / MB + " MB",
                        read.disk() / MB + " MB",
                        percent(read))));
    System.out.println();
    broken.forEach(b -> System.out.println("FAILED: " + b));
    System.out.println(broken.isEmpty() ? "All checks held." : "Not all checks held.");
    return broken.isEmpty();
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
      say("FAILED: %s", otherwise);
    }
  }

  private static double share(BytesRead read) {
    return read.total() == 0 ? 0 : (double) read.ssd() / read.total();
  }

  private static String percent(BytesRead read) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share(read));
  }

  private static void title(String format, Object... args) {
    System.out.printf(Locale.ROOT, "%n== " + format + "%n", args);
  }

  private static void say(String format, Object... args) {
    System.out.printf(Locale.ROOT, "  " + format + "%n", args);
  }

  private static org.apache.hadoop.fs.Path hdfs(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
