// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import io.hycache.core.hint.RecordedRun;
import io.hycache.core.hint.RecordedRuns;
import io.hycache.core.hint.RecordedWorkflow;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events in the form of Spark's {@code JsonProtocol}, and of {@code SparkPlanInfo} as Jackson
 * writes it; and some of a log that Spark 4.0.1 wrote, with other paths and names and without the
 * plans' texts: two writes, a join of two tables of which one is filtered by partition, a scan of
 * five partitions by name.
 */
class SparkEventLogsTest {
  private static final String APP = "application_1700000000000_0001";
  private static final String SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQL";
  private static final String LOG_START =
      "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.0.1\"}";
  private static final String APP_START =
      "{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"nightly report\",\"App ID\":\""
          + APP
          + "\",\"Timestamp\":1764115200000,\"User\":\"etl\"}";
  private static final String TASK_END = "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":0,";

  @TempDir Path dir;

  private final SparkEventLogs logs = new SparkEventLogs();

  private static String scan(String name, String location, String... children) {
    return "{\"nodeName\":\""
        + name
        + "\",\"simpleString\":\"FileScan\",\"children\":["
        + String.join(",", children)
        + "],\"metadata\":{"
        + (location.isEmpty()
            ? ""
            : "\"Location\":\""
                + location
                + "\",\"ReadSchema\":\"struct<id:bigint>\",\"Format\":\"Parquet\"")
        + "},\"metrics\":[{\"name\":\"number of files read\",\"accumulatorId\":17,"
        + "\"metricType\":\"sum\"}]}";
  }

  private static String query(String event, int id, String plan) {
    return "{\"Event\":\""
        + SQL
        + event
        + "\",\"executionId\":"
        + id
        + ",\"description\":\"count\",\"physicalPlanDescription\":\"== Physical Plan ==\","
        + "\"sparkPlanInfo\":"
        + plan
        + ",\"time\":"
        + (1764115201000L + id)
        + "}";
  }

  private List<String> sample() {
    return new ArrayList<>(
        List.of(
            LOG_START,
            APP_START,
            query(
                "ExecutionStart",
                0,
                scan(
                    "SortMergeJoin",
                    "",
                    scan(
                        "Scan parquet spark_catalog.default.a",
                        "InMemoryFileIndex(2 paths)[hdfs://nn:8020/w/a/k=1, hdfs://nn:8020/w/a/k=2]"),
                    scan("Scan parquet ", "CatalogFileIndex(1 paths)[hdfs://nn:8020/w/{b}]"),
                    scan("Scan parquet ", "InMemoryFileIndex(1 paths)[file:/tmp/x]"))),
            TASK_END,
            query(
                "AdaptiveExecutionUpdate",
                0,
                scan("Scan parquet ", "InMemoryFileIndex(1 paths)[hdfs://nn:8020/w/c]")),
            "{\"Event\":\"" + SQL + "ExecutionEnd\",\"executionId\":0,\"time\":1764122401000}",
            query(
                "ExecutionStart",
                1,
                scan(
                    "Union",
                    "",
                    scan("Scan parquet ", "InMemoryFileIndex(40 paths)[hdfs://nn:8020/l/1, ...]"),
                    scan("Scan csv ", "InMemoryFileIndex[hdfs://nn:8020/m/1, hdfs://nn:8020/m..."),
                    scan("BatchScan iceberg.t", ""),
                    scan("Scan hive default.t", "")))));
  }

  private void check() {
    assertEquals(
        List.of(
            "paths not on HDFS, left out: 1",
            "scans of which the log names the first paths only: 2 of 6. Fix: set"
                + " spark.sql.maxMetadataStringLength higher before the run",
            "scans without a path, of Hive's reader or of data sources of version 2: 2",
            "an event log does not name the outputs of queries, nor what RDDs read"),
        logs.warnings());
    List<RecordedRun> runs = logs.runs();
    assertEquals(2, runs.size());
    assertEquals(
        Set.of(
            "hdfs://nn:8020/w/a/k=1",
            "hdfs://nn:8020/w/a/k=2",
            "hdfs://nn:8020/w/\\{b\\}",
            "hdfs://nn:8020/w/c"),
        runs.get(0).reads());
    assertEquals(Set.of("hdfs://nn:8020/l/1", "hdfs://nn:8020/m/1"), runs.get(1).reads());
    List<RecordedWorkflow> found = RecordedRuns.workflows(runs);
    assertEquals(1, found.size());
    assertEquals("etl-nightly-report-query-0", found.get(0).name());
    assertEquals(2, found.get(0).jobs());
    assertEquals(4 * 3600, found.get(0).manifest(null).ttl().toSeconds());
  }

  @Test
  void aLogOfSpark401() throws Exception {
    String recorded = "/history/spark-4.0.1-event-log.txt";
    Path file = dir.resolve("local");
    try (InputStream in = requireNonNull(getClass().getResourceAsStream(recorded))) {
      Files.write(file, in.readAllBytes());
    }
    logs.read(file);
    assertEquals(
        List.of(
            "scans of which the log names the first paths only: 1 of 3. Fix: set"
                + " spark.sql.maxMetadataStringLength higher before the run",
            "scans that filter partitions, of which the log names the directory above all of them:"
                + " 1 of 3. Fix: name the partitions in the manifest",
            "an event log does not name the outputs of queries, nor what RDDs read"),
        logs.warnings());
    assertEquals(
        List.of(
            Set.of(),
            Set.of("hdfs://nn:8020/data/a", "hdfs://nn:8020/data/b"),
            Set.of(
                "hdfs://nn:8020/data/a/k=0",
                "hdfs://nn:8020/data/a/k=1",
                "hdfs://nn:8020/data/a/k=2",
                "hdfs://nn:8020/data/b/k=0")),
        logs.runs().stream().map(RecordedRun::reads).collect(Collectors.toList()));
    RecordedWorkflow workflow = RecordedRuns.workflows(logs.runs()).get(0);
    assertEquals("etl-nightly-report-query-2", workflow.name());
    assertEquals(2, workflow.jobs());
  }

  @Test
  void plain() throws Exception {
    logs.read(Files.write(dir.resolve(APP), sample()));
    check();
  }

  @Test
  void aRolledLog_isReadInTheOrderOfItsNumbers() throws Exception {
    Path rolled = Files.createDirectories(dir.resolve("eventlog_v2_" + APP));
    List<String> lines = sample();
    Path unused = Files.write(rolled.resolve("events_2_" + APP), lines.subList(0, 4));
    unused = Files.write(rolled.resolve("events_10_" + APP), lines.subList(4, lines.size()));
    unused = Files.createFile(rolled.resolve("appstatus_" + APP));
    logs.read(rolled);
    check();
  }

  private Path packed(String name, OutputStream packer, ByteArrayOutputStream bytes)
      throws Exception {
    try (packer) {
      packer.write(String.join("\n", sample()).getBytes(StandardCharsets.UTF_8));
    }
    return Files.write(dir.resolve(name), bytes.toByteArray());
  }

  @Test
  void packed_asSparkPacks() throws Exception {
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    logs.read(packed(APP + ".zstd", new ZstdOutputStream(zstd), zstd));
    check();
  }

  @Test
  void packedByLz4OrGzip() throws Exception {
    ByteArrayOutputStream lz4 = new ByteArrayOutputStream();
    logs.read(packed(APP + ".lz4", new LZ4BlockOutputStream(lz4, 32 << 10), lz4));
    check();
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    SparkEventLogs again = new SparkEventLogs();
    again.read(packed(APP + ".gz", new GZIPOutputStream(gzip), gzip));
    assertEquals(logs.warnings(), again.warnings());
  }

  @Test
  void aPackedLogThatIsStillWritten_givesWhatIsThere() throws Exception {
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    ZstdOutputStream packer = new ZstdOutputStream(zstd);
    packer.write((String.join("\n", sample()) + "\n").getBytes(StandardCharsets.UTF_8));
    packer.flush();
    Path file = Files.write(dir.resolve(APP + ".zstd.inprogress"), zstd.toByteArray());
    packer.close();
    logs.read(file);
    assertEquals(2, logs.runs().size());
    assertTrue(
        logs.warnings()
            .get(0)
            .startsWith("1 line passed over, first " + file + ":8: expected more"),
        logs.warnings().toString());
  }

  @Test
  void aPackedLogThatWasCut_givesWhatIsThere() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    Path file = packed(APP + ".gz", new GZIPOutputStream(gzip), gzip);
    Files.write(file, Arrays.copyOf(gzip.toByteArray(), gzip.size() - 16));
    logs.read(file);
    assertEquals(1, logs.runs().size(), "the line of the other one has no end");
    assertTrue(
        logs.warnings()
            .get(0)
            .startsWith("1 line passed over, first " + file + ":7: expected more"),
        logs.warnings().toString());
  }

  @Test
  void badLines_areCounted_andTheFirstIsNamed() throws Exception {
    List<String> lines = sample();
    lines.add(2, "{\"Event\":\"" + SQL + "ExecutionStart\",\"executionId\":");
    lines.add(3, "x".repeat(300));
    Path file = Files.write(dir.resolve(APP), lines);
    logs.read(file);
    String warning = logs.warnings().get(0);
    assertTrue(
        warning.startsWith(
            "2 lines passed over, first "
                + file
                + ":3: expected a JSON object, found {\"Event\":\""
                + SQL
                + "ExecutionStart\""),
        warning);
    assertEquals(2, logs.runs().size());
  }

  @Test
  void aLogOfBytes_thatAreNoText_isNoFailure() throws Exception {
    byte[] bytes = new byte[5000];
    Arrays.fill(bytes, (byte) 0xfe);
    logs.read(Files.write(dir.resolve(APP), bytes));
    assertEquals(List.of(), logs.runs());
    assertEquals(1, logs.warnings().size());
  }
}
