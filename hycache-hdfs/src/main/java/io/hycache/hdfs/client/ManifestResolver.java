// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.Manifest;
import io.hycache.core.model.BlockKey;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Finds out at the NameNode, as the calling user, what the paths of one manifest stand for. Used
 * once, by one thread.
 */
final class ManifestResolver {
  /** Files of one submission. */
  static final int MAX_FILES = 1_000_000;

  /** Files of one job's hints, which a server may make for many jobs at a time. */
  static final int MAX_JOB_FILES = 10_000;

  /** Blocks of one job's hints; those of a few files may come on top. */
  static final int MAX_JOB_BLOCKS = 100_000;

  /** References of one manifest, all DataNodes together. */
  static final long MAX_REFERENCES = 10_000_000;

  private static final int LOCATE_THREADS = 8;
  private static final int MAX_NOTES = 100;

  /** Which reads of a manifest are resolved. */
  enum Reads {
    /**
     * All. The first path that is missing or may not be read ends it with a {@link HintException};
     * but where an earlier job of the manifest writes, there may be no files yet.
     */
    ALL,
    /**
     * As {@link #ALL}, without those of what an earlier job writes: files there are those of an
     * earlier run.
     */
    INPUTS,
    /**
     * Those of paths that are there and may be read, up to the limits; notes say which ones are
     * left out.
     */
    READABLE
  }

  /** One read of a job: its blocks in order. Immutable. */
  static final class ResolvedRead {
    final List<BlockReplicas> blocks;
    final int times;
    final boolean random;

    ResolvedRead(List<BlockReplicas> blocks, int times, boolean random) {
      this.blocks = blocks;
      this.times = times;
      this.random = random;
    }
  }

  /** A job: the reads of it that have blocks. Immutable. */
  static final class ResolvedJob {
    final int repeat;
    final List<ResolvedRead> reads;

    ResolvedJob(int repeat, List<ResolvedRead> reads) {
      this.repeat = repeat;
      this.reads = reads;
    }
  }

  /** A file that was found, and the place in the manifest that led to it. */
  private static final class Found {
    final FileStatus status;
    final Supplier<String> where;

    Found(FileStatus status, Supplier<String> where) {
      this.status = status;
      this.where = where;
    }
  }

  private final FileLocator locator;
  private final Progress progress;
  private final ManifestPlaces places;
  private final Reads wanted;
  private final int maxFiles;
  private final int maxBlocks;
  private final BooleanSupplier isNeeded;

  /** By path as written. */
  private final Map<String, List<Path>> files = new HashMap<>();

  private final Map<Path, Found> found = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private Set<Manifest.Read> later = Set.of();

  /** Files that were found and not located. */
  private int leftOut;

  /** Files were left out; so are further ones. */
  private boolean isFull;

  ManifestResolver(FileLocator locator, Progress progress, ManifestPlaces places, Reads wanted) {
    this(locator, progress, places, wanted, MAX_FILES, Integer.MAX_VALUE, () -> true);
  }

  /**
   * @param maxFiles more of them fail, or are left out if {@code wanted} is {@link Reads#READABLE}
   * @param maxBlocks files behind those with so many blocks are left out
   * @param isNeeded asked between files; false ends it with a {@link CancellationException}
   */
  ManifestResolver(
      FileLocator locator,
      Progress progress,
      ManifestPlaces places,
      Reads wanted,
      int maxFiles,
      int maxBlocks,
      BooleanSupplier isNeeded) {
    this.locator = locator;
    this.progress = progress;
    this.places = places;
    this.wanted = wanted;
    this.maxFiles = maxFiles;
    this.maxBlocks = maxBlocks;
    this.isNeeded = isNeeded;
  }

  /** Where the manifest is from. */
  String source() {
    return places.source();
  }

  /** What was left out, and why; one line each. */
  List<String> notes() {
    return notes;
  }

  /** The reads that were left out because an earlier job has yet to write the files. */
  Set<Manifest.Read> later() {
    return later;
  }

  /** Distinct files. */
  int files() {
    return found.size() - leftOut;
  }

  List<ResolvedJob> resolve(Manifest manifest) throws IOException {
    findFiles(manifest);
    Map<Path, LocatedFile> located = locate(found.values());
    Map<String, List<BlockReplicas>> blocks = new HashMap<>();
    files.forEach((text, paths) -> blocks.put(text, blocksOf(paths, located)));
    List<ResolvedJob> jobs = new ArrayList<>();
    double references = 0;
    for (Manifest.Job job : manifest.jobsInOrder()) {
      List<ResolvedRead> reads = new ArrayList<>();
      for (Manifest.Read read : job.reads()) {
        List<BlockReplicas> of = blocks.getOrDefault(read.path(), List.of());
        if (!of.isEmpty() && !later.contains(read)) {
          reads.add(new ResolvedRead(of, read.times(), read.random()));
          references += (double) of.size() * read.times() * job.repeat();
        }
      }
      if (references > MAX_REFERENCES) {
        throw refused(
            places.source() + ": job " + quoted(job.name()),
            String.format(Locale.ROOT, "%.0f expected block reads so far", references),
            "at most " + MAX_REFERENCES + " in a manifest",
            "lower repeat or times, or split the workflow");
      }
      jobs.add(new ResolvedJob(reads.isEmpty() ? 0 : job.repeat(), reads));
    }
    return jobs;
  }

  /**
   * What the jobs read of the first blocks, of so many bytes together. A note says what is left
   * out.
   */
  List<ResolvedJob> first(long atMostBytes, List<ResolvedJob> jobs) {
    Map<BlockKey, Boolean> taken = new HashMap<>();
    long bytes = 0;
    long leftOut = 0;
    List<ResolvedJob> out = new ArrayList<>();
    for (ResolvedJob job : jobs) {
      List<ResolvedRead> reads = new ArrayList<>();
      for (ResolvedRead read : job.reads) {
        List<BlockReplicas> blocks = new ArrayList<>();
        for (BlockReplicas block : read.blocks) {
          Boolean known = taken.get(block.block);
          if (known == null) {
            known = leftOut == 0 && block.lengthBytes <= atMostBytes - bytes;
            taken.put(block.block, known);
            bytes += known ? block.lengthBytes : 0;
            leftOut += known ? 0 : 1;
          }
          if (known) {
            blocks.add(block);
          }
        }
        reads.add(new ResolvedRead(blocks, read.times, read.random));
      }
      out.add(new ResolvedJob(job.repeat, reads));
    }
    if (leftOut == 0) {
      return jobs;
    }
    note(
        String.format(
            Locale.ROOT,
            "the first %,d bytes are taken, %,d of %,d blocks are left out: more than %,d bytes",
            bytes,
            leftOut,
            taken.size(),
            atMostBytes));
    return out;
  }

  // ---- paths to files

  private void findFiles(Manifest manifest) throws IOException {
    Set<Manifest.Read> ofOutputs = locator.readsOfOutputs(manifest);
    if (wanted == Reads.INPUTS) {
      later = ofOutputs;
    }
    for (Manifest.Job job : manifest.jobsInOrder()) {
      for (int i = 0; i < job.reads().size(); i++) {
        Manifest.Read read = job.reads().get(i);
        String text = read.path();
        int index = i;
        Supplier<String> where = () -> places.path(job.name(), index);
        if (later.contains(read)) {
          note(where.get() + ": " + text + " is hinted when an earlier job has written it");
        } else if (!files.containsKey(text)) {
          checkNeeded();
          files.put(text, isFull ? List.of() : find(where, text, ofOutputs.contains(read)));
          progress.at("files found", found.size(), -1);
        }
      }
    }
  }

  private void checkNeeded() {
    if (!isNeeded.getAsBoolean()) {
      throw new CancellationException("not needed any more: " + places.source());
    }
  }

  /**
   * @param written whether an earlier job writes there
   */
  private List<Path> find(Supplier<String> where, String text, boolean written) throws IOException {
    List<FileStatus> statuses;
    try {
      statuses =
          locator.files(
              new Path(text), name -> !FileLocator.isHidden(name), maxFiles - found.size());
    } catch (FileNotFoundException e) {
      if (written) {
        note(where.get() + ": " + text + " is not there yet, an earlier job writes it");
        return List.of();
      }
      leaveOut(
          refused(
              where.get(),
              "nothing at " + quoted(text),
              "an existing file, directory or glob",
              "correct the path, or remove the entry"));
      return List.of();
    } catch (AccessControlException e) {
      leaveOut(forbidden(where.get(), text));
      return List.of();
    } catch (NotHdfsException | IllegalArgumentException e) {
      leaveOut(
          refused(
              where.get(),
              quoted(text) + " (" + e.getMessage() + ")",
              "a path on HDFS",
              "correct the path, or remove the entry"));
      return List.of();
    }
    if (statuses.isEmpty()) {
      note(where.get() + ": " + text + " holds no files");
    }
    if (statuses.size() > maxFiles - found.size()) {
      leaveOut(
          refused(
              where.get(),
              "file number " + (maxFiles + 1),
              "at most " + maxFiles + " files in a submission",
              "split the workflow"));
      statuses = statuses.subList(0, maxFiles - found.size());
      isFull = true;
    }
    List<Path> out = new ArrayList<>();
    for (FileStatus status : statuses) {
      found.putIfAbsent(status.getPath(), new Found(status, where));
      out.add(status.getPath());
    }
    return out;
  }

  // ---- files to blocks

  private Map<Path, LocatedFile> locate(Collection<Found> all) throws IOException {
    Map<Path, LocatedFile> out = new HashMap<>();
    // Since JDK 24, a thread does not take over the user of the thread that starts it.
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    ExecutorService pool = Executors.newFixedThreadPool(LOCATE_THREADS, DataNodes::daemon);
    try {
      AtomicLong done = new AtomicLong();
      AtomicLong blocks = new AtomicLong();
      AtomicInteger skipped = new AtomicInteger();
      Map<Found, Future<LocatedFile>> futures = new LinkedHashMap<>();
      for (Found file : all) {
        futures.put(
            file,
            pool.submit(
                () -> {
                  if (blocks.get() >= maxBlocks) {
                    skipped.incrementAndGet();
                    return new LocatedFile(file.status.getPath(), 0, List.of(), List.of());
                  }
                  LocatedFile located =
                      user.doAs(
                          (PrivilegedExceptionAction<LocatedFile>)
                              () -> locator.locate(file.status));
                  blocks.addAndGet(located.blocks.size());
                  progress.at("files located", done.incrementAndGet(), all.size());
                  return located;
                }));
      }
      for (Map.Entry<Found, Future<LocatedFile>> entry : futures.entrySet()) {
        checkNeeded();
        LocatedFile located = get(entry.getKey(), entry.getValue());
        if (located != null) {
          out.put(located.path, located);
          located.notes.forEach(this::note);
        }
      }
      leftOut = skipped.get();
      if (leftOut > 0) {
        note("left out: " + leftOut + " files behind those of the first " + blocks + " blocks");
      }
      return out;
    } finally {
      pool.shutdownNow();
    }
  }

  /** Null if the file went away since it was listed, or is left out. */
  private @Nullable LocatedFile get(Found file, Future<LocatedFile> future) throws IOException {
    Path path = file.status.getPath();
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while locating files");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof FileNotFoundException) {
        note("deleted while it was located, skipped: path=" + path);
        return null;
      }
      if (cause instanceof AccessControlException) {
        leaveOut(forbidden(file.where.get(), path.toUri().getPath()));
        return null;
      }
      throw new IOException("cannot locate: path=" + path + " cause=" + cause, cause);
    }
  }

  private static List<BlockReplicas> blocksOf(List<Path> paths, Map<Path, LocatedFile> located) {
    List<BlockReplicas> out = new ArrayList<>();
    for (Path path : paths) {
      LocatedFile file = located.get(path);
      if (file != null) {
        out.addAll(file.blocks);
      }
    }
    return out;
  }

  // ---- messages

  /** Notes that a path is left out. Throws the reason if none may be. */
  private void leaveOut(HintException why) throws HintException {
    if (wanted != Reads.READABLE) {
      throw why;
    }
    note("left out: " + why.getMessage());
  }

  private void note(String note) {
    if (notes.size() < MAX_NOTES) {
      notes.add(note);
    } else if (notes.size() == MAX_NOTES) {
      notes.add("further notes are not shown");
    }
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static HintException forbidden(String where, String path) {
    return refused(
        where,
        quoted(path) + ", which you may not read",
        "a path that you may read",
        "ask its owner for permission, or remove the entry");
  }

  private static HintException refused(String where, String found, String expected, String fix) {
    return new HintException(
        where + ": expected " + expected + ", found " + found + ". Fix: " + fix + ".");
  }
}
