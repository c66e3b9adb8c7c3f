// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import com.google.common.collect.Comparators;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of the past as {@link RecordedRuns} found it: one job or more, those that read what
 * another one of them wrote behind that one. Immutable.
 */
public final class RecordedWorkflow {
  private static final Duration SHORTEST_TTL = Duration.ofHours(1);
  private static final int MAX_JOB_NAME_CHARS = 100;

  private final String name;

  /** By start; not empty. */
  private final List<RecordedRun> runs;

  RecordedWorkflow(String name, List<RecordedRun> runs) {
    this.name = name;
    this.runs = List.copyOf(runs);
  }

  /** Returns the user's name and that of the first job; unique among those found together. */
  public String name() {
    return name;
  }

  /** Returns the user; empty if the record does not say. */
  public String user() {
    return runs.get(0).user();
  }

  /** Returns the number of jobs that read something, &gt;= 1. */
  public int jobs() {
    return runs.size();
  }

  /** Returns the number of paths that the jobs read, each counted once, &gt;= 1. */
  public int paths() {
    Set<String> all = new HashSet<>();
    runs.forEach(run -> all.addAll(run.reads()));
    return all.size();
  }

  /** Returns when its first job started, milliseconds since 1970. */
  public long startMillis() {
    return runs.get(0).startMillis();
  }

  private LocalDate day() {
    return Instant.ofEpochMilli(startMillis()).atOffset(ZoneOffset.UTC).toLocalDate();
  }

  /**
   * Returns the manifest of a run like this one. Its hints live twice as long as the recorded run
   * took, an hour at least and {@link ManifestParser#MAX_TTL} at most. O(jobs + paths).
   *
   * @param day of that run's start, UTC: dates in paths keep their distance to it; null: the paths
   *     as they were
   */
  public Manifest manifest(@Nullable LocalDate day) {
    Map<String, String> writers = new HashMap<>();
    Map<RecordedRun, String> names = new LinkedHashMap<>();
    UniqueNames unique = new UniqueNames();
    runs.forEach(run -> names.put(run, unique.of(jobName(run.name()))));
    Map<RecordedRun, Set<String>> after = new HashMap<>();
    Map<String, Set<RecordedRun>> readers = new HashMap<>();
    for (RecordedRun run : runs) {
      Set<String> before = new LinkedHashSet<>();
      for (String path : run.reads()) {
        String written = RecordedRuns.written(path, writers.keySet());
        if (written != null) {
          before.add(writers.getOrDefault(written, ""));
          readers.computeIfAbsent(written, w -> new HashSet<>()).add(run);
        }
      }
      after.put(run, before);
      run.writes().forEach(path -> writers.put(path, names.getOrDefault(run, "")));
    }
    long end = startMillis();
    List<Manifest.Job> jobs = new ArrayList<>();
    for (RecordedRun run : runs) {
      List<Manifest.Read> reads = new ArrayList<>();
      run.reads().forEach(path -> reads.add(new Manifest.Read(moved(path, day), 1, false)));
      List<Manifest.Write> writes = new ArrayList<>();
      run.writes()
          .forEach(
              path ->
                  writes.add(
                      new Manifest.Write(
                          moved(path, day), readers.getOrDefault(path, Set.of()).size())));
      List<String> behind = List.copyOf(after.getOrDefault(run, Set.of()));
      jobs.add(new Manifest.Job(names.getOrDefault(run, ""), behind, 1, reads, writes));
      end = Math.max(end, run.endMillis());
    }
    Duration ttl = Duration.ofSeconds(2 * ((end - startMillis()) / 1000));
    return new Manifest(
        name, Comparators.min(Comparators.max(ttl, SHORTEST_TTL), ManifestParser.MAX_TTL), jobs);
  }

  private String moved(String path, @Nullable LocalDate day) {
    if (day == null) {
      return path;
    }
    DatedPath dated = DatedPath.of(path);
    return DatedPath.path(dated.template(), day, dated.offsets(day()), dated.isUnpadded());
  }

  private static String jobName(String name) {
    String printable = name.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "").strip();
    if (printable.isEmpty()) {
      return "job";
    }
    return printable.length() <= MAX_JOB_NAME_CHARS
        ? printable
        : printable.substring(0, MAX_JOB_NAME_CHARS).strip();
  }
}
