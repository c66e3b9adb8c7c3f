// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** Reads a manifest and says what is in it. */
final class ValidateCommand implements Command {

  @Override
  public String name() {
    return "validate";
  }

  @Override
  public String usage() {
    return "FILE | -f LIST [--ttl TTL] [--json]";
  }

  @Override
  public String summary() {
    return "check a manifest without asking the cluster";
  }

  @Override
  public String details() {
    return ManifestFile.DETAILS
        + "  --json      for scripts\n\n"
        + "Reads the file only. Whether its paths exist is checked by submit --dry-run.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, ManifestException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of(ManifestFile.LIST, ManifestFile.TTL));
    ManifestFile file = ManifestFile.read(parsed);
    List<Manifest.Job> jobs = file.manifest.jobsInOrder();
    int reads = jobs.stream().mapToInt(j -> j.reads().size()).sum();
    int writes = jobs.stream().mapToInt(j -> j.writes().size()).sum();
    List<String> order = jobs.stream().map(Manifest.Job::name).collect(Collectors.toList());
    if (parsed.has("--json")) {
      ObjectNode root = Json.object();
      root.put("workflow", file.manifest.workflow());
      root.put("ttlSeconds", file.ttl.toSeconds());
      Json.put(root, "jobsInOrder", order);
      root.put("reads", reads);
      root.put("writes", writes);
      Json.print(console, root);
    } else {
      console.printf(
          "%s: valid: workflow %s, ttl %s, %s, %s, %s",
          file.source(),
          file.manifest.workflow(),
          Text.duration(file.ttl),
          Text.plural(jobs.size(), "job"),
          Text.plural(reads, "read"),
          Text.plural(writes, "write"));
      console.print("jobs in order: " + String.join(", ", order));
    }
    return ExitCode.OK;
  }
}
