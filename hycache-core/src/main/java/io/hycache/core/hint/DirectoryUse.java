// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When one user read the files of a directory, or of the directories that differ in dates only.
 * Reads with less than {@link #GAP_MILLIS} between them are one occurrence; the last {@link
 * #MAX_OCCURRENCES} are kept. Names of files are kept of one that may go on. Not thread-safe.
 */
final class DirectoryUse {
  /** Half of the shortest usual period, so that runs that take some time stay apart. */
  static final long GAP_MILLIS = TimeUnit.MINUTES.toMillis(30);

  static final int MAX_OCCURRENCES = 64;
  static final int MAX_FILES = 10_000;

  /** Paths of one occurrence that differ in dates, at most; further ones are left out. */
  static final int MAX_DATES = 1000;

  /** Reads of one occurrence. */
  static final class Occurrence {
    final long startMillis;
    final @Nullable String job;
    long endMillis;

    /** Of the path in which a file was created right before the first read; null if none was. */
    @Nullable List<Integer> writtenOffsets;

    /** At most {@link #MAX_FILES}; empty once the occurrence is over. */
    Set<String> files = new HashSet<>();

    /** Reads of {@link #files}. */
    private long opens;

    /** What {@link #times} returns once the occurrence is over; 0 before. */
    private int timesAtEnd;

    /**
     * Days from the occurrence's first day to the dates of the paths that were read, at most {@link
     * #MAX_DATES}. Once the occurrence is over, not to be changed: that before it may share them.
     */
    Set<List<Integer>> offsets = new HashSet<>();

    Occurrence(long startMillis, @Nullable String job) {
      this.startMillis = startMillis;
      this.job = job;
    }

    void opened(String file, DatedPath directory) {
      if (timesAtEnd > 0) {
        return;
      }
      if (files.size() < MAX_FILES || files.contains(file)) {
        files.add(file);
        opens++;
      }
      if (offsets.size() < MAX_DATES) {
        offsets.add(directory.offsets(day()));
      }
    }

    /**
     * Keeps of the files how often they were read. Idempotent.
     *
     * @param before the occurrence before, most often with the same dates; null if there is none
     */
    void end(@Nullable Occurrence before) {
      timesAtEnd = times();
      files = Set.of();
      if (before != null && before.offsets.equals(offsets)) {
        offsets = before.offsets;
      }
    }

    /** Reads of each file, rounded; at least 1. */
    int times() {
      return timesAtEnd > 0
          ? timesAtEnd
          : (int) Math.max(1, Math.round((double) opens / Math.max(1, files.size())));
    }

    LocalDate day() {
      return DirectoryUse.day(startMillis);
    }
  }

  private final List<Occurrence> occurrences = new ArrayList<>();
  private int seen;
  private boolean unpadded;

  static LocalDate day(long millis) {
    return Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC).toLocalDate();
  }

  /** Returns true if an occurrence begins with this read. */
  boolean opened(long timeMillis, @Nullable String job, DatedPath directory, String file) {
    Occurrence last = occurrences.isEmpty() ? null : occurrences.get(occurrences.size() - 1);
    boolean begins = last == null || timeMillis - last.endMillis >= GAP_MILLIS;
    if (last == null || begins) {
      if (last != null) {
        endLast();
      }
      if (occurrences.size() == MAX_OCCURRENCES) {
        occurrences.remove(0);
      }
      last = new Occurrence(timeMillis, job);
      occurrences.add(last);
      seen++;
    }
    last.endMillis = Math.max(last.endMillis, timeMillis);
    last.opened(file, directory);
    unpadded |= directory.isUnpadded();
    return begins;
  }

  /** Ends the last occurrence if a read at a time would begin another. Returns true if it did. */
  boolean endIfOver(long timeMillis) {
    boolean over = timeMillis - last().endMillis >= GAP_MILLIS;
    if (over) {
      endLast();
    }
    return over;
  }

  private void endLast() {
    int count = occurrences.size();
    last().end(count > 1 ? occurrences.get(count - 2) : null);
  }

  /** Notes where a file was created right before the last occurrence. */
  void written(DatedPath directory) {
    last().writtenOffsets = directory.offsets(last().day());
    unpadded |= directory.isUnpadded();
  }

  /** Returns the path of the template of these directories on a day. */
  String path(String template, LocalDate day, List<Integer> offsets) {
    return DatedPath.path(template, day, offsets, unpadded);
  }

  /** Returns the number of all occurrences, those included that are not kept. */
  int seen() {
    return seen;
  }

  /** Returns those that are kept. */
  List<Occurrence> occurrences() {
    return occurrences;
  }

  Occurrence last() {
    return occurrences.get(occurrences.size() - 1);
  }
}
