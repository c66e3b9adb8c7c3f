// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a synthetic trace as CSV. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description = "Prints a synthetic trace as CSV.",
    footer = {
      "",
      "Workloads:",
      "  round-robin    files of 6 to 250 MB, read one after the other, again and again (the paper's)",
      "  loop           blocks of 128 MB in loops of several lengths",
      "  scan-polluted  Zipf reads of blocks; after each round a scan of half as many new ones",
      "  zipf           Zipf reads of blocks",
      "  zipf-drift     the same; the popular ones change eight times",
      "  mixed-sizes    Zipf reads of files of 100 KB to 10 GB",
      "  writes         stages of jobs: written, read, read again or peeked into",
      "  turning        Zipf reads and rewrites; 95 %% reads, from the middle on 95 %% writes",
      "  daily          workflows that read the same blocks each day, and what they wrote the day before",
      "  recent         reads of blocks that were read lately: what LRU is made for",
      "",
      "Example: generate zipf-drift:1000:100000 --seed 2 > t.csv"
    })
public final class GenerateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME:OBJECTS:ACCESSES", description = "What to make.")
  private String workload = "";

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: 1.")
  private long seed = 1;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    Trace trace = Source.generated(workload, seed);
    PrintWriter out = spec.commandLine().getOut();
    out.println("seq,object,size_bytes,op,request_bytes,class");
    for (int at = 0; at < trace.length(); at++) {
      int object = trace.object(at);
      String group = trace.classOf(object);
      out.println(
          String.format(
              Locale.ROOT,
              "%d,o%d,%d,%s,%d,%s",
              at + 1,
              object,
              trace.sizeBytes(at),
              trace.isWrite(at) ? "W" : "R",
              trace.requestBytes(at),
              group == null ? "" : group));
    }
    out.flush();
    return 0;
  }
}
