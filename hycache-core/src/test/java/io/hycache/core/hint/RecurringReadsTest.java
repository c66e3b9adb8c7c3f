// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecurringReadsTest {
  private static final LocalDate FIRST = LocalDate.of(2026, 11, 1);
  private static final long MINUTE = 60_000;
  private static final Duration TTL = Duration.ofHours(6);

  private static final class Event {
    final long timeMillis;
    final String user;
    final String job;
    final String path;
    final boolean create;

    Event(long timeMillis, String user, String job, String path, boolean create) {
      this.timeMillis = timeMillis;
      this.user = user;
      this.job = job;
      this.path = path;
      this.create = create;
    }
  }

  private final List<Event> events = new ArrayList<>();

  /** Where, in the directory of its output, the first job creates files. */
  private String uncommitted = "";

  private static long midnight(int night) {
    return FIRST.plusDays(night).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** A workflow at two in the morning: cleans yesterday's logs, joins them with a week, reports. */
  private void night(int night, long lateMillis) {
    LocalDate day = FIRST.plusDays(night);
    long at = midnight(night) + 120 * MINUTE + lateMillis;
    String job = "job_1_" + night;
    for (int file = 0; file < 4; file++) {
      add(at + file, "etl", job + "1", "/logs/" + day.minusDays(1) + "/part-" + night + file);
      events.add(
          new Event(
              at + 5 * MINUTE,
              "etl",
              job + "1",
              "/tmp/clean/" + day + uncommitted + "/part-" + file,
              true));
    }
    for (int ago = 7; ago >= 0; ago--) {
      add(at + 6 * MINUTE, "etl", job + "2", "/tmp/clean/" + day.minusDays(ago) + "/part-0");
    }
    for (int time = 0; time < 3; time++) {
      add(at + (7 + time) * MINUTE, "etl", job + "2", "/dim/users/part-0");
    }
  }

  private void add(long timeMillis, String user, String job, String path) {
    events.add(new Event(timeMillis, user, job, path, false));
  }

  /** Ten users who read what they like when they like, among it the logs. */
  private void noise(int night, Random random) {
    for (int i = 0; i < 300; i++) {
      add(
          midnight(night) + random.nextInt(24 * 60) * MINUTE,
          "user" + random.nextInt(10),
          "job_2_" + random.nextInt(1000),
          random.nextInt(4) == 0
              ? "/logs/" + FIRST.plusDays(night - 1) + "/part-" + night + random.nextInt(4)
              : "/home/" + random.nextInt(2000) + "/part-0");
    }
  }

  private List<RecurringWorkflow> learn(int minRuns) {
    events.sort(Comparator.comparingLong(e -> e.timeMillis));
    RecurringReads reads = new RecurringReads();
    for (Event e : events) {
      if (e.create) {
        reads.created(e.timeMillis, e.user, e.path);
      } else {
        reads.opened(e.timeMillis, e.user, e.job, e.path);
      }
    }
    assertEquals(0, reads.leftOut());
    return reads.learn(minRuns);
  }

  private static List<String> text(Manifest manifest) {
    return manifest.jobsInOrder().stream()
        .map(
            job ->
                job.name()
                    + " "
                    + job.reads().stream()
                        .map(r -> r.path() + "x" + r.times())
                        .collect(Collectors.toList())
                    + job.writes().stream().map(w -> w.path()).collect(Collectors.toList()))
        .collect(Collectors.toList());
  }

  @Test
  void twoNights_areEnoughForTheThird() {
    night(10, 0);
    night(11, 11 * MINUTE);
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    RecurringWorkflow nightly = learned.get(0);
    assertEquals("etl etl-logs", nightly.user() + " " + nightly.name());
    assertEquals(Duration.ofDays(1), nightly.period());
    assertEquals(2, nightly.runs());
    assertEquals(1, nightly.confidence());
    assertEquals(midnight(12) + 131 * MINUTE, nightly.nextStartMillis());
    String third = "/logs/" + FIRST.plusDays(11) + "/part-7";
    long due = midnight(12) + 131 * MINUTE;
    RunStarts starts = new RunStarts(learned);
    assertSame(nightly, starts.find(due + 60 * MINUTE, "etl", third));
    assertNull(starts.find(due + 180 * MINUTE, "etl", third), "too late");
    assertNull(starts.find(due, "bob", third));
    assertNull(starts.find(due, "etl", "/dim/users/part-0"));
    assertSame(
        nightly, starts.find(due + 5 * 24 * 60 * MINUTE, "etl", third), "nights were missed");
    Manifest manifest = nightly.manifest(FIRST.plusDays(12), TTL);
    assertEquals(
        List.of("step-1 [/logs/2026-11-12x1][/tmp/clean/2026-11-13]", "step-2 [/dim/usersx3][]"),
        text(manifest.without(path -> path.startsWith("/tmp/"))));
    assertEquals(List.of(), text(manifest.without(path -> true)));
    List<String> clean = new ArrayList<>();
    for (int ago = 7; ago >= 0; ago--) {
      clean.add("/tmp/clean/" + FIRST.plusDays(12 - ago) + "x1");
    }
    assertEquals(
        List.of(
            "step-1 [/logs/2026-11-12x1][/tmp/clean/2026-11-13]",
            "step-2 " + with(clean, "/dim/usersx3") + "[]"),
        text(manifest));
    assertEquals(TTL, manifest.ttl());
  }

  private static List<String> with(List<String> all, String last) {
    List<String> out = new ArrayList<>(all);
    out.add(last);
    return out;
  }

  @Test
  void amongNoise_theNightlyWorkflowIsFound_andLittleElse() {
    Random random = new Random(1);
    for (int night = 10; night < 15; night++) {
      night(night, random.nextInt(40) * MINUTE);
      noise(night, random);
    }
    List<RecurringWorkflow> learned = learn(4);
    List<String> users = learned.stream().map(RecurringWorkflow::user).collect(Collectors.toList());
    assertEquals(1, users.stream().filter("etl"::equals).count(), users.toString());
    assertTrue(users.size() <= 2, users.toString());
  }

  @Test
  void missedNights_lowerTheConfidence() {
    for (int night : new int[] {10, 11, 13, 16}) {
      night(night, 0);
    }
    RecurringWorkflow nightly = learn(3).get(0);
    assertEquals(4.0 / 7, nightly.confidence(), 1e-9);
    assertEquals(Duration.ofDays(1), nightly.period());
  }

  @ParameterizedTest
  @ValueSource(longs = {120, 127, 300})
  void runThatIsRepeated_hidesNoPeriod(long minutesLater) {
    for (int night = 0; night < 10; night++) {
      night(night, 0);
    }
    night(4, minutesLater * MINUTE);
    assertNightly();
  }

  @Test
  void runsThatAreRepeated_hideNoPeriod() {
    for (int night = 0; night < 10; night++) {
      night(night, 0);
    }
    night(2, 120 * MINUTE);
    night(5, 127 * MINUTE);
    night(7, 300 * MINUTE);
    assertNightly();
  }

  @Test
  void runThatIsRepeated_leavesTheNextOneDue() {
    for (int night = 0; night < 10; night++) {
      night(night, 0);
    }
    night(9, 300 * MINUTE);
    assertDue(10);
  }

  @Test
  void runThatIsLate_leavesThoseAfterTheNextOneDue() {
    for (int night = 0; night < 11; night++) {
      night(night, night == 9 ? 300 * MINUTE : 0);
    }
    assertDue(11);
  }

  private void assertDue(int night) {
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    long due = midnight(night) + 120 * MINUTE;
    assertEquals(due, learned.get(0).nextStartMillis());
    String first = "/logs/" + FIRST.plusDays(night - 1) + "/part-7";
    assertSame(learned.get(0), new RunStarts(learned).find(due, "etl", first));
  }

  @Test
  void directoryThatIsReadAgain_staysInItsWorkflow() {
    for (int night = 0; night < 10; night++) {
      add(midnight(night) + 120 * MINUTE, "u", "a" + night, "/one/x");
      add(midnight(night) + 121 * MINUTE, "u", "a" + night, "/two/x");
    }
    add(midnight(9) + 420 * MINUTE, "u", "b", "/two/x");
    add(midnight(9) + 600 * MINUTE, "bob", "c", "/home/bob");
    assertOneOfTwoDirectories();
    add(midnight(10) + 120 * MINUTE, "u", "a10", "/one/x");
    add(midnight(10) + 121 * MINUTE, "u", "a10", "/two/x");
    assertOneOfTwoDirectories();
  }

  private void assertOneOfTwoDirectories() {
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    assertEquals("u-one 2", learned.get(0).name() + " " + learned.get(0).directories());
  }

  private void assertNightly() {
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    assertEquals(Duration.ofDays(1), learned.get(0).period());
    assertTrue(learned.get(0).confidence() >= 0.9, "confidence=" + learned.get(0).confidence());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12, 48, 7 * 24})
  void otherPeriods_areFoundAsTheyAre(int hours) {
    for (int run = 0; run < 20; run++) {
      add(60L * MINUTE * run * hours, "bob", "j" + run, "/a/x");
    }
    RecurringWorkflow workflow = learn(2).get(0);
    assertEquals(Duration.ofHours(hours), workflow.period());
    assertEquals(1, workflow.confidence());
  }

  @Test
  void hourlyRunsThatTakeAMinute_areRunsOfTheirOwn() {
    for (int run = 0; run < 100; run++) {
      long start = MINUTE * (60L * run + 5 + run % 2);
      add(start, "bob", "j" + run, "/a/x");
      add(start + MINUTE, "bob", "j" + run, "/a/y");
    }
    RecurringWorkflow workflow = learn(65).get(0);
    assertEquals(Duration.ofHours(1), workflow.period());
    assertEquals(100, workflow.runs());
    assertEquals(1, workflow.confidence());
    assertEquals(List.of(), learn(101));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_temporary/0/_temporary/attempt_1_0001_m_000000_0",
        "/.hive-staging_hive_2026-11-01_02-00-00_1/_task_tmp.-ext-10000",
        "/.spark-staging-1/_temporary/0/_temporary/attempt_1"
      })
  void filesThatACommitMoves_areOutputsOfTheJob(String directory) {
    uncommitted = directory;
    night(10, 0);
    night(11, 0);
    Manifest manifest = learn(2).get(0).manifest(FIRST.plusDays(12), TTL);
    assertEquals("step-1 [/logs/2026-11-12x1][/tmp/clean/2026-11-13]", text(manifest).get(0));
  }

  @Test
  void partitionsOfIntegers_haveNoZerosBefore() {
    for (int night = 7; night < 9; night++) {
      long at = midnight(night);
      String month = "/year=2026/month=11/day=";
      int day = night + 1;
      add(at, "etl", "j1", "/raw" + month + day + "/x");
      events.add(new Event(at + 1, "etl", "j1", "/clean" + month + day + "/x", true));
      add(at + 2, "etl", "j2", "/clean" + month + day + "/x");
      add(at + 3, "etl", "j2", "/padded" + month + "0" + day + "/x");
    }
    assertEquals(
        List.of(
            "step-1 [/raw/year=2027/month=3/day=5x1][/clean/year=2027/month=3/day=5]",
            "step-2 [/clean/year=2027/month=3/day=5x1, /padded/year=2027/month=03/day=05x1][]"),
        text(learn(2).get(0).manifest(LocalDate.of(2027, 3, 5), TTL)));
  }

  @Test
  void directoriesThatAreOnlyWritten_areNotCounted() {
    for (int job = 0; job < 600_000; job++) {
      String path = "/user/etl/.staging/job_1_" + job + "/job.xml";
      events.add(new Event(midnight(9) + 20L * job, "etl", "j", path, true));
    }
    night(10, 0);
    night(11, 0);
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    assertEquals("etl-logs 3", learned.get(0).name() + " " + learned.get(0).directories());
  }

  @Test
  void directoriesReadOnce_areForgotten_whereOthersNeedTheirPlace() {
    RecurringReads reads = new RecurringReads(4);
    reads.opened(midnight(0), "etl", null, "/once/x");
    for (int night = 1; night < 3; night++) {
      reads.opened(midnight(night), "etl", null, "/nightly/x");
    }
    reads.opened(midnight(2), "bob", null, "/weekly/x");
    reads.opened(midnight(3), "bob", null, "/other/x");
    reads.opened(midnight(4), "etl", null, "/full/x");
    assertEquals(1, reads.leftOut());
    reads.opened(midnight(9), "bob", null, "/weekly/x");
    for (int day = 10; day < 12; day++) {
      reads.opened(midnight(day), "etl", null, "/new/x");
    }
    assertEquals(1, reads.leftOut());
    assertEquals(
        List.of("etl-nightly", "etl-new", "bob-weekly"),
        reads.learn(2).stream().map(RecurringWorkflow::name).collect(Collectors.toList()));
  }

  @Test
  void namesOfFiles_areKeptWhileAReadMayFollow() {
    RecurringReads reads = new RecurringReads();
    for (int night = 0; night < 2; night++) {
      for (int time = 0; time < 4; time++) {
        reads.opened(midnight(night), "etl", "j" + night, "/a/" + time % 2);
      }
    }
    assertEquals(2, reads.files());
    reads.reaches(midnight(1) + 120 * MINUTE);
    assertEquals(0, reads.files());
    RecurringWorkflow workflow = reads.learn(2).get(0);
    assertEquals(List.of("step-1 [/ax2][]"), text(workflow.manifest(FIRST, TTL)));
  }

  @Test
  void readsWithoutAPeriod_areNotLearned() {
    add(0, "bob", "j", "/a/x");
    add(5 * 60 * MINUTE, "bob", "j", "/a/x");
    add(0, "eve", "j", "/b/x");
    assertEquals(List.of(), learn(2));
  }

  @Test
  void twoWorkflowsOfAUser_areApart() {
    for (int night = 0; night < 3; night++) {
      add(midnight(night) + 60 * MINUTE, "u", "a" + night, "/one/x");
      add(midnight(night) + 61 * MINUTE, "u", "a" + night, "/two/x");
      add(midnight(night) + 600 * MINUTE, "u", "b" + night, "/three/x");
    }
    List<RecurringWorkflow> learned = learn(3);
    assertEquals(
        List.of("u-one 2", "u-three 1"),
        learned.stream().map(w -> w.name() + " " + w.directories()).collect(Collectors.toList()));
    RunStarts starts = new RunStarts(learned);
    assertSame(learned.get(0), starts.find(midnight(3) + 60 * MINUTE, "u", "/one/y"));
    assertSame(learned.get(1), starts.find(midnight(3) + 600 * MINUTE, "u", "/three/y"));
    assertNull(starts.find(midnight(3) + 60 * MINUTE, "u", "/two/y"), "not read first");
  }

  @Test
  void runThatGoesOn_isLearnedAsTheRunBefore() {
    night(10, 0);
    night(11, 0);
    String job = "job_1_121";
    add(midnight(12) + 120 * MINUTE, "etl", job, "/logs/" + FIRST.plusDays(11) + "/part-7");
    add(midnight(12) + 140 * MINUTE, "etl", job, "/logs/" + FIRST.plusDays(11) + "/part-8");
    List<RecurringWorkflow> learned = learn(2);
    assertEquals(1, learned.size());
    assertEquals("etl-logs 3", learned.get(0).name() + " " + learned.get(0).directories());
    add(midnight(12) + 175 * MINUTE, "bob", "j", "/home/bob");
    assertEquals(
        List.of("etl-tmp-clean", "etl-logs"),
        learn(2).stream().map(RecurringWorkflow::name).collect(Collectors.toList()),
        "the third run read nothing else");
  }
}
