// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.hycache.core.hint.LogText;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads traces of all kinds, plain or gzipped, line by line. */
final class TraceReader {
  private static final List<String> COLUMNS =
      List.of("seq", "object", "size_bytes", "op", "request_bytes");
  private static final Pattern LISTING =
      Pattern.compile(
          "^([d-])[rwxstST-]{9}[.+]?\\s+\\S+\\s+\\S+\\s+\\S+\\s+(\\d+)\\s+\\S+\\s+\\S+\\s+(/.*)$");
  private static final double SECONDS_A_DAY = 86_400;
  private static final double MILLIS_A_SECOND = 1000;
  private static final int SWIM_COLUMNS = 7;

  /** Names the standard input, which can be read once. */
  static final Path STDIN = Path.of("-");

  /** Receives what was left out, for people. */
  private final Consumer<String> notes;

  TraceReader(Consumer<String> notes) {
    this.notes = notes;
  }

  /** The text of a file. What fails while it is read names the file. */
  static Reader open(Path file) throws IOException {
    InputStream raw = file.equals(STDIN) ? System.in : Files.newInputStream(file);
    Reader text;
    try {
      text = LogText.reader(raw);
    } catch (IOException e) {
      raw.close();
      throw naming(file, e);
    }
    return new Reader() {
      @Override
      public int read(char[] to, int from, int count) throws IOException {
        try {
          return text.read(to, from, count);
        } catch (IOException e) {
          throw naming(file, e);
        }
      }

      @Override
      public void close() throws IOException {
        text.close();
      }
    };
  }

  private static IOException naming(Path file, IOException e) {
    String what = file.equals(STDIN) ? "the standard input" : file.toString();
    return new IOException(
        e instanceof EOFException
            ? what + ": expected a whole packed file, found one that is cut off. Fix: copy it again"
            : what + ": " + e.getMessage(),
        e);
  }

  static String nameOf(Path file) {
    return file.getFileName() == null ? file.toString() : file.getFileName().toString();
  }

  private static long number(String file, long line, String column, String text) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= 0 && value <= TraceAccess.MAX_BYTES) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TraceException(
        file, line, column + ": expected a whole number of bytes, 0 to 2^50, found " + text);
  }

  /** {@link #csv(Path, TraceAccess.Sink)} into memory. */
  Trace csv(Path file) throws IOException {
    Trace.Builder trace = new Trace.Builder(nameOf(file));
    csv(file, trace);
    return trace.build();
  }

  /** CSV with a header: seq,object,size_bytes,op,request_bytes[,class][,time], time in seconds. */
  static void csv(Path file, TraceAccess.Sink sink) throws IOException {
    String name = nameOf(file);
    TraceAccess access = new TraceAccess();
    boolean found = false;
    try (CsvReader<CsvRecord> csv = CsvReader.builder().ofCsvRecord(open(file))) {
      int[] at = null;
      for (CsvRecord row : csv) {
        long line = row.getStartingLineNumber();
        if (at == null) {
          at = header(name, row);
          continue;
        }
        int needed = 1 + Math.max(at[1], Math.max(at[2], at[3]));
        if (row.getFieldCount() < needed) {
          throw new TraceException(
              name,
              line,
              "expected "
                  + needed
                  + " columns or more, with object, size_bytes and op as in the header, found "
                  + row.getFieldCount());
        }
        long size = number(name, line, "size_bytes", row.getField(at[2]));
        String op = row.getField(at[3]).strip();
        if (!op.equals("R") && !op.equals("W")) {
          throw new TraceException(name, line, "op: expected R or W, found " + op);
        }
        String asked = optional(row, at[4]);
        long request = asked == null ? size : number(name, line, "request_bytes", asked);
        if (request > size) {
          throw new TraceException(
              name,
              line,
              "request_bytes: expected at most size_bytes=" + size + ", found " + request);
        }
        access.object = row.getField(at[1]);
        access.sizeBytes = size;
        access.write = op.equals("W");
        access.requestBytes = request;
        access.className = optional(row, at[5]);
        String time = optional(row, at[6]);
        access.timeMillis = time == null ? -1 : millis(name, line, time);
        sink.accept(access);
        found = true;
      }
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause()); // the CSV reader's own says only the line
    }
    if (!found) {
      throw new TraceException(
          name, 1, "expected a header and a line for each access, found no access");
    }
  }

  /** The field; null if it is missing or empty. */
  private static @Nullable String optional(CsvRecord row, int at) {
    String field = at < 0 || at >= row.getFieldCount() ? "" : row.getField(at).strip();
    return field.isEmpty() ? null : field;
  }

  private static long millis(String file, long line, String seconds) {
    try {
      double value = Double.parseDouble(seconds);
      if (value >= 0 && value <= Long.MAX_VALUE / MILLIS_A_SECOND) {
        return Math.round(value * MILLIS_A_SECOND);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TraceException(file, line, "time: expected seconds, 0 or more, found " + seconds);
  }

  /** Positions of the columns; -1 for seq, request_bytes, class and time when they are missing. */
  private static int[] header(String file, CsvRecord row) {
    List<String> names = row.getFields().stream().map(String::strip).collect(Collectors.toList());
    int[] at = new int[COLUMNS.size() + 2];
    for (int i = 0; i < COLUMNS.size(); i++) {
      at[i] = names.indexOf(COLUMNS.get(i));
      if (at[i] < 0 && i > 0 && i < COLUMNS.size() - 1) {
        throw new TraceException(
            file,
            1,
            "expected the header "
                + String.join(",", COLUMNS)
                + "[,class][,time], found no column "
                + COLUMNS.get(i));
      }
    }
    at[COLUMNS.size()] = names.indexOf("class");
    at[COLUMNS.size() + 1] = names.indexOf("time");
    return at;
  }

  /**
   * A job trace of SWIM: job, submit time, gap, input bytes, shuffle bytes, output bytes, input
   * path, output path. Each job reads its input and, if it names one, writes its output; the first
   * occurrence of an input path is labelled one too high and is given to the id before it.
   */
  Trace swim(Path file) throws IOException {
    Trace.Builder trace = new Trace.Builder(nameOf(file));
    swim(file, trace);
    return trace.build();
  }

  /** The same for a sink. */
  static void swim(Path file, TraceAccess.Sink sink) throws IOException {
    Measured.read(each -> swimRequests(file, each), sink);
  }

  /** The same in one pass, without the sizes of the files. */
  static void swimRequests(Path file, TraceAccess.Sink sink) throws IOException {
    String name = nameOf(file);
    boolean found = false;
    Set<String> seen = new HashSet<>();
    TraceAccess access = new TraceAccess();
    try (BufferedReader lines = new BufferedReader(open(file))) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] columns = line.split("\t", -1);
        if (columns.length < SWIM_COLUMNS) {
          throw new TraceException(
              name, number, "expected 7 or 8 columns, separated by tabs, found " + columns.length);
        }
        access.timeMillis = millis(name, number, columns[1]);
        access.pipeline = columns[0];
        long in = number(name, number, "input bytes", columns[3]);
        long out = number(name, number, "output bytes", columns[5]);
        String path = columns[6].strip();
        if (in > 0 && !path.isEmpty()) {
          access.object = seen.add(path) ? before(path) : path;
          access.requestBytes = in;
          access.write = false;
          sink.accept(access);
          found = true;
        }
        String output = columns.length > SWIM_COLUMNS ? columns[7].strip() : "";
        if (out > 0 && !output.isEmpty()) {
          access.object = output;
          access.requestBytes = out;
          access.write = true;
          sink.accept(access);
          found = true;
        }
      }
    }
    if (!found) {
      throw new TraceException(name, 1, "expected a job with input bytes, found none");
    }
  }

  /** The id before it: inputPath7 of inputPath8. */
  private static String before(String path) {
    int digits = path.length();
    while (digits > 0 && Character.isDigit(path.charAt(digits - 1))) {
      digits--;
    }
    return digits == path.length()
        ? path
        : path.substring(0, digits)
            + new BigInteger(path.substring(digits)).subtract(BigInteger.ONE);
  }

  /** {@link AuditReader} into memory. */
  Trace audit(Path file, Map<String, Long> sizes) throws IOException {
    Trace.Builder trace = new Trace.Builder(nameOf(file));
    return trace.days(audit(file, sizes, trace, notes)).build();
  }

  /**
   * {@link AuditReader} into a sink.
   *
   * @param notes receives what was left out, for people
   * @return the time that the log covers in days
   */
  static double audit(
      Path file, Map<String, Long> sizes, TraceAccess.Sink sink, Consumer<String> notes)
      throws IOException {
    AuditReader reader = new AuditReader(file, sizes);
    reader.read(sink);
    if (reader.unknown() > 0) {
      notes.accept(
          reader.unknown() + " accesses to files that --sizes does not list were left out");
    }
    if (reader.untimed() > 0) {
      notes.accept(reader.untimed() + " accesses without a time at the beginning were left out");
    }
    if (reader.order().isWrong()) {
      notes.accept(
          "operations are up to "
              + reader.order().behind()
              + " earlier than one before, and renames are followed in the order of the lines. Fix:"
              + " logs in the order of their times");
    }
    return reader.order().spanMillis() / MILLIS_A_SECOND / SECONDS_A_DAY;
  }

  /**
   * Sizes of files: what {@code hdfs dfs -ls -R} or {@code hdfs oiv -p Delimited} printed, or lines
   * of path, tab, bytes.
   */
  static Map<String, Long> sizes(Path file) throws IOException {
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
            sizes.put(listing.group(3), number(name, number, "size", listing.group(2)));
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
