// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AutomaticHintsTest {
  private static final String OWN = "DFSClient_1";
  private static final String STAGING = "/staging/u/.staging/";

  /** Writes down what is asked of it. Used by the hints' thread; read after await() or close(). */
  private static final class Log implements AutomaticHints.Workflows {
    final List<String> calls = new ArrayList<>();
    final Set<String> existing = new HashSet<>();
    boolean broken;

    @Override
    public void submit(String name, List<String> paths, boolean random) throws IOException {
      calls.add("submit " + name + " " + paths + (random ? " random" : ""));
      if (broken) {
        throw new IOException("no DataNode answers");
      }
    }

    @Override
    public void withdraw(String name) throws IOException {
      calls.add("withdraw " + name);
      if (broken) {
        throw new IOException("no DataNode answers");
      }
    }
  }

  private final Log log = new Log();
  private AutomaticHints hints =
      new AutomaticHints(log, log.existing::contains, OWN, 0, System::nanoTime);

  @AfterEach
  void close() {
    hints.close();
  }

  @Test
  void aJobsSplits_claimWhatWasLocated() throws Exception {
    hints.located("/in/a");
    hints.located("/in/b");
    hints.created("/out/part-0");
    hints.created("/out/job.split");
    hints.created(STAGING + "job_7_0001/job.splitmetainfo");
    hints.created(STAGING + "job_7_0001/job.split");
    hints.located("/out/part-0");
    hints.created(STAGING + "job_7_0002/job.split");
    hints.created(STAGING + "job_7_0003/job.split");
    hints.await();
    assertEquals(
        List.of("submit job_7_0001 [/in/a, /in/b]", "submit job_7_0002 [/out/part-0]"), log.calls);
  }

  @Test
  void aListing_isNoPlan() throws Exception {
    hints.located("/in/a");
    hints.opened("/in/other", false);
    hints.await();
    hints.close();
    assertEquals(List.of(), log.calls);
  }

  @Test
  void aProcessThatReadsItself_hintsTheRest_andWithdrawsIt() throws Exception {
    for (String file : new String[] {"/in/a", "/in/b", "/in/c"}) {
      hints.located(file);
    }
    hints.opened("/in/a", true);
    hints.await();
    hints.opened("/in/b", false);
    hints.await();
    assertEquals(
        List.of("submit " + OWN + " [/in/b, /in/c] random"), log.calls, "these are hinted already");
    hints.located("/in/d");
    hints.opened("/in/c", false);
    hints.await();
    hints.close();
    assertEquals(
        List.of("submit " + OWN + " [/in/d] random", "withdraw " + OWN), log.calls.subList(1, 3));
  }

  @Test
  void aClientThatSamples_hintsItsJobOnly() throws Exception {
    hints.close();
    hints =
        new AutomaticHints(
            log, log.existing::contains, OWN, TimeUnit.HOURS.toNanos(1), System::nanoTime);
    hints.located("/in/a");
    hints.located("/in/b");
    hints.opened("/in/a", false);
    hints.created(STAGING + "job_7_0001/job.split");
    hints.await();
    assertEquals(List.of("submit job_7_0001 [/in/a, /in/b]"), log.calls);
  }

  @Test
  void aJobThatComesLate_takesOverWhatTheProcessHinted() throws Exception {
    hints.located("/in/a");
    hints.located("/in/b");
    hints.opened("/in/a", false);
    hints.await();
    hints.created(STAGING + "job_7_0001/job.split");
    hints.await();
    assertEquals(
        List.of(
            "submit " + OWN + " [/in/b]", "withdraw " + OWN, "submit job_7_0001 [/in/a, /in/b]"),
        log.calls);
  }

  @Test
  void close_withdrawsJobsThatAreOver() throws Exception {
    log.existing.add(STAGING + "job_7_0002");
    for (int job = 1; job <= 2; job++) {
      hints.located("/in/" + job);
      hints.created(STAGING + "job_7_000" + job + "/job.split");
    }
    hints.await();
    log.calls.clear();
    hints.close();
    assertEquals(List.of("withdraw job_7_0001"), log.calls);
    hints.close();
    hints.located("/in/a");
    hints.created(STAGING + "job_7_0004/job.split");
    assertEquals(1, log.calls.size());
  }

  @Test
  void close_withdrawsTheLatestWorkflows_ofMoreThanAreKept() throws Exception {
    for (int job = 0; job <= ClientWorkflows.MAX_WORKFLOWS; job++) {
      hints.located("/in/" + job);
      hints.created(STAGING + "job_7_" + job + "/job.split");
    }
    hints.await();
    log.calls.clear();
    hints.close();
    assertEquals(ClientWorkflows.MAX_WORKFLOWS, log.calls.size());
    assertEquals("withdraw job_7_1", log.calls.get(0));
  }

  @Test
  void aFailure_isNotTheCallers_andWhatMayHaveArrivedIsWithdrawn() throws Exception {
    log.broken = true;
    for (int job = 1; job <= 2; job++) {
      hints.located("/in/a");
      hints.created(STAGING + "job_7_000" + job + "/job.split");
    }
    hints.await();
    hints.close();
    assertEquals(
        List.of(
            "submit job_7_0001 [/in/a]",
            "submit job_7_0002 [/in/a]",
            "withdraw job_7_0001",
            "withdraw job_7_0002"),
        log.calls);
  }

  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  @Test
  void from_isForClientsThatAskForIt_andNotForTasks() throws Exception {
    URI uri = URI.create("hdfs://localhost:1");
    assertNull(AutomaticHints.from(uri, conf(), OWN, path -> false));
    assertNull(AutomaticHints.from(uri, conf(HyCacheKeys.CLIENT_HINTS, "OFF"), OWN, path -> false));
    for (String part :
        new String[] {"mapreduce.task.attempt.id", "mapreduce.job.application.attempt.id"}) {
      assertNull(
          AutomaticHints.from(
              uri, conf(HyCacheKeys.CLIENT_HINTS, "auto", part, "1"), OWN, path -> false),
          part);
    }
    try (AutomaticHints auto =
        AutomaticHints.from(uri, conf(HyCacheKeys.CLIENT_HINTS, "auto"), OWN, path -> false)) {
      assertNotNull(auto);
    }
    assertEquals(
        "hycache.client.hints: expected auto or off, found 'yes'",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    AutomaticHints.from(
                        uri, conf(HyCacheKeys.CLIENT_HINTS, "yes"), OWN, path -> false))
            .getMessage());
  }
}
