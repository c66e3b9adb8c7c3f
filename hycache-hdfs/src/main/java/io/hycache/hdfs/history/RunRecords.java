// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.core.hint.LogLines;
import io.hycache.core.hint.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of past runs from files. A line that cannot be read is counted, and the reading
 * goes on behind it. Not thread-safe; O(bytes), and memory for one line and for the runs.
 */
public abstract class RunRecords {
  /** Runs that are kept; later ones are left out. */
  static final int MAX_RUNS = 100_000;

  /** Longer lines are counted as such that cannot be read. */
  static final int MAX_LINE_CHARS = 1 << 24;

  private static final int MAX_SHOWN_CHARS = 120;

  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, RecordedRun> runs = new LinkedHashMap<>();
  private long badLines;
  private long leftOut;
  private long otherFileSystems;
  private @Nullable String firstBad;

  /** What is being read, for messages. */
  private @Nullable Path at;

  private long atLine;

  RunRecords() {}

  /**
   * Reads a file, or the files of a directory that are records.
   *
   * @throws IOException if a file cannot be opened; its name is in the message
   */
  public abstract void read(Path file) throws IOException;

  /** Returns what is not known of the runs, each a sentence for the user. */
  abstract List<String> unknown();

  /** Returns the runs read so far, in the order in which they were found. */
  public final List<RecordedRun> runs() {
    return List.copyOf(runs.values());
  }

  /** Returns what the user is to be warned of. */
  public final List<String> warnings() {
    List<String> out = new ArrayList<>();
    if (firstBad != null) {
      out.add(badLines + (badLines == 1 ? " line" : " lines") + " passed over, first " + firstBad);
    }
    if (leftOut > 0) {
      out.add("runs beyond " + MAX_RUNS + ", left out: " + leftOut);
    }
    long paths = runs.values().stream().mapToLong(RecordedRun::leftOut).sum();
    if (paths > 0) {
      out.add("paths beyond " + RecordedRun.MAX_PATHS + " of a run, left out: " + paths);
    }
    if (otherFileSystems > 0) {
      out.add("paths not on HDFS, left out: " + otherFileSystems);
    }
    out.addAll(unknown());
    return out;
  }

  /** The run of a key, a new one if there is none; null if there are too many. */
  final @Nullable RecordedRun run(String key, Supplier<RecordedRun> added) {
    RecordedRun run = runs.get(key);
    if (run == null && runs.size() >= MAX_RUNS) {
      leftOut++;
      return null;
    }
    return runs.computeIfAbsent(key, k -> added.get());
  }

  /** The run of a key; null if there is none. */
  final @Nullable RecordedRun find(String key) {
    return runs.get(key);
  }

  /** A path that counts if it is on HDFS. */
  final @Nullable String onHdfs(@Nullable String path) {
    otherFileSystems += path == null ? 1 : 0;
    return path;
  }

  /** The files of a directory that meet a condition, by name; a file itself. */
  static List<Path> files(Path file, Predicate<String> wanted) throws IOException {
    if (!Files.isDirectory(file)) {
      return List.of(file);
    }
    try (Stream<Path> all = Files.list(file)) {
      return all.filter(one -> wanted.test(String.valueOf(one.getFileName())))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** Says what is read now: {@link #bad} names it. */
  final void at(Path file, long line) {
    at = file;
    atLine = line;
  }

  /** Counts a line that cannot be read, or not as a whole. */
  final void bad(String expected, String found) {
    badLines++;
    if (firstBad == null) {
      firstBad = at + ":" + atLine + ": expected " + expected + ", found " + shown(found);
    }
  }

  private static String shown(String text) {
    boolean whole = text.length() <= MAX_SHOWN_CHARS;
    String shown = whole ? text : text.substring(0, MAX_SHOWN_CHARS) + "...";
    return shown.replaceAll("\\p{Cc}", " ");
  }

  /** A JSON text; null if it is broken, which is counted. */
  final @Nullable JsonNode json(String text) {
    try {
      JsonNode node = mapper.readTree(text);
      if (node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      // Counted below: what Jackson says is longer than the line.
    }
    bad("a JSON object", text);
    return null;
  }

  /**
   * Passes the JSON objects of a file on, one a line, plain or packed.
   *
   * @param wanted whether a line is worth parsing, by its text or the beginning of it
   */
  final void lines(Path file, Predicate<String> wanted, Consumer<JsonNode> objects)
      throws IOException {
    try (LogLines in = LogLines.open(file, MAX_LINE_CHARS)) {
      lines(file, 0, in, wanted, objects);
    }
  }

  /**
   * The same of the rest of a file.
   *
   * @param before number of lines before it
   */
  final void lines(
      Path file, long before, LogLines in, Predicate<String> wanted, Consumer<JsonNode> objects)
      throws IOException {
    for (String line = in.next(); line != null; line = in.next()) {
      at(file, before + in.number());
      if (line.isBlank() || !wanted.test(line)) {
        continue;
      }
      if (in.isCut()) {
        bad("a line of at most " + MAX_LINE_CHARS + " characters", line);
        continue;
      }
      JsonNode object = json(line);
      if (object != null) {
        objects.accept(object);
      }
    }
    IOException failure = in.failure();
    if (failure != null) {
      at(file, before + in.number() + 1);
      bad("more text", "the end of what can be unpacked (" + failure + ")");
    }
  }
}
