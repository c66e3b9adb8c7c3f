// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the traces of Tectonic that were published with Baleen (FAST'24) and with CacheLib.
 *
 * <p>A line is one request: {@code block_id io_offset io_size op_time op_name ...}, separated by
 * spaces or by commas, between which a field may be empty. The first line that begins with # or
 * names {@code block_id} gives the columns; others are ignored. Without such a line the columns are
 * those of Baleen's first traces: the five above, pipeline, user_namespace, user_name, and op_count
 * if there is a ninth; of seven, pipeline is missing.
 *
 * <p>Assumed: an operation is a read if its name begins with get or its code is 1, 2 or 5, and a
 * write if it begins with put or its code is 3, 4 or 6. {@code op_count} requests of one line are
 * spread over one second, in a row. {@code rs_shard_id}, or else {@code host_name}, is part of the
 * object's name: another shard of a block is another object. A request takes whole chunks, from the
 * one that holds its first byte to the one that holds its last byte.
 */
final class BaleenReader implements Measured.Source {
  /** The segments of Tectonic's cache. */
  static final long CHUNK_BYTES = 128 << 10;

  private static final char COMMA = ',';

  /** A field between two commas may be empty. */
  private static final Splitter BY_COMMAS = Splitter.on(COMMA).trimResults();

  private static final Splitter BY_SPACES =
      Splitter.on(CharMatcher.whitespace()).omitEmptyStrings();
  private static final List<String> WITH_PIPELINE =
      List.of(
          "block_id",
          "io_offset",
          "io_size",
          "op_time",
          "op_name",
          "pipeline",
          "user_namespace",
          "user_name",
          "op_count");
  private static final List<String> WITHOUT_PIPELINE =
      List.of(
          "block_id", "io_offset", "io_size", "op_time", "op_name", "user_namespace", "user_name");
  private static final List<String> NEEDED = WITH_PIPELINE.subList(0, 5);
  private static final Map<String, Boolean> WRITE_BY_CODE =
      Map.of("1", false, "2", false, "5", false, "3", true, "4", true, "6", true);
  private static final double MILLIS_A_SECOND = 1000;

  /** Accesses that one line may stand for. */
  private static final long MAX_ACCESSES_A_LINE = 1_000_000;

  private static final String TOO_FEW = "fewer columns than expected";

  private final Path file;
  private final boolean chunks;
  private final long chunkBytes;
  private Skipped skipped = new Skipped();

  /**
   * @param chunks whether each chunk is an object of its own; else the block is
   * @param chunkBytes &gt; 0
   */
  BaleenReader(Path file, boolean chunks, long chunkBytes) {
    this.file = file;
    this.chunks = chunks;
    this.chunkBytes = chunkBytes;
  }

  /** What the last pass left out. */
  Skipped skipped() {
    return skipped;
  }

  /** Positions of the columns; -1 for a missing one. */
  private static final class Columns {
    private final List<String> names;

    Columns(String file, long line, List<String> names) {
      this.names = names;
      for (String needed : NEEDED) {
        if (!names.contains(needed)) {
          throw new TraceException(
              file,
              line,
              "expected the columns "
                  + String.join(" ", NEEDED)
                  + ", found no "
                  + needed
                  + " in "
                  + String.join(" ", names));
        }
      }
    }

    /** The field; null if it is missing or empty. */
    @Nullable String get(List<String> row, String name) {
      int at = names.indexOf(name);
      return at < 0 || at >= row.size() || row.get(at).isEmpty() ? null : row.get(at);
    }
  }

  /** Accesses without sizes of their objects, see {@link Measured}, unless chunks are objects. */
  @Override
  public void read(TraceAccess.Sink sink) throws IOException {
    skipped = new Skipped();
    String name = TraceReader.nameOf(file);
    TraceAccess access = new TraceAccess();
    long found = 0;
    try (BufferedReader lines = new BufferedReader(TraceReader.open(file))) {
      Columns columns = null;
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        boolean comment = line.startsWith("#");
        List<String> row = fields(comment ? line.substring(1) : line);
        if (comment || row.contains("block_id")) {
          if (columns == null && row.contains("block_id")) {
            columns = new Columns(name, number, row);
          }
          continue;
        }
        if (line.isBlank()) {
          skipped.count(TOO_FEW, line);
          continue;
        }
        if (columns == null) {
          columns = new Columns(name, number, row.size() == 7 ? WITHOUT_PIPELINE : WITH_PIPELINE);
        }
        String refused = request(columns, row, access, sink);
        if (refused == null) {
          found++;
        } else {
          skipped.count(refused, line);
        }
      }
    }
    if (found == 0) {
      throw new TraceException(
          name,
          1,
          "expected requests in the columns "
              + String.join(" ", NEEDED)
              + ", found none in "
              + skipped.total()
              + " lines");
    }
  }

  private static List<String> fields(String line) {
    return (line.indexOf(COMMA) < 0 ? BY_SPACES : BY_COMMAS).splitToList(line);
  }

  /** Passes on the accesses of one line. Returns why it can't; null if it did. */
  private @Nullable String request(
      Columns columns, List<String> row, TraceAccess access, TraceAccess.Sink sink)
      throws IOException {
    String block = columns.get(row, "block_id");
    String op = columns.get(row, "op_name");
    if (block == null || op == null) {
      return TOO_FEW;
    }
    Boolean write =
        op.startsWith("get")
            ? Boolean.FALSE
            : op.startsWith("put") ? Boolean.TRUE : WRITE_BY_CODE.get(op);
    if (write == null) {
      return "the operation is neither get nor put nor one of their codes 1 to 6";
    }
    long offset;
    long size;
    double seconds;
    long count;
    try {
      offset = Long.parseLong(columns.get(row, "io_offset"));
      size = Long.parseLong(columns.get(row, "io_size"));
      String time = columns.get(row, "op_time");
      seconds = time == null ? Double.NaN : Double.parseDouble(time);
      String repeated = columns.get(row, "op_count");
      count = repeated == null ? 1 : Long.parseLong(repeated);
    } catch (NumberFormatException e) {
      return "io_offset, io_size, op_time or op_count is no number";
    }
    if (size <= 0) {
      return "a request of 0 bytes";
    }
    if (offset < 0 || count <= 0 || !(seconds >= 0) || Double.isInfinite(seconds)) {
      return "io_offset or op_time is negative, or op_count is 0";
    }
    if (size > TraceAccess.MAX_BYTES || offset > TraceAccess.MAX_BYTES - size) {
      return "io_offset + io_size is more than 2^50";
    }
    long parts = chunks ? (offset + size - 1) / chunkBytes - offset / chunkBytes + 1 : 1;
    if (count > MAX_ACCESSES_A_LINE / parts) {
      return "op_count requests, or their chunks, are more than 1,000,000";
    }
    String shard = columns.get(row, "rs_shard_id");
    String part = shard == null ? columns.get(row, "host_name") : shard;
    access.write = write;
    access.pipeline = columns.get(row, "pipeline");
    access.namespace = columns.get(row, "user_namespace");
    access.user = columns.get(row, "user_name");
    access.className = access.user == null ? null : access.namespace + "/" + access.user;
    double spread = count == 1 ? 0 : MILLIS_A_SECOND / (count - 1);
    for (long i = 0; i < count; i++) {
      access.timeMillis = Math.round(seconds * MILLIS_A_SECOND + i * spread);
      pass(part == null ? block : block + "/" + part, offset, size, access, sink);
    }
    return null;
  }

  private void pass(
      String object, long offset, long size, TraceAccess access, TraceAccess.Sink sink)
      throws IOException {
    long first = offset / chunkBytes;
    long last = (offset + size - 1) / chunkBytes;
    if (!chunks) {
      access.object = object;
      access.offset = first * chunkBytes;
      access.requestBytes = (last - first + 1) * chunkBytes;
      access.sizeBytes = access.offset + access.requestBytes;
      access.continues = false;
      sink.accept(access);
      return;
    }
    for (long chunk = first; chunk <= last; chunk++) {
      access.object = object + ":" + chunk;
      access.offset = 0;
      access.requestBytes = chunkBytes;
      access.sizeBytes = chunkBytes;
      access.continues = chunk > first;
      sink.accept(access);
    }
  }
}
