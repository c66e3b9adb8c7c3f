// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is replayed and on which disks. */
final class Source {
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "The trace, plain or .gz. By default CSV with the header",
        "seq,object,size_bytes,op,request_bytes[,class][,time]: op is R or W, request_bytes is"
            + " size_bytes when empty, time is in seconds, from the first"
            + " access on or not at all; object, size_bytes and op are needed."
      })
  @Nullable Path trace;

  @Option(
      names = "--workload",
      paramLabel = "NAME:OBJECTS:ACCESSES",
      description = "Instead of a file a synthetic trace, see 'generate --help'.")
  @Nullable String workload;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "csv",
      description =
          "csv; audit: an audit log of the NameNode (needs --sizes); swim: jobs of the SWIM"
              + " project; baleen: requests to blocks, as Baleen's traces of Tectonic and what"
              + " 'trace' writes; clienttrace: a DataNode's log (default: ${DEFAULT-VALUE}).")
  String format = "csv";

  @Option(
      names = "--sizes",
      paramLabel = "FILE",
      description =
          "Sizes for an audit log: output of 'hdfs dfs -ls -R', of 'hdfs oiv -p Delimited', or"
              + " lines of path, tab, bytes.")
  @Nullable Path sizes;

  @Option(
      names = "--hdd-bw",
      paramLabel = "RATE",
      defaultValue = "144MB/s",
      description = "Transfer rate of an HDD (default: ${DEFAULT-VALUE}).")
  String hddBandwidth = "144MB/s";

  @Option(
      names = "--seek",
      paramLabel = "TIME",
      defaultValue = "8ms",
      description = "Positioning before each HDD operation (default: ${DEFAULT-VALUE}).")
  String seek = "8ms";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of policies and workloads that draw by chance (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--write-price",
      paramLabel = "PRICE",
      defaultValue = "" + DiskTime.DEFAULT_WRITE_PRICE,
      description =
          "Price of a byte written to SSD, as a part of the time to transfer it from an HDD, 0 or"
              + " more, for policies that weigh it, such as adaptive and reuse (default: ${DEFAULT-VALUE}).")
  double writePrice = DiskTime.DEFAULT_WRITE_PRICE;

  DiskTime disk() {
    if (!(writePrice >= 0) || Double.isInfinite(writePrice)) {
      throw new IllegalArgumentException(
          "--write-price: expected 0 or more, such as 0.05, found " + writePrice);
    }
    return new DiskTime(Units.bytesPerSec("--hdd-bw", hddBandwidth), Units.seconds("--seek", seek))
        .withWritePrice(writePrice);
  }

  @Option(
      names = "--chunk",
      paramLabel = "BYTES",
      description =
          "HDDs and SSD move whole chunks of this size: requests and objects are rounded up; in a"
              + " baleen trace, from the chunk of the first byte to that of the last (default:"
              + " 128KiB for baleen, else 1).")
  @Nullable String chunk;

  @Option(
      names = "--cache-chunks",
      description =
          "With --format=baleen each chunk of a block is an object of its own, as in Baleen; a"
              + " request's chunks that miss cost one HDD operation together. Else the block is the"
              + " object, as large as its farthest request, and an admitted block is fetched"
              + " whole.")
  boolean cacheChunks;

  @Option(names = "--reads-only", description = "Leaves the writes of the trace out.")
  boolean readsOnly;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "600s",
      description =
          "Disk-head time is reported for the busiest window of this length, too, if the trace has"
              + " times (default: ${DEFAULT-VALUE}).")
  String window = "600s";

  long windowMillis() {
    long millis = Math.round(1000 * Units.seconds("--window", window));
    if (millis <= 0) {
      throw new IllegalArgumentException("--window: expected 1ms or more, found " + window);
    }
    return millis;
  }

  /** Reads the trace into memory. */
  Trace read(Consumer<String> notes) throws IOException {
    if ((trace == null) == (workload == null)) {
      throw new IllegalArgumentException(
          "expected either --trace FILE or --workload NAME:N:M, found "
              + (trace == null ? "none" : "both"));
    }
    if (workload != null) {
      return generated(workload, seed);
    }
    Trace.Builder built = new Trace.Builder(name());
    double days = stream(notes, built);
    checkNotEmpty(built.length());
    return built.days(days).build();
  }

  /** Refuses a trace of which {@code --reads-only} leaves nothing. */
  static void checkNotEmpty(long accesses) {
    if (accesses == 0) {
      throw new IllegalArgumentException("--reads-only: expected reads, found writes alone");
    }
  }

  /** Name of the trace. */
  String name() {
    return trace == null ? "none" : TraceReader.nameOf(trace);
  }

  /**
   * Passes on the accesses of the file as they are read.
   *
   * @return the time that the trace covers in days; NaN if its times say it
   */
  double stream(Consumer<String> notes, TraceAccess.Sink sink) throws IOException {
    Path file = trace;
    if (file == null || !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "--trace: expected a readable file, found none at " + file);
    }
    long bytes =
        chunk != null
            ? Units.bytes("--chunk", chunk)
            : format.equals("baleen") ? BaleenReader.CHUNK_BYTES : 1;
    if (bytes <= 0 || bytes > TraceAccess.MAX_BYTES) {
      throw new IllegalArgumentException("--chunk: expected 1 to 2^50 bytes, found " + chunk);
    }
    if (cacheChunks && !format.equals("baleen")) {
      throw new IllegalArgumentException(
          "--cache-chunks: expected --format=baleen, whose requests have offsets, found " + format);
    }
    return read(
        file,
        bytes,
        access -> {
          if (!access.write || !readsOnly) {
            access.sizeBytes = roundUp(access.sizeBytes, bytes);
            access.requestBytes = roundUp(access.requestBytes, bytes);
            sink.accept(access);
          }
        },
        notes);
  }

  /**
   * Refuses a pipe and the like, which are empty when they are read again.
   *
   * @param why option that needs a second pass
   */
  static void checkReadTwice(Path file, String why) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "--trace: expected a regular file, which can be read twice, with "
              + why
              + ", found "
              + file
              + ". Fix: write it to a file first");
    }
  }

  private static long roundUp(long bytes, long chunk) {
    return (bytes + chunk - 1) / chunk * chunk;
  }

  /** Returns the time that the trace covers in days; NaN if its times say it. */
  private double read(Path file, long bytes, TraceAccess.Sink sink, Consumer<String> notes)
      throws IOException {
    switch (format) {
      case "csv":
        TraceReader.csv(file, sink);
        return Double.NaN;
      case "swim":
        checkReadTwice(file, "--format=swim, which does not name sizes");
        TraceReader.swim(file, sink);
        return Double.NaN;
      case "audit":
        return TraceReader.audit(file, sizes(sizes), sink, notes);
      case "baleen":
        BaleenReader baleen = new BaleenReader(file, cacheChunks, bytes);
        if (cacheChunks) {
          baleen.read(sink);
        } else {
          checkReadTwice(file, "--format=baleen without --cache-chunks");
          Measured.read(baleen, sink);
        }
        baleen.skipped().report(notes);
        return Double.NaN;
      case "clienttrace":
        checkReadTwice(file, "--format=clienttrace, which does not name sizes");
        ClientTraceReader log = new ClientTraceReader(List.of(file));
        Measured.read(log, sink);
        log.skipped().report(notes);
        return Double.NaN;
      default:
        throw new IllegalArgumentException(
            "--format: expected csv, audit, swim, baleen or clienttrace, found " + format);
    }
  }

  /** Sizes of files for an audit log. */
  static Map<String, Long> sizes(@Nullable Path file) throws IOException {
    if (file == null) {
      throw new IllegalArgumentException(
          "--sizes: expected a FILE with --format=audit, for example the output of hdfs dfs -ls"
              + " -R /, found none");
    }
    return TraceReader.sizes(file);
  }

  static Trace generated(String workload, long seed) {
    List<String> parts = List.of(workload.split(":", -1));
    try {
      if (parts.size() == 3) {
        return Workloads.make(
            parts.get(0), Integer.parseInt(parts.get(1)), Integer.parseInt(parts.get(2)), seed);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "--workload: expected NAME:OBJECTS:ACCESSES, for example zipf:1000:100000, with a name of "
            + String.join(", ", Workloads.names())
            + ", found "
            + workload);
  }
}
