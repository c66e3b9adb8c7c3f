// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import io.hycache.core.hint.DirectoryUse.Occurrence;
import io.hycache.core.hint.RecurringReads.Recurring;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that {@link RecurringReads} found. Its directories are those that were found; its last
 * start and its number of runs go on with what is recorded.
 */
public final class RecurringWorkflow {
  /** Least share of the occurrences of a directory that had a date at the same distance. */
  private static final double OFFSET_SHARE = 0.5;

  private final String user;
  private final String name;
  private final List<Recurring> directories;
  private final long endMillis;

  /**
   * @param directories in the order of their last start; not empty
   * @param endMillis of the record
   */
  RecurringWorkflow(String user, String name, List<Recurring> directories, long endMillis) {
    this.user = user;
    this.name = name;
    this.directories = List.copyOf(directories);
    this.endMillis = endMillis;
  }

  public String user() {
    return user;
  }

  /** Returns the user's name and that of the directory that is read first; unique for the user. */
  public String name() {
    return name;
  }

  private Recurring first() {
    return directories.get(0);
  }

  /** Returns the time between two runs. */
  public Duration period() {
    return Duration.ofMillis(first().periodMillis);
  }

  /** Returns the number of runs that were seen, &gt;= 2. */
  public int runs() {
    return first().use.seen();
  }

  /** Returns the number of directories that a run reads, &gt;= 1. */
  public int directories() {
    return directories.size();
  }

  /** Returns the start of the last run, milliseconds since 1970. */
  public long lastStartMillis() {
    return first().lastStartMillis();
  }

  /** Returns the expected start of the first run after the end of the record. */
  public long nextStartMillis() {
    long period = first().periodMillis;
    long passed = Math.max(0, endMillis - lastStartMillis());
    return lastStartMillis() + (passed / period + 1) * period;
  }

  /** The template of the directory that a run reads first. */
  String firstTemplate() {
    return first().template;
  }

  /**
   * True if a run is due at about a time.
   *
   * @param timeMillis since 1970, after the last run that was seen
   */
  boolean isDue(long timeMillis) {
    long period = first().periodMillis;
    long since = timeMillis - lastStartMillis();
    long runs = Math.round((double) since / period);
    return runs >= 1 && Math.abs(since - runs * period) <= RecurringReads.tolerance(period);
  }

  /**
   * Returns how many of the runs that were due were seen, from 0 to 1: from the first run that is
   * kept to the end of the record.
   */
  public double confidence() {
    long period = first().periodMillis;
    long between = lastStartMillis() - first().use.occurrences().get(0).startMillis;
    long missed =
        Math.max(0, endMillis - lastStartMillis() - RecurringReads.tolerance(period)) / period;
    long due = 1 + Math.round((double) between / period) + missed;
    return Math.min(1, (double) first().use.occurrences().size() / due);
  }

  /**
   * Returns the manifest of a run: a job for each that was seen in the last run, one after the
   * other, with the directories that it reads and those that were written shortly before they were
   * read.
   *
   * @param day of the run's start, UTC
   * @param ttl lifetime of the hints, &gt; 0
   */
  public Manifest manifest(LocalDate day, Duration ttl) {
    List<List<Recurring>> steps = new ArrayList<>();
    @Nullable String job = null;
    for (Recurring directory : directories) {
      String next = directory.last.job;
      if (steps.isEmpty() || next == null || !Objects.equals(job, next)) {
        steps.add(new ArrayList<>());
      }
      steps.get(steps.size() - 1).add(directory);
      job = next;
    }
    List<Manifest.Job> jobs = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      List<Manifest.Read> reads = new ArrayList<>();
      for (Recurring directory : steps.get(i)) {
        int times = directory.last.times();
        paths(directory, day).forEach(path -> reads.add(new Manifest.Read(path, times, false)));
      }
      List<Manifest.Write> writes = new ArrayList<>();
      if (i + 1 < steps.size()) {
        for (Recurring directory : steps.get(i + 1)) {
          List<Integer> written = directory.last.writtenOffsets;
          if (written != null) {
            writes.add(new Manifest.Write(directory.path(day, written), 0));
          }
        }
      }
      List<String> after = i == 0 ? List.of() : List.of("step-" + i);
      jobs.add(new Manifest.Job("step-" + (i + 1), after, 1, reads, writes));
    }
    return new Manifest(name, ttl, jobs);
  }

  /** The directories of a template on a day, those of the oldest date first. */
  private static List<String> paths(Recurring directory, LocalDate day) {
    List<Occurrence> all = directory.use.occurrences();
    Map<List<Integer>, Integer> seen = new HashMap<>();
    for (Occurrence each : all) {
      each.offsets.forEach(offsets -> seen.merge(offsets, 1, Integer::sum));
    }
    return seen.entrySet().stream()
        .filter(entry -> entry.getValue() >= OFFSET_SHARE * all.size())
        .sorted(
            Comparator.comparing(
                entry -> DatedPath.path(directory.template, day, entry.getKey(), false)))
        .map(entry -> Manifest.literal(directory.path(day, entry.getKey())))
        .distinct()
        .collect(Collectors.toList());
  }
}
