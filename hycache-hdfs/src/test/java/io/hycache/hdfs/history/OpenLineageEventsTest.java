// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.RecordedRuns;
import io.hycache.core.hint.RecordedWorkflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events in the form of OpenLineage's specification, 2-0-2. */
class OpenLineageEventsTest {
  private static final String ROOT = "01941111-0000-7000-8000-000000000000";

  @TempDir Path dir;

  private static String event(
      String type, String time, int run, String job, String inputs, String outputs) {
    return "{\"eventType\":\""
        + type
        + "\",\"eventTime\":\""
        + time
        + "\",\"run\":{\"runId\":\"0194"
        + run
        + "\",\"facets\":{\"parent\":{\"run\":{\"runId\":\""
        + ROOT
        + "\"},\"job\":{\"namespace\":\"spark\",\"name\":\"nightly\"}}}},"
        + "\"job\":{\"namespace\":\"spark\",\"name\":\""
        + job
        + "\"},\"inputs\":["
        + inputs
        + "],\"outputs\":["
        + outputs
        + "],\"producer\":\"https://x\",\"schemaURL\":\"https://openlineage.io/spec/2-0-2/"
        + "OpenLineage.json#/$defs/RunEvent\"}";
  }

  private static String dataset(String namespace, String name) {
    return "{\"namespace\":\"" + namespace + "\",\"name\":\"" + name + "\",\"facets\":{}}";
  }

  @Test
  void aLineThatIsTooLong_isCounted_andTheNextIsRead() throws Exception {
    String input = dataset("hdfs://nn:8020", "/logs");
    String event = event("START", "2026-11-25T02:00:00Z", 1, "a", input, "");
    String padding = "\"padding\":\"" + "x".repeat(RunRecords.MAX_LINE_CHARS) + "\"}";
    Path file =
        Files.write(
            dir.resolve("events.json"),
            List.of(
                event("START", "2026-11-25T02:00:00Z", 2, "b", input, "")
                    .replaceAll("}$", "," + padding),
                event));
    OpenLineageEvents events = new OpenLineageEvents();
    events.read(file);
    assertEquals(1, events.runs().size());
    String warning = events.warnings().get(0);
    assertTrue(
        warning.startsWith(
            "1 line passed over, first "
                + file
                + ":1: expected a line of at most 16777216 characters, found {\"eventType\""),
        warning);
  }

  @Test
  void events_ofOneParent_areOneWorkflow() throws Exception {
    String nn = "hdfs://nn:8020";
    Path file = dir.resolve("events.json");
    Files.write(
        file,
        List.of(
            event(
                "START",
                "2026-11-25T02:00:00.5Z",
                1,
                "nightly.clean",
                dataset(nn, "/logs/2026-11-25") + "," + dataset("s3://b", "x"),
                ""),
            "{\"eventType\":\"START\",",
            event(
                "COMPLETE",
                "2026-11-25T02:10:00+00:00",
                1,
                "nightly.clean",
                dataset(nn, "logs/2026-11-25"),
                dataset(nn, "/clean/20261125/")),
            event("START", "yesterday", 2, "nightly.join", "", ""),
            event(
                "START",
                "2026-11-25T02:11:00Z",
                2,
                "nightly.join",
                dataset(nn, "/clean/20261125") + "," + dataset(nn, "/static/[x]"),
                ""),
            "{\"eventTime\":\"2026-11-25T02:11:00Z\",\"job\":{\"namespace\":\"a\",\"name\":\"b\"}}"));
    OpenLineageEvents events = new OpenLineageEvents();
    events.read(file);
    assertEquals(
        List.of(
            "2 lines passed over, first "
                + file
                + ":2: expected a JSON object, found {\"eventType\":\"START\",",
            "paths not on HDFS, left out: 1",
            "runs without a user: 2; submit their manifests as the user who reads"),
        events.warnings());
    List<RecordedWorkflow> found = RecordedRuns.workflows(events.runs());
    assertEquals(1, found.size());
    assertEquals("nightly.clean", found.get(0).name());
    assertEquals(3, found.get(0).paths());
    Manifest next = found.get(0).manifest(LocalDate.of(2026, 12, 1));
    Manifest.Job clean = next.jobsInOrder().get(0);
    assertEquals("hdfs://nn:8020/logs/2026-12-01", clean.reads().get(0).path());
    assertEquals("hdfs://nn:8020/clean/20261201", clean.writes().get(0).path());
    Manifest.Job join = next.jobsInOrder().get(1);
    assertEquals(List.of("nightly.clean"), join.after());
    assertEquals("hdfs://nn:8020/static/\\[x\\]", join.reads().get(1).path());
  }
}
