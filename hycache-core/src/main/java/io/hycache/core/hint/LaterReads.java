// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads of a workflow that can be hinted only when a job of it has written the files. Immutable.
 *
 * <p>Each part of the workflow that waits for the same job is submitted as a workflow of its own,
 * because another submission of the first name would hint again what has been read meanwhile.
 */
public final class LaterReads {
  /** Knows the file system. */
  public interface Paths {
    /** Returns the same for all that name one directory or file, without a slash at its end. */
    String absolute(String path) throws IOException;
  }

  private final Manifest manifest;

  private LaterReads(Manifest manifest) {
    this.manifest = manifest;
  }

  /**
   * Returns what is to be submitted later: for each job its reads of what an earlier job writes,
   * and for each job its outputs that have {@code readsLater} and that no job of the manifest
   * reads. O(paths x log paths).
   *
   * @param ttl lifetime of the hints, &gt; 0
   * @param later the reads of the manifest, these objects, of what an earlier job writes
   * @param paths to compare what is read and what is written
   */
  public static List<LaterReads> of(
      Manifest manifest, Duration ttl, Set<Manifest.Read> later, Paths paths) throws IOException {
    List<LaterReads> out = new ArrayList<>();
    NavigableSet<String> read = new TreeSet<>();
    for (Manifest.Job job : manifest.jobsInOrder()) {
      for (Manifest.Read of : job.reads()) {
        read.add(paths.absolute(Manifest.unescaped(of.path())));
      }
    }
    for (Manifest.Job job : manifest.jobsInOrder()) {
      List<Manifest.Read> waiting =
          job.reads().stream().filter(later::contains).collect(Collectors.toList());
      add(out, manifest, ttl, job.name(), job.repeat(), waiting);
      List<Manifest.Read> outputs = new ArrayList<>();
      for (Manifest.Write write : job.writes()) {
        if (write.readsLater() > 0 && !isReadWithin(read, paths.absolute(write.path()))) {
          String path = Manifest.literal(write.path());
          outputs.add(new Manifest.Read(path, write.readsLater(), false));
        }
      }
      add(out, manifest, ttl, job.name(), 1, outputs);
    }
    return out;
  }

  private static void add(
      List<LaterReads> out,
      Manifest of,
      Duration ttl,
      String job,
      int repeat,
      List<Manifest.Read> reads) {
    if (!reads.isEmpty()) {
      String suffix = "#" + (out.size() + 1);
      int most = WorkflowId.MAX_NAME_CHARS - suffix.length();
      String name = WorkflowId.cut(of.workflow(), most) + suffix;
      out.add(
          new LaterReads(
              new Manifest(
                  name, ttl, List.of(new Manifest.Job(job, List.of(), repeat, reads, List.of())))));
    }
  }

  /**
   * Returns true if a path is one of some directories or files, or below one. O(length).
   *
   * @param directories without a slash at their end
   */
  public static boolean isWithinOne(String path, Set<String> directories) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (directories.contains(path.substring(0, end))) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if a path is a directory or file, or below it. */
  public static boolean isWithin(String path, String directory) {
    return path.equals(directory)
        || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
  }

  /** Returns true if one of the reads is of a directory or file, or of what is below it. */
  private static boolean isReadWithin(NavigableSet<String> reads, String written) {
    String below = reads.ceiling(written + "/");
    return reads.contains(written) || (below != null && below.startsWith(written + "/"));
  }

  /** Returns the manifest to submit when a job has written files at all {@link #paths}. */
  public Manifest manifest() {
    return manifest;
  }

  /** Returns the paths or globs to wait for; at least one. */
  public List<String> paths() {
    return manifest.jobsInOrder().get(0).reads().stream()
        .map(Manifest.Read::path)
        .collect(Collectors.toUnmodifiableList());
  }
}
