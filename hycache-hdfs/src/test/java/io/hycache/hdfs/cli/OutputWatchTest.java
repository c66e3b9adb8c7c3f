// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.hint.LaterReads;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutputWatchTest {
  private static final String MANIFEST =
      "{\"version\": 1, \"workflow\": \"w\", \"ttl\": \"1h\", \"jobs\": ["
          + "{\"name\": \"a\", \"reads\": [], \"writes\": [{\"path\": \"/m\", \"readsLater\": 0}, {\"path\": \"/n\", \"readsLater\": 0}]},"
          + "{\"name\": \"b\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/m\"}, {\"path\": \"/n\"}]},"
          + "{\"name\": \"c\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/n\"}]}]}";

  private final Set<String> written = new HashSet<>();
  private final List<String> submitted = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Set<String> forbidden = new HashSet<>();
  private final FakeTime time = new FakeTime();
  private final Set<String> refused = new HashSet<>();
  private boolean broken;
  private int attempts;
  private int looks;

  /** Time that goes by in pauses alone. */
  private static final class FakeTime implements OutputWatch.Time {
    final List<Long> pausesMillis = new ArrayList<>();
    Runnable afterPause = () -> {};
    long nowNanos = Long.MAX_VALUE; // It overflows, as System.nanoTime() may.

    @Override
    public long nanos() {
      return nowNanos;
    }

    @Override
    public void pause(long millis) {
      pausesMillis.add(millis);
      nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
      afterPause.run();
    }
  }

  private OutputWatch watch() throws Exception {
    Manifest manifest =
        ManifestParser.parse(
            "m", new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)));
    Set<Manifest.Read> later = new HashSet<>();
    manifest.jobsInOrder().forEach(job -> later.addAll(job.reads()));
    return new OutputWatch(
        LaterReads.of(manifest, Duration.ofHours(1), later, path -> path),
        Duration.ofMinutes(5),
        time,
        path -> {
          if (forbidden.contains(path)) {
            throw new IOException("permission denied: " + path);
          }
          return () -> {
            looks++;
            return written.contains(path);
          };
        },
        reads -> {
          if (broken || refused.contains(reads.manifest().workflow())) {
            attempts++;
            throw new IOException("connection refused");
          }
          submitted.add(reads.manifest().workflow());
        },
        warnings::add);
  }

  @Test
  void reads_areSubmittedOnce_whenAllTheirFilesAreThere() throws Exception {
    OutputWatch watch = watch();
    watch.look();
    assertEquals(List.of(), submitted);
    written.add("/n");
    watch.look();
    assertEquals(List.of("w#2"), submitted);
    written.add("/m");
    watch.look();
    watch.look();
    assertEquals(List.of("w#2", "w#1"), submitted);
  }

  @Test
  void outputsThatCanNotBeLookedAt_holdUpNoOthers() throws Exception {
    forbidden.add("/m");
    OutputWatch watch = watch();
    assertEquals(List.of("workflow w#1 is not hinted: permission denied: /m"), warnings);
    written.addAll(List.of("/m", "/n"));
    watch.look();
    assertEquals(List.of("w#2"), submitted);
  }

  @Test
  void whatFails_isTriedAgain_andWarnedOfOnce() throws Exception {
    OutputWatch watch = watch();
    written.addAll(List.of("/m", "/n"));
    broken = true;
    watch.look();
    watch.look();
    assertEquals(
        List.of(
            "workflow w#1: could not submit hints of what a job wrote, trying again:"
                + " connection refused"),
        warnings);
    broken = false;
    watch.look(); // one is left out after the first failure
    watch.look();
    watch.look();
    watch.look();
    assertEquals(List.of("w#1", "w#2"), submitted);
  }

  @Test
  void outputsThatNoJobWrites_areGivenUp() throws Exception {
    OutputWatch watch = watch();
    watch.run(); // returns
    assertEquals(150, time.pausesMillis.size());
    assertEquals(2 * 149, looks, "the first path of two reads, none when patience is over");
    watch.look();
    assertEquals(2 * 149, looks);
    assertEquals(List.of(), submitted);
  }

  @Test
  void afterFailures_itIsTriedLessOften_andOthersAreNot() throws Exception {
    OutputWatch watch = watch();
    written.add("/n");
    refused.add("w#2");
    time.afterPause =
        () -> {
          int pauses = time.pausesMillis.size();
          if (pauses == 100) {
            written.add("/m");
          }
          if (pauses == 101) {
            assertEquals(List.of("w#1"), submitted, "with the next look");
            assertEquals(7, attempts, "the looks number 1, 3, 7, 15, 31, 61 and 91");
            refused.clear();
          }
        };
    watch.run();
    assertEquals(List.of("w#1", "w#2"), submitted);
    assertEquals(Set.of(2000L), Set.copyOf(time.pausesMillis));
  }
}
