// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecordedRunsTest {
  private static final long START = LocalDate.of(2026, 11, 25).toEpochDay() * 86_400_000L;

  private final List<RecordedRun> runs = new ArrayList<>();

  private RecordedRun run(String workflow, String user, String name, int minute, String... paths) {
    RecordedRun run = new RecordedRun(workflow, user, name, START + minute * 60_000L);
    for (String path : paths) {
      if (path.startsWith(">")) {
        run.wrote(path.substring(1));
      } else {
        run.read(path);
      }
    }
    runs.add(run);
    return run;
  }

  private List<String> found() {
    return RecordedRuns.workflows(runs).stream()
        .map(workflow -> workflow.name() + " " + workflow.jobs() + " " + workflow.paths())
        .collect(Collectors.toList());
  }

  @Test
  void runs_areJoinedByTheirRecord_andByWhatTheyWrite() {
    run("w3", "etl", "c d", 3, "/clean/part-*", "/x");
    run("w1", "etl", "a", 1, "/raw", ">/clean");
    run("w2", "bob", "b", 2, "/clean");
    run("w3", "etl", "c d", 4, "/x");
    run("w4", "etl", "writes only", 5, ">/y");
    run("w5", "etl", "reads its input before it is written", 0, "/clean/old");
    run("w6", "", "../..", 9, "/z");
    assertEquals(
        List.of(
            "etl-reads-its-input-before-it-is-written 1 1",
            "etl-a 3 3",
            "bob-b 1 1",
            "workflow 1 1"),
        found());
    Manifest manifest = RecordedRuns.workflows(runs).get(1).manifest(null);
    assertEquals(
        List.of("a []", "c d [a]", "c d-2 []"),
        manifest.jobsInOrder().stream()
            .map(job -> job.name() + " " + job.after())
            .collect(Collectors.toList()));
    assertEquals(1, manifest.jobsInOrder().get(0).writes().get(0).readsLater());
  }

  @Test
  void outputWithGlobCharacters_isReadByItsEscapedName() {
    run("w1", "etl", "a", 1, "/raw", ">/clean/k={1,2}");
    run("w2", "etl", "b", 2, RecordedRun.literal("/clean/k={1,2}/part-0"));
    assertEquals(List.of("etl-a 2 2"), found());
    Manifest manifest = RecordedRuns.workflows(runs).get(0).manifest(null);
    assertEquals(List.of("a"), manifest.jobsInOrder().get(1).after());
    assertEquals(1, manifest.jobsInOrder().get(0).writes().get(0).readsLater());
  }

  @Test
  void aLoopOfOutputs_isOneWorkflow() {
    run("w1", "etl", "a", 1, "/a", ">/b");
    run("w2", "etl", "b", 2, "/b", ">/a");
    run("w1", "etl", "a", 3, "/a", ">/b");
    run("w2", "etl", "b", 4, "/b", ">/a");
    assertEquals(List.of("etl-a 4 2"), found());
  }

  @Test
  void manifest_ofAnotherDay_movesDates_andLivesTwiceAsLong() {
    RecordedRun run = run("w", "etl", "", 30, "/logs/2026-11-24", "/k/20261125/x", ">/out");
    run.at(START + Duration.ofHours(3).toMillis());
    RecordedWorkflow workflow = RecordedRuns.workflows(runs).get(0);
    assertEquals("etl", workflow.name());
    Manifest manifest = workflow.manifest(LocalDate.of(2027, 1, 1));
    Manifest.Job job = manifest.jobsInOrder().get(0);
    assertEquals("job", job.name());
    assertEquals(
        List.of("/logs/2026-12-31", "/k/20270101/x"),
        job.reads().stream().map(Manifest.Read::path).collect(Collectors.toList()));
    assertEquals(Duration.ofHours(5), manifest.ttl());
    assertEquals(
        "/logs/2026-11-24", workflow.manifest(null).jobsInOrder().get(0).reads().get(0).path());
  }

  @Test
  void manifest_ofALongRun_livesNoLongerThanAManifestMay() {
    run("w", "etl", "", 0, "/a").at(START + Duration.ofDays(200).toMillis());
    assertEquals(Duration.ofDays(365), RecordedRuns.workflows(runs).get(0).manifest(null).ttl());
  }

  @Test
  void paths_areBounded() {
    RecordedRun run = run("w", "etl", "a", 0);
    for (int i = 0; i < RecordedRun.MAX_PATHS + 3; i++) {
      run.read("/" + i);
      run.read("/0");
    }
    assertEquals(RecordedRun.MAX_PATHS, run.reads().size());
    assertEquals(3, run.leftOut());
  }
}
