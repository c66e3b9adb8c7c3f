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
        "seq,object,size_bytes,op,request_bytes[,class]: op is R or W, request_bytes is size_bytes"
            + " when empty."
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
              + " project (default: ${DEFAULT-VALUE}).")
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

  DiskTime disk() {
    return new DiskTime(Units.bytesPerSec("--hdd-bw", hddBandwidth), Units.seconds("--seek", seek));
  }

  Trace read(Consumer<String> notes) throws IOException {
    if ((trace == null) == (workload == null)) {
      throw new IllegalArgumentException(
          "expected either --trace FILE or --workload NAME:N:M, found "
              + (trace == null ? "none" : "both"));
    }
    if (workload != null) {
      return generated(workload, seed);
    }
    Path file = trace;
    if (file == null || !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "--trace: expected a readable file, found none at " + file);
    }
    TraceReader reader = new TraceReader(notes);
    switch (format) {
      case "csv":
        return reader.csv(file);
      case "swim":
        return reader.swim(file);
      case "audit":
        if (sizes == null) {
          throw new IllegalArgumentException(
              "--sizes: expected a FILE with --format=audit, for example the output of hdfs dfs -ls"
                  + " -R /, found none");
        }
        Map<String, Long> known = reader.sizes(sizes);
        return reader.audit(file, known);
      default:
        throw new IllegalArgumentException(
            "--format: expected csv, audit or swim, found " + format);
    }
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
