// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads traces of all kinds, plain or gzipped, line by line. */
final class TraceReader {
  private static final List<String> COLUMNS =
      List.of("seq", "object", "size_bytes", "op", "request_bytes");
  private static final Pattern AUDIT =
      Pattern.compile("^(.{19}).*allowed=(\\w+).*\\bcmd=(\\w+).*?\\tsrc=(.*?)\\tdst=(.*?)\\t.*");
  private static final DateTimeFormatter AUDIT_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final Pattern LISTING =
      Pattern.compile(
          "^([d-])[rwxstST-]{9}[.+]?\\s+\\S+\\s+\\S+\\s+\\S+\\s+(\\d+)\\s+\\S+\\s+\\S+\\s+(/.*)$");
  private static final double SECONDS_A_DAY = 86_400;
  private static final int SWIM_COLUMNS = 7;

  /** Receives what was left out, for people. */
  private final Consumer<String> notes;

  TraceReader(Consumer<String> notes) {
    this.notes = notes;
  }

  private static Reader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    in.mark(2);
    boolean gzipped = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return new InputStreamReader(
        gzipped ? new GZIPInputStream(in, 1 << 16) : in, StandardCharsets.UTF_8);
  }

  private static String nameOf(Path file) {
    return file.getFileName() == null ? file.toString() : file.getFileName().toString();
  }

  private static long number(String file, long line, String column, String text) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TraceException(
        file, line, column + ": expected a whole number of bytes, 0 or more, found " + text);
  }

  /** CSV with a header: seq,object,size_bytes,op,request_bytes[,class]. */
  Trace csv(Path file) throws IOException {
    String name = nameOf(file);
    Trace.Builder trace = new Trace.Builder(name);
    try (CsvReader<CsvRecord> csv = CsvReader.builder().ofCsvRecord(open(file))) {
      int[] at = null;
      for (CsvRecord row : csv) {
        long line = row.getStartingLineNumber();
        if (at == null) {
          at = header(name, row);
          continue;
        }
        if (row.getFieldCount() < COLUMNS.size() - 1) {
          throw new TraceException(
              name,
              line,
              "expected "
                  + String.join(",", COLUMNS)
                  + "[,class], found "
                  + row.getFieldCount()
                  + " columns");
        }
        long size = number(name, line, "size_bytes", row.getField(at[2]));
        String op = row.getField(at[3]).strip();
        if (!op.equals("R") && !op.equals("W")) {
          throw new TraceException(name, line, "op: expected R or W, found " + op);
        }
        String asked = at[4] < 0 || at[4] >= row.getFieldCount() ? "" : row.getField(at[4]).strip();
        long request = asked.isEmpty() ? size : number(name, line, "request_bytes", asked);
        if (request > size) {
          throw new TraceException(
              name,
              line,
              "request_bytes: expected at most size_bytes=" + size + ", found " + request);
        }
        String group = at[5] < 0 || at[5] >= row.getFieldCount() ? "" : row.getField(at[5]).strip();
        trace.add(
            row.getField(at[1]), size, op.equals("W"), request, group.isEmpty() ? null : group);
      }
    }
    if (trace.length() == 0) {
      throw new TraceException(
          name, 1, "expected a header and a line for each access, found no access");
    }
    return trace.build();
  }

  /** Positions of the columns; -1 for request_bytes and class when they are missing. */
  private static int[] header(String file, CsvRecord row) {
    List<String> names = row.getFields().stream().map(String::strip).collect(Collectors.toList());
    int[] at = new int[COLUMNS.size() + 1];
    for (int i = 0; i < COLUMNS.size(); i++) {
      at[i] = names.indexOf(COLUMNS.get(i));
      if (at[i] < 0 && i > 0 && i < COLUMNS.size() - 1) {
        throw new TraceException(
            file,
            1,
            "expected the header "
                + String.join(",", COLUMNS)
                + "[,class], found no column "
                + COLUMNS.get(i));
      }
    }
    at[COLUMNS.size()] = names.indexOf("class");
    return at;
  }

  /**
   * A job trace of SWIM: job, submit time, gap, input bytes, shuffle bytes, output bytes, input
   * path, output path. Each job reads its input and, if it names one, writes its output; the first
   * occurrence of an input path is labelled one too high and is given to the id before it.
   */
  Trace swim(Path file) throws IOException {
    String name = nameOf(file);
    Map<String, Long> sizes = new HashMap<>();
    double[] span = {0};
    eachSwim(file, (object, bytes, write, time) -> sizes.merge(object, bytes, Math::max), span);
    Trace.Builder trace = new Trace.Builder(name).days(span[0] / SECONDS_A_DAY);
    eachSwim(
        file,
        (object, bytes, write, time) ->
            trace.add(object, sizes.getOrDefault(object, bytes), write, bytes, null),
        span);
    if (trace.length() == 0) {
      throw new TraceException(name, 1, "expected a job with input bytes, found none");
    }
    return trace.build();
  }

  private interface SwimAccess {
    void accept(String object, long bytes, boolean write, double time);
  }

  private static void eachSwim(Path file, SwimAccess action, double[] span) throws IOException {
    String name = nameOf(file);
    Set<String> seen = new HashSet<>();
    try (BufferedReader lines = new BufferedReader(open(file))) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] columns = line.split("\t", -1);
        if (columns.length < SWIM_COLUMNS) {
          throw new TraceException(
              name, number, "expected 7 or 8 columns, separated by tabs, found " + columns.length);
        }
        double time = Double.parseDouble(columns[1]);
        span[0] = Math.max(span[0], time);
        long in = number(name, number, "input bytes", columns[3]);
        long out = number(name, number, "output bytes", columns[5]);
        String path = columns[6].strip();
        if (in > 0 && !path.isEmpty()) {
          action.accept(seen.add(path) ? before(path) : path, in, false, time);
        }
        String output = columns.length > SWIM_COLUMNS ? columns[7].strip() : "";
        if (out > 0 && !output.isEmpty()) {
          action.accept(output, out, true, time);
        }
      }
    }
  }

  /** The id before it: inputPath7 of inputPath8. */
  private static String before(String path) {
    int digits = path.length();
    while (digits > 0 && Character.isDigit(path.charAt(digits - 1))) {
      digits--;
    }
    if (digits == path.length()) {
      return path;
    }
    return path.substring(0, digits) + (Long.parseLong(path.substring(digits)) - 1);
  }

  /**
   * An audit log of the NameNode: each open is a read of the whole file, each create a write, a
   * rename lets the file go on under its new name. The class of a file is its directory.
   *
   * @param sizes path to bytes
   */
  Trace audit(Path file, Map<String, Long> sizes) throws IOException {
    String name = nameOf(file);
    Trace.Builder trace = new Trace.Builder(name);
    Map<String, String> objectOf = new HashMap<>();
    @Nullable String first = null;
    String last = "";
    long unknown = 0;
    try (BufferedReader lines = new BufferedReader(open(file))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = AUDIT.matcher(line + "\t");
        if (!matcher.matches() || !matcher.group(2).equals("true")) {
          continue;
        }
        first = first == null ? matcher.group(1) : first;
        last = matcher.group(1);
        String path = matcher.group(4);
        String command = matcher.group(3);
        if (command.equals("rename")) {
          objectOf.put(matcher.group(5), objectOf.getOrDefault(path, path));
          continue;
        }
        if (!command.equals("open") && !command.equals("create")) {
          continue;
        }
        String object = objectOf.getOrDefault(path, path);
        Long size = sizes.get(path);
        if (size == null) {
          size = sizes.get(object);
        }
        if (size == null) {
          unknown++;
          continue;
        }
        int slash = path.lastIndexOf('/');
        trace.add(
            object,
            size,
            command.equals("create"),
            size,
            slash <= 0 ? "/" : path.substring(0, slash));
      }
    }
    if (unknown > 0) {
      notes.accept(unknown + " accesses to files that --sizes does not list were left out");
    }
    if (trace.length() == 0 || first == null) {
      throw new TraceException(
          name, 1, "expected cmd=open or cmd=create of files that --sizes lists, found none");
    }
    return trace.days(days(first, last)).build();
  }

  private static double days(String first, String last) {
    try {
      LocalDateTime begin = LocalDateTime.parse(first.replace('T', ' '), AUDIT_TIME);
      LocalDateTime end = LocalDateTime.parse(last.replace('T', ' '), AUDIT_TIME);
      return (end.toEpochSecond(ZoneOffset.UTC) - begin.toEpochSecond(ZoneOffset.UTC))
          / SECONDS_A_DAY;
    } catch (java.time.format.DateTimeParseException e) {
      return Double.NaN;
    }
  }

  /**
   * Sizes of files: what {@code hdfs dfs -ls -R} or {@code hdfs oiv -p Delimited} printed, or lines
   * of path, tab, bytes.
   */
  Map<String, Long> sizes(Path file) throws IOException {
    String name = nameOf(file);
    Map<String, Long> sizes = new HashMap<>();
    int path = 0;
    int bytes = 1;
    try (BufferedReader lines = new BufferedReader(open(file))) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Matcher listing = LISTING.matcher(line);
        if (listing.matches()) {
          if (listing.group(1).equals("-")) {
            sizes.put(listing.group(3), Long.parseLong(listing.group(2)));
          }
          continue;
        }
        List<String> columns = List.of(line.split("\t", -1));
        if (columns.contains("Path") && columns.contains("FileSize")) {
          path = columns.indexOf("Path");
          bytes = columns.indexOf("FileSize");
        } else if (columns.size() > Math.max(path, bytes)) {
          sizes.put(columns.get(path), number(name, number, "size", columns.get(bytes)));
        } else if (!line.isBlank() && !line.startsWith("Found ")) {
          throw new TraceException(
              name,
              number,
              "expected a line of hdfs dfs -ls -R, of hdfs oiv -p Delimited, or path, tab, bytes,"
                  + " found another");
        }
      }
    }
    if (sizes.isEmpty()) {
      throw new TraceException(name, 1, "expected files with their sizes, found none");
    }
    return sizes;
  }
}
