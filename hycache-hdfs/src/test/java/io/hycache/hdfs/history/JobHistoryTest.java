// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.RecordedRun;
import io.hycache.core.hint.RecordedRuns;
import io.hycache.core.hint.RecordedWorkflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.jobhistory.SampleHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobHistoryTest {
  private static final String IN = "mapreduce.input.fileinputformat.inputdir";
  private static final String OUT = "mapreduce.output.fileoutputformat.outputdir";
  private static final long START = 1_764_115_200_000L;

  @TempDir Path dir;

  private final JobHistory history = new JobHistory();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChain_inBothForms_isOneWorkflow(boolean binary) throws Exception {
    Path unused =
        SampleHistory.write(
            dir,
            binary,
            1,
            "clean",
            START,
            IN,
            "hdfs://nn:8020/logs/a\\,b,hdfs://nn:8020/logs/{c\\,d}*/",
            OUT,
            "hdfs://nn:8020/clean");
    unused =
        SampleHistory.write(
            dir, binary, 2, "join", START + 9, IN, "hdfs://nn:8020/clean/part-r-*,file:/x");
    unused = SampleHistory.write(dir, binary, 3, "other", START + 10, IN, "/data");
    unused = SampleHistory.write(dir, binary, 4, "distcp", START + 11);
    history.read(dir);
    assertEquals(
        List.of("paths not on HDFS, left out: 1", "jobs whose input format has no directories: 1"),
        history.warnings());
    List<RecordedRun> runs = history.runs();
    assertEquals(4, runs.size());
    assertEquals("etl", runs.get(0).user());
    assertEquals(
        Set.of("hdfs://nn:8020/logs/a,b", "hdfs://nn:8020/logs/{c,d}*"), runs.get(0).reads());
    List<RecordedWorkflow> found = RecordedRuns.workflows(runs);
    assertEquals(
        List.of("etl-clean", "etl-other"),
        found.stream().map(RecordedWorkflow::name).collect(Collectors.toList()));
    Manifest manifest = found.get(0).manifest(null);
    assertEquals(Duration.ofHours(4), manifest.ttl(), "twice as long as it took");
    assertEquals(List.of("clean"), manifest.jobsInOrder().get(1).after());
    Manifest.Write write = manifest.jobsInOrder().get(0).writes().get(0);
    assertEquals("hdfs://nn:8020/clean", write.path());
    assertEquals(1, write.readsLater());
  }

  @Test
  void aJobWithoutItsConfiguration_isCounted() throws Exception {
    Path file = SampleHistory.write(dir, false, 1, "clean", START, IN, "/in");
    Files.delete(dir.resolve("job_1700000000000_0001_conf.xml"));
    history.read(file);
    assertEquals(
        List.of(
            "jobs without a job_..._conf.xml beside their history, so that their inputs are not"
                + " known: 1"),
        history.warnings());
    assertEquals(List.of(), RecordedRuns.workflows(history.runs()));
  }

  @Test
  void badLinesOfJson_arePassedOver_andTheFirstIsNamed() throws Exception {
    Path file = SampleHistory.write(dir, false, 1, "clean", START, IN, "/in");
    List<String> lines = Files.readAllLines(file);
    assertTrue(lines.get(2).contains("JOB_SUBMITTED"), lines.get(2));
    lines.add(2, "{\"type\":\"JOB_SUB");
    lines.add(3, "\u0001garbage");
    Files.write(file, lines);
    history.read(file);
    assertEquals(
        List.of(
            "2 lines passed over, first "
                + file
                + ":3: expected a JSON object, found {\"type\":\"JOB_SUB"),
        history.warnings());
    assertEquals(Set.of("/in"), history.runs().get(0).reads());
  }

  @Test
  void aLongEventOfATask_doesNotEndTheFile() throws Exception {
    Path file = SampleHistory.write(dir, false, 1, "clean", START, IN, "/in");
    List<String> lines = Files.readAllLines(file);
    lines.add(2, "{\"type\":\"TASK_FAILED\",\"event\":\"" + "x".repeat(5 << 20) + "\"}");
    Files.write(file, lines);
    history.read(file);
    assertEquals(List.of(), history.warnings());
    assertEquals(Set.of("/in"), history.runs().get(0).reads());
  }

  @Test
  void aBinaryFileThatIsCutAnywhere_givesWhatIsThere() throws Exception {
    Path file = SampleHistory.write(dir, true, 1, "clean", START, IN, "/in");
    byte[] all = Files.readAllBytes(file);
    int events =
        new String(all, StandardCharsets.ISO_8859_1).indexOf('\n', "Avro-Binary\n".length()) + 1;
    assertTrue(events > 1000 && all.length > events + 1000, "events=" + events);
    int whole = 0;
    for (int length = events; length < all.length; length += 7) {
      Files.write(file, Arrays.copyOf(all, length));
      JobHistory cut = new JobHistory();
      cut.read(file);
      assertTrue(cut.runs().size() <= 1 && cut.warnings().size() <= 1, "length=" + length);
      assertTrue(cut.runs().size() + cut.warnings().size() >= 1, "length=" + length);
      whole += cut.runs().size();
    }
    assertTrue(whole > 100, "most cuts are behind the first event: " + whole);
  }

  @Test
  void aJobsConfiguration_isBesideItsHistory_whateverItsIdSays() throws Exception {
    Path file = SampleHistory.write(dir, false, 1, "clean", START, IN, "/in");
    String events = Files.readString(file);
    Path conf = dir.resolve("job_1700000000000_0001_conf.xml");
    Path there = Files.createDirectory(dir.resolve("there"));
    Path renamed = Files.writeString(there.resolve("x.jhist"), events);
    for (String id :
        new String[] {"../job_1700000000000_0001", "\\u0000", dir + "/job_1700000000000_0001"}) {
      JobHistory other = new JobHistory();
      other.read(Files.writeString(renamed, events.replace("job_1700000000000_0001", id)));
      assertEquals(Set.of(), other.runs().get(0).reads(), id);
    }
    Files.move(conf, there.resolve(conf.getFileName()));
    history.read(Files.writeString(renamed, events));
    assertEquals(Set.of("/in"), history.runs().get(0).reads());
  }

  @Test
  void anInputThatIsEscapedWrongly_isCounted_andTheOthersAreKept() throws Exception {
    history.read(SampleHistory.write(dir, false, 1, "clean", START, IN, "/a\\*,/in\\,x,/b"));
    assertEquals(Set.of("/in,x", "/b"), history.runs().get(0).reads());
    assertTrue(
        history
            .warnings()
            .get(0)
            .endsWith(
                "expected a backslash before commas and backslashes alone in "
                    + IN
                    + ", found /a\\*"),
        history.warnings().toString());
  }

  /** Events without a byte, events that hold each other, a schema of brackets. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[{\"name\":\"type\",\"type\":\"null\"}]; 3: expected an event of the file's schema",
        "[{\"name\":\"type\",\"type\":[\"null\",\"Event\"]}]; 3: expected an event of the file's",
        "DEEP; 2: expected an Avro schema, found"
      })
  void hostileSchemas_endTheirFile(String fields, String warning) throws Exception {
    String schema =
        fields.equals("DEEP")
            ? "[".repeat(1 << 20)
            : "{\"type\":\"record\",\"name\":\"Event\",\"fields\":" + fields + "}";
    Path file = dir.resolve("x.jhist");
    Files.writeString(file, "Avro-Binary\n" + schema + "\n" + "\u0002".repeat(1 << 20));
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> history.read(file));
    assertEquals(List.of(), history.runs());
    assertTrue(
        history.warnings().get(0).contains(file + ":" + warning), history.warnings()::toString);
  }

  @Test
  void otherFiles_areNamed() throws Exception {
    Path other = Files.writeString(dir.resolve("x.jhist"), "Avro-Xml\n");
    history.read(other);
    assertEquals(
        List.of(
            "1 line passed over, first "
                + other
                + ":1: expected Avro-Json or Avro-Binary, found Avro-Xml"),
        history.warnings());
    Path none = dir.resolve("none.jhist");
    IOException e = assertThrows(IOException.class, () -> history.read(none));
    assertEquals(none + ": expected a file, found none. Fix: correct the path", e.getMessage());
  }
}
