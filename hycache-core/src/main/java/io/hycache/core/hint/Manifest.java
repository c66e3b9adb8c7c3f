// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The file-access manifest of one workflow: which files its jobs read and write, and in what order.
 * Immutable; created by {@link ManifestParser}. Paths are as the user wrote them; the client
 * resolves them to existing files.
 *
 * <p>The reference sequence of the workflow is, for each of {@link #jobsInOrder}, {@link
 * Job#repeat} times the sequence of the job; that is, for each of {@link Job#reads} in order,
 * {@link Read#times} times the blocks of the files of its path, files by name and blocks by offset.
 */
public final class Manifest {
  private static final Pattern GLOB_CHARACTER = Pattern.compile("[*?\\[\\]{},\\\\^]");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

  /** A file, directory or glob that a job reads. */
  public static final class Read {
    private final String path;
    private final int times;
    private final boolean random;

    Read(String path, int times, boolean random) {
      this.path = path;
      this.times = times;
      this.random = random;
    }

    /**
     * Returns the one read of the file at just this path.
     *
     * @param path not empty
     * @param random whether small parts of the file are read, in any order
     */
    public static Read ofFile(String path, boolean random) {
      return new Read(literal(path), 1, random);
    }

    /** A file, directory or glob; not empty. */
    public String path() {
      return path;
    }

    /** Number of consecutive full reads in each run of the job, &gt;= 1. */
    public int times() {
      return times;
    }

    /** True for {@code "access": "random"}, false for {@code "sequential"}, the default. */
    public boolean random() {
      return random;
    }
  }

  /** A file or directory that a job writes. */
  public static final class Write {
    private final String path;
    private final int readsLater;

    Write(String path, int readsLater) {
      this.path = path;
      this.readsLater = readsLater;
    }

    /** A file or directory, which may not exist yet; not empty. */
    public String path() {
      return path;
    }

    /** Number of reads of the output after the job, &gt;= 0. */
    public int readsLater() {
      return readsLater;
    }
  }

  /** One job of the workflow. */
  public static final class Job {
    private final String name;
    private final List<String> after;
    private final int repeat;
    private final List<Read> reads;
    private final List<Write> writes;

    Job(String name, List<String> after, int repeat, List<Read> reads, List<Write> writes) {
      this.name = name;
      this.after = List.copyOf(after);
      this.repeat = repeat;
      this.reads = List.copyOf(reads);
      this.writes = List.copyOf(writes);
    }

    /** Unique within the manifest; not empty. */
    public String name() {
      return name;
    }

    /** Names of the jobs that must end before this one starts. */
    public List<String> after() {
      return after;
    }

    /** Number of runs of the job, each with all its reads, &gt;= 1. */
    public int repeat() {
      return repeat;
    }

    public List<Read> reads() {
      return reads;
    }

    public List<Write> writes() {
      return writes;
    }
  }

  private final String workflow;
  private final Duration ttl;
  private final List<Job> jobsInOrder;

  Manifest(String workflow, Duration ttl, List<Job> jobsInOrder) {
    this.workflow = workflow;
    this.ttl = ttl;
    this.jobsInOrder = List.copyOf(jobsInOrder);
  }

  /**
   * Returns the manifest of one job that reads some files once each, in this order.
   *
   * @param workflow not empty
   * @param ttl lifetime of the hints, &gt; 0
   * @param random whether the job reads small parts of the files, in any order
   */
  public static Manifest ofFiles(
      String workflow, Duration ttl, List<String> paths, boolean random) {
    List<Read> reads = new ArrayList<>();
    paths.forEach(path -> reads.add(Read.ofFile(path, random)));
    return ofReads(workflow, ttl, reads);
  }

  /**
   * Returns the manifest of one job with these reads, in this order. A file that is there twice is
   * read twice.
   *
   * @param workflow not empty
   * @param ttl lifetime of the hints, &gt; 0
   */
  public static Manifest ofReads(String workflow, Duration ttl, List<Read> reads) {
    return new Manifest(workflow, ttl, List.of(new Job("job", List.of(), 1, reads, List.of())));
  }

  /** Returns the glob that matches just the file or directory at a path. */
  static String literal(String path) {
    return GLOB_CHARACTER.matcher(path).replaceAll("\\\\$0");
  }

  /**
   * Returns a glob without its escapes, for comparisons with paths that are no globs: the path
   * itself of what {@link #literal} returned.
   */
  public static String unescaped(String glob) {
    return ESCAPED.matcher(glob).replaceAll("$1");
  }

  /** Returns this manifest without the reads of some paths, and without jobs that read nothing. */
  public Manifest without(Predicate<String> paths) {
    List<Job> jobs = new ArrayList<>();
    Set<String> kept = new HashSet<>();
    for (Job job : jobsInOrder) {
      List<Read> reads = new ArrayList<>(job.reads());
      reads.removeIf(read -> paths.test(read.path()));
      if (!reads.isEmpty()) {
        List<String> after = new ArrayList<>(job.after());
        after.retainAll(kept);
        kept.add(job.name());
        jobs.add(new Job(job.name(), after, job.repeat(), reads, job.writes()));
      }
    }
    return new Manifest(workflow, ttl, jobs);
  }

  public String workflow() {
    return workflow;
  }

  /** Lifetime of the hints, &gt; 0. */
  public Duration ttl() {
    return ttl;
  }

  /** The jobs, each behind its predecessors, otherwise as listed. */
  public List<Job> jobsInOrder() {
    return jobsInOrder;
  }
}
