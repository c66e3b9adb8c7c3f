// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import com.google.common.base.Splitter;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockTable;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what a tracked block costs in memory. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description =
        "Measures the heap that a block takes: in the DataNode's table, and as a resident of a policy,"
            + " its key included.",
    footer = {"", "Needs a heap of about 200 bytes a block, for example -Xmx4g for 10 million."})
public final class MemoryCommand implements Callable<Integer> {
  private static final long BLOCK_BYTES = 128 << 20;
  private static final int COLLECTIONS = 3;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "10000000",
      description = "Default: 10000000.")
  private int blocks;

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      defaultValue = "",
      description = "Policies to measure too, separated by commas.")
  private String policies = "";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec == null || blocks <= 0) {
      throw new IllegalArgumentException("--blocks: expected 1 or more, found " + blocks);
    }
    List<String> names = Splitter.on(',').trimResults().omitEmptyStrings().splitToList(policies);
    for (String name : names) {
      CachePolicy unused = Policies.create(name); // refused before the table is measured
    }
    PrintWriter out = spec.commandLine().getOut();
    measure(
        out,
        "table",
        () -> {
          BlockTable table = new BlockTable();
          for (long id = 0; id < blocks; id++) {
            BlockKey key = new BlockKey("BP-1", 1_073_741_825L + id);
            table.put(new Replica(key, 1001, BLOCK_BYTES), Home.DISK, null);
          }
          return table;
        });
    for (String name : names) {
      measure(
          out,
          name,
          () -> {
            CachePolicy policy = Policies.create(name);
            for (long id = 0; id < blocks; id++) {
              policy.onAdmitted(new BlockKey("BP-1", 1_073_741_825L + id), BLOCK_BYTES, id);
            }
            // adaptive begins to simulate when it gets to know the capacity.
            long capacity = blocks * BLOCK_BYTES;
            Candidate tooLarge =
                new Candidate(new BlockKey("BP-1", 0), capacity + 1, Trigger.READ_MISS, 0);
            Decision unused = policy.decide(tooLarge, 0, capacity);
            return policy;
          });
    }
    return 0;
  }

  private void measure(PrintWriter out, String what, Callable<Object> maker) {
    long before = used();
    Object held;
    try {
      held = maker.call();
    } catch (Exception e) {
      throw new IllegalStateException(what + ": " + e, e);
    }
    try {
      double bytes = (double) (used() - before) / blocks;
      out.println(
          String.format(Locale.ROOT, "%-12s %,d blocks  %.1f bytes each", what, blocks, bytes));
      out.flush();
    } finally {
      Reference.reachabilityFence(held);
    }
  }

  private static long used() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }
}
