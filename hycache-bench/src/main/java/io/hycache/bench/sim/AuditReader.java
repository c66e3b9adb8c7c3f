// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an audit log of the NameNode: each open is a read of the whole file, each create a write, a
 * rename lets the file go on under its new name. The class and namespace of a file is its
 * directory, the user is the short name of the ugi, the pipeline is the job that the caller context
 * names ({@link JobNames}). What was not allowed is left out.
 */
final class AuditReader implements Measured.Source {
  private static final Pattern AUDIT =
      Pattern.compile("^.{19}.*allowed=(\\w+).*\\bcmd=(\\w+).*?\\tsrc=(.*?)\\tdst=(.*?)\\t.*");
  private static final String USER = "ugi=";
  private static final String CONTEXT = "\tcallerContext=";

  private final Path file;
  private final Map<String, Long> sizes;
  private Skipped skipped = new Skipped();
  private long unknown;
  private long firstMillis;
  private long lastMillis;

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

  /** Milliseconds from the first to the last allowed operation of the last pass. */
  long spanMillis() {
    return lastMillis - firstMillis;
  }

  @Override
  public void read(TraceAccess.Sink sink) throws IOException {
    skipped = new Skipped();
    unknown = 0;
    firstMillis = -1;
    Map<String, String> objectOf = new HashMap<>();
    TraceAccess access = new TraceAccess();
    long found = 0;
    try (BufferedReader lines = new BufferedReader(TraceReader.open(file))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = AUDIT.matcher(line + "\t");
        if (!matcher.matches()) {
          skipped.count("no line of an audit log", line);
          continue;
        }
        if (!matcher.group(1).equals("true")) {
          skipped.count("not allowed", line);
          continue;
        }
        access.timeMillis = LogTime.millis(line);
        firstMillis = firstMillis < 0 ? access.timeMillis : firstMillis;
        lastMillis = access.timeMillis;
        String path = matcher.group(3);
        String command = matcher.group(2);
        if (command.equals("rename")) {
          objectOf.put(matcher.group(4), objectOf.getOrDefault(path, path));
          continue;
        }
        if (!command.equals("open") && !command.equals("create")) {
          continue;
        }
        access.object = objectOf.getOrDefault(path, path);
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
        access.className = slash <= 0 ? "/" : path.substring(0, slash);
        access.namespace = access.className;
        access.user = user(line);
        access.pipeline = context(line);
        sink.accept(access);
        found++;
      }
    }
    if (found == 0) {
      throw new TraceException(
          TraceReader.nameOf(file),
          1,
          "expected cmd=open or cmd=create of files that --sizes lists, found none");
    }
  }

  /** The name without its host and realm, and without the real user of a proxy. */
  private static @Nullable String user(String line) {
    int from = line.indexOf(USER);
    if (from < 0) {
      return null;
    }
    from += USER.length();
    int to = from;
    while (to < line.length() && " \t/@".indexOf(line.charAt(to)) < 0) {
      to++;
    }
    return to == from ? null : line.substring(from, to);
  }

  private static @Nullable String context(String line) {
    int from = line.indexOf(CONTEXT);
    if (from < 0) {
      return null;
    }
    from += CONTEXT.length();
    int to = line.indexOf('\t', from);
    String context = to < 0 ? line.substring(from) : line.substring(from, to);
    return context.isEmpty() ? null : JobNames.of(context);
  }
}
