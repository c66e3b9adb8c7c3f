// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups recorded runs into workflows: runs that the record says belong together, and a run that
 * reads what another run of the same user wrote before. Stateless.
 */
public final class RecordedRuns {
  private static final int MAX_NAME_CHARS = 100;

  private RecordedRuns() {}

  /**
   * Returns the workflows, by start. Runs that read nothing are left out. O(n log n + paths x depth
   * of a path) for n runs.
   */
  public static List<RecordedWorkflow> workflows(Collection<RecordedRun> runs) {
    List<RecordedRun> reading = new ArrayList<>(runs);
    reading.removeIf(run -> run.reads().isEmpty());
    reading.sort(Comparator.comparingLong(RecordedRun::startMillis));
    Map<String, String> joined = new HashMap<>();
    Map<String, Map<String, String>> writers = new HashMap<>();
    for (RecordedRun run : reading) {
      Map<String, String> ofUser = writers.computeIfAbsent(run.user(), u -> new HashMap<>());
      for (String path : run.reads()) {
        String written = written(path, ofUser.keySet());
        if (written != null) {
          String one = root(joined, ofUser.getOrDefault(written, run.workflow));
          String other = root(joined, run.workflow);
          if (!one.equals(other)) {
            joined.put(other, one);
          }
        }
      }
      run.writes().forEach(path -> ofUser.put(path, run.workflow));
    }
    Map<String, List<RecordedRun>> groups = new LinkedHashMap<>();
    for (RecordedRun run : reading) {
      groups.computeIfAbsent(root(joined, run.workflow), w -> new ArrayList<>()).add(run);
    }
    List<RecordedWorkflow> out = new ArrayList<>();
    UniqueNames names = new UniqueNames();
    for (List<RecordedRun> group : groups.values()) {
      out.add(new RecordedWorkflow(names.of(name(group.get(0))), group));
    }
    return out;
  }

  /** The group that a workflow was joined to, itself if to none. */
  private static String root(Map<String, String> joined, String workflow) {
    String at = workflow;
    for (String next = joined.get(at); next != null; next = joined.get(at)) {
      at = next;
    }
    return at;
  }

  /**
   * Returns the one of some written paths that is what a run read or above it, the deepest; null if
   * none.
   *
   * @param read a file, directory or glob
   */
  static @Nullable String written(String read, Set<String> directories) {
    String at = Manifest.unescaped(read);
    while (!directories.contains(at)) {
      int slash = at.lastIndexOf('/');
      if (slash <= 0) {
        return null;
      }
      at = at.substring(0, slash);
    }
    return at;
  }

  /** A name for a workflow and its file: letters, digits, {@code _ . -}. */
  private static String name(RecordedRun first) {
    String text = (first.user().isEmpty() ? "" : first.user() + "-") + first.name();
    String clean = text.replaceAll("[^A-Za-z0-9_.-]+", "-").replaceAll("^[-.]+|-+$", "");
    if (clean.isEmpty()) {
      return "workflow";
    }
    return clean.length() <= MAX_NAME_CHARS ? clean : clean.substring(0, MAX_NAME_CHARS);
  }
}
