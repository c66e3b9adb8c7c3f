// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.engine.ReadSources;
import io.hycache.core.hint.AuditLine;
import io.hycache.core.hint.JobNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads an audit log of the NameNode: each open is a read of the whole file, each create a write;
 * renames and deletes are followed ({@link FileNames}). The namespace of a file is its directory,
 * the user is the short name of the ugi, the pipeline is the job that the caller context names
 * ({@link JobNames}). What was not allowed or has no time is left out. Renames are followed in the
 * order of the lines, which must be that of their times ({@link #order}). The log does not say
 * whether a rename without options names a directory that is there, to move into it: it does if the
 * log shows that directory before, or if the listing has a file of that name in it.
 *
 * <p>Sizes are those of a listing, by the path of the access or else by the object's first path. A
 * file whose path is not yet the one that is listed, as the output of a task before its commit, has
 * none; the access is left out. A create of a path that is there writes the same object again.
 *
 * <p>The class is one of those that a DataNode gives ({@link ReadSources}), as far as the log shows
 * it: the name of the client, by which a DataNode distinguishes readers, is not in it, but tasks of
 * MapReduce have a context of their own.
 */
final class AuditReader implements Measured.Source {
  private final Path file;
  private final Map<String, Long> sizes;
  private Skipped skipped = new Skipped();
  private long unknown;
  private long untimed;
  private TimeOrder order = new TimeOrder();

  /**
   * @param sizes path to bytes
   */
  AuditReader(Path file, Map<String, Long> sizes) {
    this.file = file;
    this.sizes = sizes;
  }

  /** What the last pass left out. */
  Skipped skipped() {
    return skipped;
  }

  /** Accesses of the last pass to files without a size. */
  long unknown() {
    return unknown;
  }

  /** Accesses of the last pass whose lines do not begin with a time. */
  long untimed() {
    return untimed;
  }

  /** Of the allowed operations of the last pass. */
  TimeOrder order() {
    return order;
  }

  @Override
  public void read(TraceAccess.Sink sink) throws IOException {
    skipped = new Skipped();
    unknown = 0;
    untimed = 0;
    order = new TimeOrder();
    FileNames names = new FileNames();
    TraceAccess access = new TraceAccess();
    long found = 0;
    try (BufferedReader lines = new BufferedReader(TraceReader.open(file))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        AuditLine operation = AuditLine.of(line);
        if (operation == null) {
          skipped.count("no line of an audit log", line);
          continue;
        }
        if (!operation.isAllowed()) {
          skipped.count("not allowed", line);
          continue;
        }
        access.timeMillis = operation.timeMillis();
        if (access.timeMillis >= 0) {
          order.add(access.timeMillis);
        }
        String path = operation.source();
        String command = operation.command();
        if (command.equals("rename")) {
          names.rename(path, target(operation, names));
          continue;
        }
        if (command.equals("mkdirs")) {
          names.directory(path);
          continue;
        }
        if (command.equals("delete")) {
          names.delete(path);
          continue;
        }
        if (!command.equals("open") && !command.equals("create")) {
          continue;
        }
        names.file(path);
        if (access.timeMillis < 0) {
          untimed++;
          skipped.count("no time at the beginning", line);
          continue;
        }
        access.object = names.object(path);
        Long size = sizes.get(path);
        if (size == null) {
          size = sizes.get(access.object);
        }
        if (size == null) {
          unknown++;
          skipped.count("a file that --sizes does not list", line);
          continue;
        }
        int slash = path.lastIndexOf('/');
        access.sizeBytes = size;
        access.requestBytes = size;
        access.write = command.equals("create");
        access.className =
            operation.isMapReduce() ? ReadSources.MAPREDUCE : ReadSources.NONMAPREDUCE;
        access.namespace = slash <= 0 ? "/" : path.substring(0, slash);
        access.user = operation.user();
        access.pipeline = operation.job();
        sink.accept(access);
        found++;
      }
    }
    if (found == 0) {
      throw new TraceException(
          TraceReader.nameOf(file),
          1,
          "expected lines with a time and cmd=open or cmd=create of files that --sizes lists, found"
              + " none");
    }
  }

  /** The new path of what is renamed. */
  private String target(AuditLine rename, FileNames names) {
    String from = rename.source();
    String to = rename.target();
    if (rename.hasOptions()) {
      return to;
    }
    String inside = (to.equals("/") ? "" : to) + from.substring(from.lastIndexOf('/'));
    return names.isDirectory(to) || sizes.containsKey(inside) ? inside : to;
  }
}
