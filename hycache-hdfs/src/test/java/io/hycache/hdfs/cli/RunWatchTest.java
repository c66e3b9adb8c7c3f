// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.hint.RecurringWorkflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWatchTest {
  private static final LocalDate FIRST = LocalDate.of(2026, 11, 1);

  private final List<String> begun = new ArrayList<>();
  private final RunWatch watch = new RunWatch(null, 2, 0.5, "alice", this::begins);
  private String context = "";
  private String lookUpContext = "";

  /** As the log has it. */
  private String names = "/names";

  private List<String> begins(RecurringWorkflow workflow, long atMillis) {
    LocalDate day = Instant.ofEpochMilli(atMillis).atOffset(ZoneOffset.UTC).toLocalDate();
    StringBuilder reads = new StringBuilder();
    List<String> paths = new ArrayList<>();
    workflow
        .manifest(day, Duration.ofHours(1))
        .jobsInOrder()
        .forEach(
            job ->
                job.reads()
                    .forEach(
                        read -> {
                          reads.append(' ').append(read.path());
                          reads.append(read.times() == 1 ? "" : "x" + read.times());
                          paths.add(read.path());
                        }));
    begun.add(day.getDayOfMonth() + reads.toString());
    return paths;
  }

  private void open(int night, String time, String path) {
    watch.line(opened(night, time, path));
  }

  private String opened(int night, String time, String path) {
    LocalDate day = FIRST.plusDays(night);
    return day
        + " "
        + time
        + ":00,000 INFO audit: allowed=true\tugi=alice (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open"
        + "\tsrc="
        + path.replace("DAY", day.toString())
        + "\tdst=null\tperm=null\tproto=rpc"
        + context;
  }

  /** A run of 25 minutes, with a table that it reads at its end. */
  private void night(int night, String table) {
    open(night, "02:00", "/start/DAY/ready");
    open(night, "02:20", table + "/DAY/part-0");
    open(night, "02:20", table + "/DAY/part-1");
    open(night, "02:25", names + "/part-0");
  }

  @Test
  void read_leavesOutLinesThatAreTooLong(@TempDir Path dir) throws Exception {
    String line = opened(0, "02:00", "/a/x");
    String tooLong = line + "\tcallerContext=" + "a".repeat(GrowingLog.MAX_LINE_BYTES);
    Path log = Files.write(dir.resolve("audit.log"), List.of(line, tooLong, line));
    watch.read(log, begun::add);
    assertEquals(2, watch.used());
    assertEquals(List.of(), begun, "no warning");
  }

  @Test
  void inOrder_isThatOfTheFirstOperations_whateverTheNames(@TempDir Path dir) throws Exception {
    Path newest = Files.write(dir.resolve("audit.log.1"), List.of(opened(2, "02:00", "/a/x")));
    Path oldest =
        Files.write(dir.resolve("audit.log.10"), List.of("no time", opened(0, "02:00", "/a/x")));
    Path middle = Files.write(dir.resolve("audit.log.2"), List.of(opened(1, "02:00", "/a/x")));
    Path empty = Files.writeString(dir.resolve("audit.log"), "");
    List<String> asTheShellSortsThem =
        List.of(empty.toString(), newest.toString(), oldest.toString(), middle.toString());
    assertEquals(List.of(oldest, middle, newest, empty), RunWatch.inOrder(asTheShellSortsThem));
    List<String> oneIsMissing = List.of(newest.toString(), dir + "/gone", oldest.toString());
    assertEquals(
        List.of(newest, dir.resolve("gone"), oldest),
        RunWatch.inOrder(oneIsMissing),
        "as given: the reader names the one that is missing");
  }

  @Test
  void run_beginsOnce_alsoIfItIsLongerThanTheTimeBetweenTwoTimesOfLearning() {
    night(0, "/sales");
    night(1, "/sales");
    watch.goLive();
    night(2, "/sales");
    night(3, "/sales");
    assertEquals(
        List.of(
            "3 /start/2026-11-03 /sales/2026-11-03 /names",
            "4 /start/2026-11-04 /sales/2026-11-04 /names"),
        begun);
  }

  @Test
  void workflow_thatRecursSinceTheWatchBegan_isLearned() {
    watch.goLive();
    for (int night = 0; night < 3; night++) {
      night(night, "/sales");
    }
    assertEquals(List.of("3 /start/2026-11-03 /sales/2026-11-03 /names"), begun);
  }

  @Test
  void directory_thatARunNoLongerReads_isLeftOutOfTheNextRun() {
    night(0, "/sales");
    night(1, "/sales");
    watch.goLive();
    for (int night = 2; night < 5; night++) {
      night(night, "/sales_v2");
    }
    assertEquals(
        List.of(
            "3 /start/2026-11-03 /sales/2026-11-03 /names",
            "4 /start/2026-11-04 /names",
            "5 /start/2026-11-05 /sales_v2/2026-11-05 /names"),
        begun);
  }

  /** Looks up all files that the run of a night reads. */
  private void lookUp(int night) {
    open(night, "02:01", "/start/DAY/ready");
    open(night, "02:01", "/sales/DAY/part-0");
    open(night, "02:01", "/sales/DAY/part-1");
    open(night, "02:01", names + "/part-0");
  }

  /**
   * @param readNames the directory of names, as the manifest has it
   */
  private void lookedUpNights(String readNames) {
    for (int night = 0; night < 2; night++) {
      night(night, "/sales");
    }
    watch.goLive();
    for (int night = 2; night < 6; night++) {
      context = "";
      open(night, "02:00", "/start/DAY/ready");
      context = lookUpContext;
      lookUp(night);
      context = "";
      open(night, "02:20", "/sales/DAY/part-0");
      open(night, "02:20", "/sales/DAY/part-1");
      open(night, "02:25", names + "/part-0");
    }
    assertEquals(4, begun.size());
    assertEquals("6 /start/2026-11-06 /sales/2026-11-06 " + readNames, begun.get(3));
  }

  @Test
  void lookUpsOfTheWatch_areNoReads() {
    lookedUpNights("/names");
  }

  @Test
  void lookUpsOfPaths_thatAManifestOrTheLogEscapes_areNoReads() {
    names = "/n[1]/\\u00FC";
    lookedUpNights("/n\\[1\\]/\u00fc");
  }

  @Test
  void lookUps_thatTheirContextNames_areNoReads() {
    lookUpContext = "\tcallerContext=hycache,clientIp:10.0.0.1";
    lookedUpNights("/names");
  }
}
