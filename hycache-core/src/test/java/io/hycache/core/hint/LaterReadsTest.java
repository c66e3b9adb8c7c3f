// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LaterReadsTest {
  private static final Duration TTL = Duration.ofHours(1);

  private static Manifest manifest(String jobs) throws Exception {
    String text =
        "{\"version\": 1, \"workflow\": \"nightly\", \"ttl\": \"2h\", \"jobs\": [" + jobs + "]}";
    return ManifestParser.parse(
        "m", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String absolute(String path) {
    String out = path.startsWith("/") ? "hdfs://nn" + path : path;
    return out.endsWith("/") ? out.substring(0, out.length() - 1) : out;
  }

  /**
   * @param written paths that an earlier job writes
   */
  private static List<LaterReads> later(String jobs, String... written) throws Exception {
    Manifest manifest = manifest(jobs);
    Set<Manifest.Read> later = new HashSet<>();
    for (Manifest.Job job : manifest.jobsInOrder()) {
      job.reads().stream().filter(r -> List.of(written).contains(r.path())).forEach(later::add);
    }
    return LaterReads.of(manifest, TTL, later, LaterReadsTest::absolute);
  }

  private static String text(LaterReads later) {
    Manifest manifest = later.manifest();
    Manifest.Job job = manifest.jobsInOrder().get(0);
    return manifest.workflow()
        + " "
        + job.name()
        + " x"
        + job.repeat()
        + " "
        + job.reads().stream().map(r -> r.path() + " x" + r.times()).collect(Collectors.toList());
  }

  @Test
  void readsOfOutputs_waitJobByJob() throws Exception {
    List<LaterReads> later =
        later(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\": [{\"path\": \"/mid\", \"readsLater\": 0}]},"
                + "{\"name\": \"b\", \"after\": [\"a\"], \"repeat\": 2, \"reads\": [{\"path\": \"/in\"},"
                + " {\"path\": \"/mid/part-*\", \"times\": 3}], \"writes\": [{\"path\": \"/out\", \"readsLater\": 0}]},"
                + "{\"name\": \"c\", \"after\": [\"b\"], \"reads\": [{\"path\": \"/out\"},"
                + " {\"path\": \"/mid/part-*\"}]}",
            "/mid/part-*",
            "/out");
    assertEquals(
        List.of("nightly#1 b x2 [/mid/part-* x3]", "nightly#2 c x1 [/out x1, /mid/part-* x1]"),
        later.stream().map(LaterReadsTest::text).collect(Collectors.toList()));
    assertEquals(List.of("/out", "/mid/part-*"), later.get(1).paths());
    assertEquals(TTL, later.get(0).manifest().ttl());
  }

  @Test
  void outputs_thatNoJobOfTheManifestReads_areReadLater() throws Exception {
    List<LaterReads> later =
        later(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\":"
                + " [{\"path\": \"/report\", \"readsLater\": 4}, {\"path\": \"/log\", \"readsLater\": 0},"
                + " {\"path\": \"/mid\", \"readsLater\": 1}]},"
                + "{\"name\": \"b\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/mid/x\"}]}",
            "/mid/x");
    assertEquals(
        List.of("nightly#1 a x1 [/report x4]", "nightly#2 b x1 [/mid/x x1]"),
        later.stream().map(LaterReadsTest::text).collect(Collectors.toList()));
  }

  @Test
  void outputWithGlobCharacters_isReadByItsEscapedName() throws Exception {
    List<LaterReads> later =
        later(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\":"
                + " [{\"path\": \"/mid/k={1,2}\", \"readsLater\": 1}]},"
                + "{\"name\": \"b\", \"reads\": [{\"path\": \"/mid/k=\\\\{1\\\\,2\\\\}/*\"}]}");
    assertEquals(List.of(), later.stream().map(LaterReadsTest::text).collect(Collectors.toList()));
  }

  @Test
  void outputs_areReadUnderAnyNameOfThePath() throws Exception {
    List<LaterReads> later =
        later(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\":"
                + " [{\"path\": \"/tmp/clean/\", \"readsLater\": 3},"
                + " {\"path\": \"hdfs://nn/tmp/too\", \"readsLater\": 2}]},"
                + "{\"name\": \"b\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/tmp/clean\"},"
                + " {\"path\": \"/tmp/too/x\"}, {\"path\": \"/tmp/too-late\"}]}",
            "/tmp/clean",
            "/tmp/too/x");
    assertEquals(
        List.of("nightly#1 b x1 [/tmp/clean x1, /tmp/too/x x1]"),
        later.stream().map(LaterReadsTest::text).collect(Collectors.toList()));
  }

  @Test
  void outputWithGlobCharacters_thatNoJobReads_isWaitedForByItsName() throws Exception {
    List<LaterReads> later =
        later(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\":"
                + " [{\"path\": \"/out/k={1,2}\", \"readsLater\": 1}]}");
    assertEquals(List.of("/out/k=\\{1\\,2\\}"), later.get(0).paths());
  }

  @Test
  void manyPaths_areEachLookedAtOnce() throws Exception {
    StringBuilder writes = new StringBuilder();
    StringBuilder reads = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      String comma = i == 0 ? "" : ",";
      writes.append(comma).append("{\"path\": \"/w/" + i + "\", \"readsLater\": 1}");
      reads.append(comma).append("{\"path\": \"/w/" + i + "/part-*\"}");
    }
    Manifest manifest =
        manifest(
            "{\"name\": \"a\", \"reads\": [], \"writes\": ["
                + writes
                + "]}, {\"name\": \"b\", \"after\": [\"a\"], \"reads\": ["
                + reads
                + "]}");
    AtomicInteger looked = new AtomicInteger();
    List<LaterReads> later =
        LaterReads.of(
            manifest,
            TTL,
            Set.of(),
            path -> {
              looked.incrementAndGet();
              return path;
            });
    assertEquals(List.of(), later);
    assertEquals(2000, looked.get());
  }

  /** The first read is of what another run has written. */
  @Test
  void aPathThatIsReadBeforeItIsWritten_waitsForTheReadAfter() throws Exception {
    Manifest manifest =
        manifest(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"/state\"}], \"writes\": [{\"path\": \"/state\", \"readsLater\": 0}]},"
                + "{\"name\": \"b\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/state\"}]}");
    Manifest.Read second = manifest.jobsInOrder().get(1).reads().get(0);
    assertEquals(
        List.of("nightly#1 b x1 [/state x1]"),
        LaterReads.of(manifest, TTL, Set.of(second), LaterReadsTest::absolute).stream()
            .map(LaterReadsTest::text)
            .collect(Collectors.toList()));
  }

  @Test
  void nothingIsWritten_nothingLater() throws Exception {
    assertEquals(List.of(), later("{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}]}"));
  }

  @Test
  void isWithin_isByName() {
    assertTrue(LaterReads.isWithin("/a", "/a"));
    assertTrue(LaterReads.isWithin("/a/b", "/a"));
    assertTrue(LaterReads.isWithin("/a/b", "/a/"));
    assertFalse(LaterReads.isWithin("/ab", "/a"));
    assertFalse(LaterReads.isWithin("/a", "/a/b"));
  }

  @Test
  void isWithinOne_isByName() {
    Set<String> directories = Set.of("hdfs://nn/a", "hdfs://nn/b/c");
    assertTrue(LaterReads.isWithinOne("hdfs://nn/a", directories));
    assertTrue(LaterReads.isWithinOne("hdfs://nn/b/c/d/e", directories));
    assertTrue(LaterReads.isWithinOne("hdfs://nn/x", Set.of("hdfs://nn")), "all of a file system");
    assertFalse(LaterReads.isWithinOne("hdfs://nn/b", directories));
    assertFalse(LaterReads.isWithinOne("hdfs://nn/ab", directories));
    assertFalse(LaterReads.isWithinOne("", directories));
  }
}
